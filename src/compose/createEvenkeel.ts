import { createHash } from 'node:crypto';
import path from 'node:path';
import type { Condition, RunOptions, RunRecord } from '../contracts/runRecord';
import { UserError } from '../contracts/userError';
import { createBudget } from '../engine/budget';
import { cachedEmbedder } from '../engine/cachedEmbedder';
import { cachedModel, countKept, identityKey } from '../engine/cachedModel';
import { completeOptions } from '../engine/checkOptions';
import { requestOf } from '../engine/collect';
import { planLooks } from '../engine/looks';
import { planCheck, planSeconds } from '../engine/plan';
import type { Clock, Embedder } from '../engine/ports';
import { conditionsOf, runRobustness } from '../engine/robustness';
import { scheduleJobs } from '../engine/schedule';
import { generatePerturbations } from '../perturb/generate';
import { checkPromptText } from '../prompts/readPrompt';
import { findVariables } from '../prompts/variables';
import { fetchWeights } from '../providers/weights/fetchWeights';
import { mirrorSource } from '../providers/weights/mirror';
import { catalogueEntryOf } from '../providers/weights/inProcessModels';
import { createRng } from '../stats/rng';
import { SIDE_BY_SIDE } from '../providers/inProcess/model';
import { createCompareStore } from '../store/compareStore';
import { createRunStore } from '../store/runStore';
import { createSampleCache } from '../store/sampleCache';
import { createVectorCache } from '../store/vectorCache';
import { createEmbedder } from '../workers/embedder';
import { createTester } from '../workers/tester';
import { commitOf } from './commitOf';
import { diagnose } from './doctor';
import type {
  CheckRequest,
  Endpoint,
  Evenkeel,
  EvenkeelPaths,
  PreparedCheck,
  ServerOptions,
} from './evenkeel';
import { createComparisons } from './comparisons';
import { createEdits } from './edits';
import { createFlips } from './flips';
import { listModels } from './listModels';
import { parseModelId } from './modelId';
import { openModel } from './openModel';
import { makePerturbationSet } from './perturbationSet';
import { priceOf } from './prices';
import { requireValues } from './requireValues';
import { resumeRun } from './resume';
import { runIdOf } from './runId';
import { createSpeedBook, promptHashOf, requestsOf } from './speeds';

/** Perturbations of a check where the caller names no limit. */
const DEFAULT_LIMIT = 10;

export interface EvenkeelDeps {
  paths: EvenkeelPaths;
  /** Asked anew for every use, so that a changed setting or key counts at once. */
  endpoints: () => Endpoint[];
  ollamaUrl: () => string;
  servers: () => ServerOptions;
  /** The person's own place for weights (EVENKEEL_MODEL_MIRROR); null without one. */
  modelMirror: () => string | null;
  version: string;
  /** Whether answers of earlier runs may be used, and new ones kept for later ones. Asked anew for every run. */
  useCache: () => boolean;
  clock: Clock;
}

/** Puts the parts together. Nothing heavy starts before it is used. */
export function createEvenkeel(deps: EvenkeelDeps): Evenkeel {
  const { paths, clock } = deps;
  const speeds = createSpeedBook(paths.cacheDir);
  const runs = createRunStore({ cacheDir: paths.cacheDir });
  const embedder = createEmbedder({
    workerPath: path.join(paths.distDir, 'embedWorker.cjs'),
    modelDir: path.join(paths.mediaDir, 'models'),
    ortDir: path.join(paths.distDir, 'ort'),
  });
  const tester = createTester({ workerPath: path.join(paths.distDir, 'statsWorker.cjs') });
  const targetOf = (id: string) => parseModelId(id, deps.endpoints());
  const versions = { evenkeel: deps.version, node: process.versions.node };
  const answers = createSampleCache({ cacheDir: paths.cacheDir });
  const vectors = createVectorCache({ cacheDir: paths.cacheDir });
  const cacheDeps = {
    cache: answers,
    hash: (text: string) => createHash('sha256').update(text).digest('hex'),
    version: deps.version,
    nowMs: () => clock.nowMs(),
  };
  const modelOf = async (id: string, signal: AbortSignal) => {
    const model = await openModel(id, targetOf(id), {
      paths,
      clock,
      ollamaUrl: deps.ollamaUrl(),
      servers: deps.servers(),
      signal,
    });
    return deps.useCache() ? cachedModel(model, cacheDeps) : model;
  };
  // Asked anew for every run, as for answers.
  const embedders = (): Embedder[] => [
    deps.useCache() ? cachedEmbedder(embedder, { cache: vectors, hash: cacheDeps.hash }) : embedder,
  ];
  const keptOf = async (modelId: string, conditions: Condition[], options: RunOptions, seed: number) => {
    const who = deps.useCache() ? await answers.getIdentity(identityKey(modelId, cacheDeps)) : null;
    if (who === null) return 0;
    const batch = who.provider === 'local' ? SIDE_BY_SIDE : 1;
    const { looks } = options;
    const sizes =
      looks === undefined ? [options.samples] : planLooks({ ...options, looks }, conditions.length - 1).sizes;
    const jobs = sizes.flatMap((size, i) => scheduleJobs(conditions, size, batch, seed, sizes[i - 1]));
    return countKept(
      who,
      jobs.map((job) => requestOf(job, options, 0)),
      cacheDeps,
    );
  };

  const checkDeps = {
    clock,
    versions,
    store: runs,
    speeds,
    embedders,
    tester,
    providerOf: (id: string) => targetOf(id).provider,
    priceOf: (id: string) => priceOf(targetOf(id)),
    openModel: modelOf,
  };

  async function prepare(request: CheckRequest): Promise<PreparedCheck> {
    checkPromptText(request.text);
    requireValues(request);
    const target = targetOf(request.modelId);
    const { perturbations } = generatePerturbations(request.text, {
      rng: createRng(request.seed, 'perturbations'),
      limit: request.limit ?? DEFAULT_LIMIT,
    });
    if (perturbations.length === 0) {
      throw new UserError(
        'promptTooShort',
        'No harmless change of this prompt can be made: all of it is code, variables or addresses.',
        'Select some prose as well.',
      );
    }
    const options = completeOptions(request.options ?? {}, perturbations.length);
    const conditions = conditionsOf(promptOf(request), perturbations, options);
    const prompts = conditions.map((condition) => condition.rendered);
    const price = request.price ?? priceOf(target);
    // Refuses a cap on money that could not be kept.
    createBudget(options.budget ?? {}, price, () => clock.nowMs());
    const time = planSeconds(await speeds.runsOf(request.modelId), {
      promptHash: promptHashOf(request.text),
      requests: requestsOf(target.provider, prompts.length, options.samples),
      answers: prompts.length * options.samples,
      answerTokens: options.answerTokens,
    });
    const full = planCheck(prompts, options, time, price);
    const cachedCalls = await keptOf(request.modelId, conditions, options, request.seed);
    // What is kept takes no time and costs nothing.
    const share = 1 - cachedCalls / full.calls;
    const plan = {
      ...full,
      cachedCalls,
      seconds: full.seconds === null ? null : full.seconds * share,
      priceUsd: full.priceUsd === null ? null : full.priceUsd * share,
    };
    return { request, options, perturbations, plan };
  }

  return {
    runs,
    answers,
    edits: createEdits(checkDeps),
    comparisons: createComparisons({
      ...checkDeps,
      comparisons: createCompareStore({ cacheDir: paths.cacheDir }),
    }),
    flips: createFlips({ cacheDir: paths.cacheDir, clock, versions, openModel: modelOf }),
    prepare,
    models: (signal) => listModels({ ...deps, ollamaUrl: deps.ollamaUrl(), servers: deps.servers() }, signal),
    variablesOf: (text) => findVariables(text).map(({ name, spans }) => ({ name, spans })),
    async fetchWeights(modelId, hooks) {
      if (targetOf(modelId).provider !== 'local') return;
      // No entry: a file of the person's own.
      const entry = catalogueEntryOf(modelId);
      if (entry === null) return;
      const mirror = deps.modelMirror();
      const sources =
        mirror === null ? entry.sources : [mirrorSource(mirror, entry.fileName), ...entry.sources];
      await fetchWeights({ entry: { ...entry, sources }, cacheDir: paths.cacheDir, ...hooks });
    },
    async run(prepared, hooks) {
      const { request } = prepared;
      const startedMs = clock.nowMs();
      const model = await modelOf(request.modelId, hooks.signal);
      try {
        const record = await runRobustness(
          { model, embedders: embedders(), tester, store: runs, clock },
          {
            runId: runIdOf(startedMs),
            prompt: promptOf(request),
            commit: await commitOf(promptOf(request)),
            perturbations: prepared.perturbations,
            options: prepared.options,
            plan: prepared.plan,
            seed: request.seed,
            versions,
            reproduce: request.reproduce(request.seed),
          },
          hooks,
        );
        await speeds.learn(record);
        return record;
      } finally {
        await model.close();
      }
    },
    async resume(runId, hooks) {
      const resumable = { clock, store: runs, embedders: embedders(), tester, openModel: modelOf };
      return resumeRun(resumable, runId, hooks);
    },
    perturbationSet: (request, hooks) => makePerturbationSet(modelOf, request, hooks),
    doctor: (signal) =>
      diagnose({ ...deps, ollamaUrl: deps.ollamaUrl(), servers: deps.servers(), embedder, tester }, signal),
    async close() {
      await Promise.all([embedder.close(), tester.close()]);
    },
  };
}

const promptOf = (request: CheckRequest): RunRecord['prompt'] => ({
  source: request.source,
  text: request.text,
  variables: request.variables,
});
