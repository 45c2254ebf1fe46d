/** The suite of test/vscode/suite inside a real VS Code, on the packaged VSIX: one vitest test per mocha test. */
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { startHost } from './host';
import { ARTEFACTS, runInHost } from './runInHost';
import { prepareHost } from './prepareHost';

const prepared = await prepareHost('in-host');

if ('missing' in prepared) {
  test.skip(`VS Code host: ${prepared.missing}`, () => undefined);
} else {
  const { host, vsix, workspace, env, settings } = prepared;
  mkdirSync(ARTEFACTS, { recursive: true });
  const resultFile = path.join(ARTEFACTS, 'in-host.json');
  const server = await startHost(host, {
    vsix,
    settings,
    env: { ...env, RESULT_FILE: resultFile },
    log: path.join(ARTEFACTS, 'in-host.log'),
  });
  const { results } = await runInHost(host, server, {
    folder: workspace,
    resultFile,
    timeoutMs: 540_000,
  }).finally(() => server.stop());

  describe('in a real VS Code', () => {
    test('tests ran', () => expect(results.length).toBeGreaterThan(0));
    for (const result of results) {
      test(`${result.suite} › ${result.title} (${result.durationMs} ms)`, (context) => {
        if (result.state === 'pending') context.skip();
        expect(result.error).toBeNull();
      });
    }
  });
}
