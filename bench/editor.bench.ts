/**
 * Activation of the packaged extension in a real VS Code, as VS Code itself measures it (Developer: Show Running Extensions),
 * over several windows. `npm run bench -- editor [WINDOWS]`; needs a build and a VSIX.
 */
import path from 'node:path';
import { launchChromium, startHost } from '../test/vscode/host';
import { prepareHost } from '../test/vscode/prepareHost';
import { ARTEFACTS } from '../test/vscode/runInHost';
import { openWorkbench } from '../test/vscode/workbench';

const LIMIT_MS = 50;

/** @returns exit code 0 when the median is under 50 ms */
export async function run([windows = '5']: string[]): Promise<number> {
  const prepared = await prepareHost('bench');
  if ('missing' in prepared) throw new Error(prepared.missing);
  const { host, vsix, env, workspace } = prepared;
  const server = await startHost(host, { vsix, env, log: path.join(ARTEFACTS, 'bench-editor.log') });
  const browser = await launchChromium(host);
  const activationMs: number[] = [];
  try {
    for (let i = 0; i < Number(windows); i++) {
      const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
      const workbench = await openWorkbench(page, server, { folder: workspace, file: 'sentiment.prompt.md' });
      await page.locator('.statusbar-item', { hasText: 'local:' }).waitFor({ timeout: 30_000 });
      await workbench.run('Developer: Show Running Extensions');
      const row = page.locator('.runtime-extensions-editor .extension', { hasText: 'Evenkeel' }).first();
      await row.waitFor({ timeout: 30_000 });
      const [, time = ''] = /Activation:[^\d]*(\d+)ms/.exec(await row.innerText()) ?? [];
      activationMs.push(Number(time));
      await page.close();
    }
  } finally {
    await browser.close();
    await server.stop();
  }
  const median = activationMs.toSorted((a, b) => a - b)[Math.floor(activationMs.length / 2)] ?? NaN;
  process.stdout.write(
    `activation, ms, per window: ${activationMs.join(' ')}\nmedian ${median} ms (limit ${LIMIT_MS} ms)\n`,
  );
  return median < LIMIT_MS ? 0 : 1;
}
