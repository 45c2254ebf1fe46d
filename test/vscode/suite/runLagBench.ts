/** Entry for bench/editor.bench.ts: how long a run blocks the extension host, and what a keystroke costs with findings open. */
import { writeFileSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import * as vscode from 'vscode';
import { COMMANDS } from '../../../src/extension/manifest';
import { edit, findingsOf, openFile } from './editing';
import { keepRun } from './keptRun';

export interface RunLag {
  idle: LagMs;
  run: LagMs;
  /** Processor time of the extension host per keystroke, VS Code’s own part of it included. */
  keystrokeMs: number;
}
interface LagMs {
  p50: number;
  p99: number;
  max: number;
}

const RESOLUTION_MS = 1;
const IDLE_MS = 5_000;
const KEYSTROKES = 200;
const LINES = 10_000;

async function lagDuring(work: () => PromiseLike<unknown>): Promise<LagMs> {
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  delay.enable();
  await work();
  delay.disable();
  // The histogram counts the time between two ticks, so an idle loop shows the resolution.
  const ms = (nanoseconds: number) => Math.max(0, nanoseconds / 1e6 - RESOLUTION_MS);
  return { p50: ms(delay.percentile(50)), p99: ms(delay.percentile(99)), max: ms(delay.max) };
}

export async function run(): Promise<void> {
  const configuration = vscode.workspace.getConfiguration('evenkeel');
  const target = vscode.ConfigurationTarget.Workspace;
  await configuration.update('samples', 20, target);
  await configuration.update('perturbations', 5, target);
  await configuration.update('answerTokens', 8, target);
  await configuration.update('useCache', false, target);
  await openFile(
    'lag.prompt.md',
    'You are a clerk. Please say whether the caller is calm or angry.\n\nNow!\n',
  );
  const check = (seed: number) =>
    configuration
      .update('seed', seed, target)
      .then(() =>
        vscode.commands.executeCommand(COMMANDS.checkRobustness.id, { modelId: 'local:smollm2-135m' }),
      );
  // Once before: loading the bundle is no part of a run.
  await check(1);
  const idle = await lagDuring(() => new Promise((resolve) => setTimeout(resolve, IDLE_MS)));
  const lag = await lagDuring(() => check(2));

  const text = 'Say positive or negative.\n'.repeat(LINES);
  const document = await openFile('long.prompt.md', text);
  const change = { id: 'a', replacement: 'x', verdict: 'changed' as const };
  const runId = await keepRun(
    document,
    [...Array(20).keys()].map((i) => ({
      ...change,
      id: `c${i}`,
      span: { start: i * 26 + 4, end: i * 26 + 24 },
    })),
  );
  await vscode.commands.executeCommand(COMMANDS.openLastReport.id, { runId });
  if (findingsOf(document).length === 0) throw new Error('no findings to update');
  const before = process.cpuUsage();
  for (let i = 0; i < KEYSTROKES; i++) await edit(document, 0, 0, 'x');
  const { user, system } = process.cpuUsage(before);
  const result: RunLag = { idle, run: lag, keystrokeMs: (user + system) / 1000 / KEYSTROKES };
  writeFileSync(process.env['RESULT_FILE'] ?? '', JSON.stringify(result));
}
