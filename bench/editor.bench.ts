/**
 * Activation of the packaged extension in a real VS Code, over several windows, in a settled extension host: at start
 * VS Code activates its own extensions side by side in the same process, and the times it shows count them all.
 * `npm run bench -- editor [WINDOWS]`; needs a VSIX.
 */
import path from 'node:path';
import { startHost } from '../test/vscode/host';
import { prepareHost } from '../test/vscode/prepareHost';
import { ARTEFACTS, runInHost } from '../test/vscode/runInHost';
import type { ActivationTime } from '../test/vscode/suite/activationBench';

const LIMIT_MS = 50;

/** @returns exit code 0 when the median processor time is under 50 ms */
export async function run([windows = '5']: string[]): Promise<number> {
  const prepared = await prepareHost('bench');
  if ('missing' in prepared) throw new Error(prepared.missing);
  const { host, vsix, env, workspace: folder } = prepared;
  const resultFile = path.join(ARTEFACTS, 'bench-editor.json');
  const server = await startHost(host, {
    vsix,
    env: { ...env, RESULT_FILE: resultFile },
    log: path.join(ARTEFACTS, 'bench-editor.log'),
  });
  const times: ActivationTime[] = [];
  try {
    for (let i = 0; i < Number(windows); i++) {
      const options = { folder, resultFile, timeoutMs: 120_000, entry: 'activationBench' };
      times.push((await runInHost<ActivationTime>(host, server, options)).results);
    }
  } finally {
    await server.stop();
  }
  const median = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? NaN;
  const cpuMs = median(times.map((time) => time.cpuMs));
  const wallMs = median(times.map((time) => time.wallMs));
  process.stdout.write(
    `activation, median of ${times.length} windows: ${cpuMs.toFixed(1)} ms processor time (limit ${LIMIT_MS}), ` +
      `${wallMs.toFixed(1)} ms wall time\n`,
  );
  return cpuMs < LIMIT_MS ? 0 : 1;
}
