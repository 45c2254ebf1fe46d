import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { Price } from '../../src/contracts/budget';
import type { RunRecord } from '../../src/contracts/runRecord';
import { completeOptions } from '../../src/engine/checkOptions';
import type { RunHooks } from '../../src/engine/events';
import { planCheck } from '../../src/engine/plan';
import type { Clock, Embedder, Model, RunStore, Tester } from '../../src/engine/ports';
import { conditionsOf, runRobustness } from '../../src/engine/robustness';
import { generatePerturbations } from '../../src/perturb/generate';
import { createRng } from '../../src/stats/rng';
import { createRunStore } from '../../src/store/runStore';
import { createEmbedder } from '../../src/workers/embedder';
import { createTester } from '../../src/workers/tester';

const root = path.resolve(import.meta.dirname, '..', '..');
const dist = path.join(root, 'dist');

export interface Bench {
  embedder: Embedder;
  tester: Tester;
  cacheDir: string;
  store: RunStore;
  close(): Promise<void>;
}

/** The real encoder, statistics worker and store, on a cache folder of its own. */
export async function openBench(): Promise<Bench> {
  const cacheDir = await mkdtemp(path.join(os.tmpdir(), 'evenkeel-engine-'));
  const embedder = createEmbedder({
    workerPath: path.join(dist, 'embedWorker.cjs'),
    modelDir: path.join(root, 'media', 'models'),
    ortDir: path.join(dist, 'ort'),
  });
  const tester = createTester({ workerPath: path.join(dist, 'statsWorker.cjs') });
  return {
    embedder,
    tester,
    cacheDir,
    store: createRunStore({ cacheDir }),
    close: async () => {
      await Promise.all([embedder.close(), tester.close()]);
      await rm(cacheDir, { recursive: true, force: true });
    },
  };
}

let runs = 0;

export function checkRun(
  bench: Bench,
  model: Model,
  given: {
    text: string;
    variables?: Record<string, string>;
    options?: Partial<RunRecord['options']>;
    limit?: number;
    seed?: number;
    signal?: AbortSignal;
    onEvent?: RunHooks['onEvent'];
    store?: RunStore;
    clock?: Clock;
    price?: Price;
    kept?: RunRecord['samples'];
  },
): Promise<RunRecord> {
  const seed = given.seed ?? 7;
  const { perturbations } = generatePerturbations(given.text, {
    rng: createRng(seed, 'perturbations'),
    limit: given.limit ?? 3,
  });
  const prompt = { source: null, text: given.text, variables: given.variables ?? {} };
  const options = completeOptions({ permutations: 999, ...given.options }, perturbations.length);
  const prompts = conditionsOf(prompt, perturbations, options).map((condition) => condition.rendered);
  return runRobustness(
    {
      model,
      embedders: [bench.embedder],
      tester: bench.tester,
      store: given.store ?? bench.store,
      clock: given.clock ?? { nowMs: () => Date.now() },
    },
    {
      runId: `test-${(runs += 1)}`,
      prompt,
      perturbations,
      options,
      plan: planCheck(prompts, options, { seconds: null, secondsAre: 'unknown' }, given.price ?? null),
      seed,
      versions: {},
      reproduce: 'evenkeel robustness',
      ...(given.kept === undefined ? {} : { kept: given.kept }),
    },
    { signal: given.signal ?? new AbortController().signal, onEvent: given.onEvent },
  );
}
