import { constants } from 'node:fs';
import { access, mkdir, statfs } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { toUserError } from '../contracts/userError';
import type { Embedder, Tester } from '../engine/ports';
import { probeNativePart } from '../providers/inProcess/probe';
import type { DoctorLine } from './evenkeel';
import { listModels, type ModelSources } from './listModels';

/** Free space under which fetching a model is likely to fail. */
const ROOM_BYTES = 2_000_000_000;

/** Tries each part for real, and says from where it was tried: the extension may run on another machine than the screen. */
export async function diagnose(
  deps: ModelSources & { version: string; embedder: Embedder; tester: Tester },
  signal: AbortSignal,
): Promise<DoctorLine[]> {
  const lines: DoctorLine[] = [
    {
      name: 'evenkeel',
      status: 'ok',
      detail: `${deps.version} on Node ${process.versions.node}, ${process.platform}-${process.arch}, ${os.cpus().length} cores, host ${os.hostname()}`,
      hint: null,
    },
    await cacheLine(deps.paths.cacheDir),
    await tried('in-process model', () =>
      probeNativePart(path.join(deps.paths.distDir, 'inProcessChild.cjs')),
    ),
    await tried('sentence encoder', async () => {
      const { dim } = await deps.embedder.embed(['evenkeel'], { signal });
      return `${deps.embedder.id}, ${dim} numbers a text`;
    }),
    await tried('statistics', async () => {
      const result = await deps.tester.differenceTest(selfTest, { signal });
      return `worker answers; self-test p = ${result.p?.toPrecision(3)}`;
    }),
  ];
  const models = await listModels(deps, signal);
  for (const model of models.filter((entry) => entry.id.endsWith(':*'))) {
    lines.push({ name: model.id.slice(0, -2), status: 'warning', detail: model.detail, hint: null });
  }
  const ready = models.filter((entry) => entry.state === 'ready').map((entry) => entry.id);
  lines.push(
    ready.length > 0
      ? { name: 'models', status: 'ok', detail: `ready: ${ready.join(', ')}`, hint: null }
      : {
          name: 'models',
          status: 'warning',
          detail: 'none is ready',
          hint: 'The first check fetches the in-process model (491 MB), or start Ollama.',
        },
  );
  return lines;
}

/** Two clearly different arms of four: all 70 splits are enumerated, and the smallest p is 1 or 2 of 70. */
const selfTest = {
  n0: 4,
  n1: 4,
  embeddings: [
    {
      embedder: 'self-test',
      dim: 2,
      vectors: Float32Array.from([
        1, 0, 0.995, 0.0998, 0.98, 0.199, 0.995, -0.0998, 0, 1, 0.0998, 0.995, 0.199, 0.98, -0.0998, 0.995,
      ]),
    },
  ],
  permutations: 999,
  bins: 30,
  bootstrapDraws: 1_000,
  confidence: 0.95,
  seed: 1,
};

async function tried(name: string, attempt: () => Promise<string>): Promise<DoctorLine> {
  try {
    return { name, status: 'ok', detail: await attempt(), hint: null };
  } catch (error) {
    const { message, hint } = toUserError(error);
    return { name, status: 'problem', detail: message, hint };
  }
}

async function cacheLine(cacheDir: string): Promise<DoctorLine> {
  try {
    await mkdir(cacheDir, { recursive: true, mode: 0o700 });
    await access(cacheDir, constants.W_OK);
    const { bavail, bsize } = await statfs(cacheDir);
    const free = bavail * bsize;
    const detail = `${cacheDir}, ${(free / 1e9).toFixed(0)} GB free`;
    return free < ROOM_BYTES
      ? { name: 'cache', status: 'warning', detail, hint: 'Free some space before a model is fetched.' }
      : { name: 'cache', status: 'ok', detail, hint: null };
  } catch (error) {
    return {
      name: 'cache',
      status: 'problem',
      detail: `${cacheDir} cannot be written: ${(error as Error).message}`,
      hint: 'Make it writable, or set EVENKEEL_CACHE to another folder.',
    };
  }
}
