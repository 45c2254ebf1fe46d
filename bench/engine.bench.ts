/**
 * What the engine itself costs, and what kept answers save. `npm run bench -- engine [--samples 10000]`
 *
 * overhead: 10,000 answers of a model that answers at once, every one on disk before it counts: time per answer.
 * replay: the same again from kept answers, as they come from disk.
 * again: a whole check on the real in-process model with the defaults, then the same check a second time.
 * Exit code 1 where a limit is missed. The wall time against a server's own limit is measured by `concurrency`.
 */
import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readFile, rm, symlink } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { createEvenkeel } from '../src/compose/createEvenkeel';
import { cacheDirOf } from '../src/compose/paths';
import type { Condition } from '../src/contracts/runRecord';
import { cachedModel } from '../src/engine/cachedModel';
import { collectSamples } from '../src/engine/collect';
import { DEFAULT_OPTIONS } from '../src/engine/defaults';
import type { Model } from '../src/engine/ports';
import { scheduleJobs } from '../src/engine/schedule';
import { promptFromFile } from '../src/prompts/promptFile';
import { createRunStore } from '../src/store/runStore';
import { createSampleCache } from '../src/store/sampleCache';
import { fakeModel } from '../test/engine/fakeModel';

const MOST_OVERHEAD_MS = 1;
const MOST_REPLAY_SECONDS = 2;
const LEAST_GAIN = 50;
const CONCURRENCY = 16;
const root = path.resolve(import.meta.dirname, '..');

export async function run(args: string[]): Promise<number> {
  const { values } = parseArgs({ args, options: { samples: { type: 'string', default: '10000' } } });
  const samples = Number(values.samples);
  const cacheDir = await mkdtemp(path.join(os.tmpdir(), 'evenkeel-bench-'));
  try {
    const bare = await collected(cacheDir, samples, instant());
    const overheadMs = bare / samples;
    console.log(`overhead: ${samples} answers kept on disk, ${overheadMs.toFixed(3)} ms each`);

    const filled = await collected(cacheDir, samples, withCache(cacheDir));
    const replaySeconds = (await collected(cacheDir, samples, withCache(cacheDir))) / 1000;
    console.log(
      `replay: ${samples} kept answers in ${replaySeconds.toFixed(2)} s (keeping them took ${(filled / 1000).toFixed(2)} s)`,
    );

    const gain = await again(cacheDir);
    const met = overheadMs <= MOST_OVERHEAD_MS && replaySeconds <= MOST_REPLAY_SECONDS && gain >= LEAST_GAIN;
    return met ? 0 : 1;
  } finally {
    await rm(cacheDir, { recursive: true, force: true });
  }
}

const instant = (): Model => fakeModel((_prompt, seed) => `answer ${seed % 7}`, { concurrency: CONCURRENCY });

const withCache = (cacheDir: string): Model =>
  cachedModel(instant(), {
    cache: createSampleCache({ cacheDir }),
    hash: (text) => createHash('sha256').update(text).digest('hex'),
    version: 'bench',
    nowMs: () => 0,
  });

let runs = 0;

/** Wall time in ms of `samples` answers to 10 prompts, from schedule to disk. */
async function collected(cacheDir: string, samples: number, model: Model): Promise<number> {
  const conditions = Array.from({ length: 10 }, (_, i): Condition => ({
    id: `c${i}`,
    role: i === 0 ? 'baseline' : 'perturbation',
    perturbationId: i === 0 ? null : `c${i}`,
    rendered: `Prompt number ${i}: what is the capital of France?`,
  }));
  const store = createRunStore({ cacheDir });
  const id = `bench-${(runs += 1)}`;
  await store.begin(id);
  await model.open(new AbortController().signal);
  const fromMs = performance.now();
  const jobs = scheduleJobs(conditions, samples / conditions.length, model.batch, 1);
  const { stopped, samples: got } = await collectSamples(
    { model, store, clock: { nowMs: () => Date.now() } },
    { id, jobs, options: DEFAULT_OPTIONS, firstTokenTop: 0 },
    { signal: new AbortController().signal },
  );
  const tookMs = performance.now() - fromMs;
  await store.close(id);
  if (stopped !== null || got.length !== samples) throw new Error('not all answers came');
  return tookMs;
}

async function again(cacheDir: string): Promise<number> {
  await mkdir(cacheDir, { recursive: true });
  await symlink(path.join(cacheDirOf(process.env), 'models'), path.join(cacheDir, 'models'));
  const file = path.join(root, 'examples', 'review.prompt');
  const { text, variables } = promptFromFile(await readFile(file, 'utf8'), file);
  const seconds: number[] = [];
  for (let i = 0; i < 2; i++) {
    // A new one each time: nothing is left in memory.
    const evenkeel = createEvenkeel({
      paths: { distDir: path.join(root, 'dist'), mediaDir: path.join(root, 'media'), cacheDir },
      endpoints: () => [],
      servers: () => ({}),
      modelMirror: () => null,
      ollamaUrl: () => 'http://127.0.0.1:9',
      version: 'bench',
      useCache: () => true,
      clock: { nowMs: () => Date.now() },
    });
    const fromMs = performance.now();
    const prepared = await evenkeel.prepare({
      text,
      source: null,
      variables,
      modelId: 'local:qwen2.5-coder-0.5b',
      seed: 1,
      reproduce: () => '',
    });
    const record = await evenkeel.run(prepared, { signal: new AbortController().signal });
    seconds.push((performance.now() - fromMs) / 1000);
    const { phases, cached } = record.actual;
    const parts = Object.entries(phases).map(([name, value]) => `${name} ${value.toFixed(2)}`);
    console.log(
      `${i === 0 ? 'first' : 'second'} check: ${seconds[i]!.toFixed(2)} s (${parts.join(', ')}), ${cached} of ${record.actual.calls} kept`,
    );
    await evenkeel.close();
  }
  const gain = seconds[0]! / seconds[1]!;
  console.log(`again: ${gain.toFixed(0)} times faster`);
  return gain;
}
