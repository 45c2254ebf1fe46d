/** One real Ollama for one test file; `CI` requires it, a person's machine may lack it. */
import { afterAll, beforeAll, describe } from 'vitest';
import { ensureOllama, startOllama, type RunningOllama } from '../../scripts/setup/ollama';

/** Runs `body` with a started server, or skips it with one clear line. */
export function withRealOllama(
  name: string,
  body: (server: { baseUrl: () => string }) => void,
  options: { contextTokens?: number } = {},
): void {
  const found = ensureOllama();
  if ('missing' in found) {
    if (process.env.CI) throw new Error(`CI requires a real Ollama: ${found.missing}`);
    console.warn(`skipped: ${name}: ${found.missing}`);
    describe.skip(`${name} (${found.missing})`, () => body({ baseUrl: () => '' }));
    return;
  }
  describe(name, () => {
    let running: RunningOllama;
    beforeAll(async () => {
      running = await startOllama(found.install, options);
    });
    afterAll(() => running.stop());
    body({ baseUrl: () => running.baseUrl });
  });
}
