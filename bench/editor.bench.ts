/**
 * Activation of the packaged extension in a real VS Code, over several windows, in a settled extension host: at start
 * VS Code activates its own extensions side by side in the same process, and the times it shows count them all.
 * Then, in one window: how long a run blocks the host's event loop, and what a keystroke costs where findings are shown.
 * `npm run bench -- editor [WINDOWS]`; needs a VSIX.
 */
import { statSync } from 'node:fs';
import path from 'node:path';
import { startHost } from '../test/vscode/host';
import { prepareHost } from '../test/vscode/prepareHost';
import { ARTEFACTS, runInHost } from '../test/vscode/runInHost';
import type { ActivationTime } from '../test/vscode/suite/activationBench';
import type { RunLag } from '../test/vscode/suite/runLagBench';

const LIMIT_MS = 50;
const LAG_LIMIT_MS = 30;
const KEYSTROKE_LIMIT_MS = 10;

/** @returns exit code 0 when every limit is kept */
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
  let lag: RunLag;
  try {
    for (let i = 0; i < Number(windows); i++) {
      const options = { folder, resultFile, timeoutMs: 120_000, entry: 'activationBench' };
      times.push((await runInHost<ActivationTime>(host, server, options)).results);
    }
    const options = { folder, resultFile, timeoutMs: 300_000, entry: 'runLagBench' };
    lag = (await runInHost<RunLag>(host, server, options)).results;
  } finally {
    await server.stop();
  }
  const median = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? NaN;
  const cpuMs = median(times.map((time) => time.cpuMs));
  const wallMs = median(times.map((time) => time.wallMs));
  const dist = path.resolve(import.meta.dirname, '../dist');
  const [atStart, behind] = ['extension.cjs', 'editor.cjs'].map(
    (file) => statSync(path.join(dist, file)).size / 1e3,
  );
  const lagText = ({ p50, p99, max }: RunLag['run']) =>
    `median ${p50.toFixed(1)}, 99th percentile ${p99.toFixed(1)}, longest ${max.toFixed(1)} ms`;
  process.stdout.write(
    [
      `activation, median of ${times.length} windows: ${cpuMs.toFixed(1)} ms processor time (limit ${LIMIT_MS}), ${wallMs.toFixed(1)} ms wall time`,
      `bundle: ${atStart?.toFixed(0)} kB at activation, ${behind?.toFixed(0)} kB more with the first command`,
      `event loop idle: ${lagText(lag.idle)}`,
      `event loop during a run: ${lagText(lag.run)} (limit ${LAG_LIMIT_MS})`,
      `keystroke in 10,000 lines with 20 findings: ${lag.keystrokeMs.toFixed(1)} ms processor time (limit ${KEYSTROKE_LIMIT_MS})`,
      '',
    ].join('\n'),
  );
  // What the host does by itself, or the machine to it, is no fault of a run.
  const blocked = lag.run.max > Math.max(LAG_LIMIT_MS, 2 * lag.idle.max);
  return cpuMs < LIMIT_MS && !blocked && lag.keystrokeMs < KEYSTROKE_LIMIT_MS ? 0 : 1;
}
