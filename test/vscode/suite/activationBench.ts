/** Entry for bench/editor.bench.ts: one activation in a settled extension host, to RESULT_FILE. */
import { writeFileSync } from 'node:fs';
import * as vscode from 'vscode';
import { EXTENSION_ID } from '../../../src/extension/manifest';

export interface ActivationTime {
  wallMs: number;
  /** Processor time of the extension host meanwhile: other processes on the machine do not count. */
  cpuMs: number;
}

const SETTLE_MS = 4_000;

export async function run(): Promise<void> {
  const extension = vscode.extensions.getExtension(EXTENSION_ID);
  if (extension === undefined || extension.isActive)
    throw new Error('the extension must be there and not active');
  // The editor's own extensions are activated at start; they share this process.
  await new Promise((resolve) => setTimeout(resolve, SETTLE_MS));
  const cpu = process.cpuUsage();
  const startedMs = performance.now();
  await extension.activate();
  const wallMs = performance.now() - startedMs;
  const { user, system } = process.cpuUsage(cpu);
  const time: ActivationTime = { wallMs, cpuMs: (user + system) / 1000 };
  writeFileSync(process.env['RESULT_FILE'] ?? '', JSON.stringify(time));
}
