import { COMPARE_RECORD_VERSION, type ComparePlan, type CompareRecord } from '../contracts/compareRecord';
import type { Perturbation, RunOptions, RunRecord } from '../contracts/runRecord';
import { UserError } from '../contracts/userError';
import { compareModels, type CompareHooks } from '../engine/compareModels';
import type { Clock, Embedder, Model, RunStore, Tester } from '../engine/ports';
import { parsePerturbationSet } from '../perturb/perturbationSetFile';
import { perturbationOfSet } from '../perturb/ratedPerturbation';
import { createCompareStore } from '../store/compareStore';
import type { CheckRequest, ModelListing, PreparedCheck } from './evenkeel';
import { runIdOf } from './runId';

/** A difference of mean shifts surely below this is a tie, where nobody says otherwise. */
export const DEFAULT_TIE_MARGIN = 0.1;

export interface CompareRequest {
  prompts: Pick<CheckRequest, 'text' | 'source' | 'variables'>[];
  /** Two or more; each is loaded once, in this order. */
  modelIds: string[];
  /** One of the models: only pairs with it are tested for their behaviour. All pairs otherwise. */
  reference?: string | undefined;
  seed: number;
  options?: Partial<RunOptions>;
  /** YAML of a perturbation set, for one prompt; rules make the perturbations otherwise. */
  set?: string | null;
  limit?: number | undefined;
  price?: CheckRequest['price'];
  tieMargin?: number | undefined;
  /** The command that repeats the comparison. */
  reproduce: string;
  /** The command that repeats the check of one prompt with one model. */
  reproduceRun: (modelId: string, prompt: number) => string;
}

export interface Comparisons {
  /** Checks the input, makes the perturbations and the plans. Calls no model. UserError on bad input. */
  prepare(request: CompareRequest, signal: AbortSignal): Promise<ComparePlan>;
  /** Begins a comparison, or goes on with it. See `compareModels`. */
  run(plan: ComparePlan, hooks: CompareHooks): Promise<CompareRecord>;
  /** The plan of one that was begun, to go on with it. */
  planOf(id: string): Promise<ComparePlan>;
  read(id: string): Promise<CompareRecord>;
  /** Ended comparisons, newest first. */
  list(): Promise<{ id: string; finishedAt: string }[]>;
}

export function createComparisons(deps: {
  cacheDir: string;
  clock: Clock;
  versions: Record<string, string>;
  runs: RunStore;
  embedders: () => Embedder[];
  tester: Tester;
  openModel: (id: string, signal: AbortSignal) => Promise<Model>;
  prepare: (request: CheckRequest) => Promise<PreparedCheck>;
  listModels: (signal: AbortSignal) => Promise<ModelListing[]>;
  learn: (record: RunRecord) => Promise<void>;
}): Comparisons {
  const store = createCompareStore({ cacheDir: deps.cacheDir });
  return {
    async prepare(request, signal) {
      const reference = checkModels(request);
      const tieMargin = request.tieMargin ?? DEFAULT_TIE_MARGIN;
      if (!(tieMargin > 0 && tieMargin <= 1)) {
        throw new UserError(
          'invalidOption',
          `The margin of a tie is ${tieMargin}.`,
          'Give a shift between 0 and 1, such as 0.1.',
        );
      }
      const perturbations = perturbationsOf(request);
      const prepared = await Promise.all(
        request.modelIds.map((modelId) =>
          Promise.all(
            request.prompts.map((prompt, p) =>
              deps.prepare({
                ...prompt,
                modelId,
                seed: request.seed,
                ...(request.options === undefined ? {} : { options: request.options }),
                ...(request.limit === undefined ? {} : { limit: request.limit }),
                ...(perturbations === null ? {} : { perturbations }),
                price: request.price,
                reproduce: () => request.reproduceRun(modelId, p),
              }),
            ),
          ),
        ),
      );
      const startedMs = deps.clock.nowMs();
      const id = runIdOf(startedMs);
      const listed = await deps.listModels(signal);
      const checks = prepared[0]!;
      return {
        version: COMPARE_RECORD_VERSION,
        id,
        kind: 'compare',
        startedAt: new Date(startedMs).toISOString(),
        reproduce: request.reproduce,
        seed: request.seed,
        // The same for all: raised to what the prompt with the most changes needs.
        options: {
          ...checks[0]!.options,
          permutations: Math.max(...checks.map(({ options }) => options.permutations)),
        },
        tieMargin,
        reference,
        prompts: checks.map((check) => ({
          source: check.request.source,
          text: check.request.text,
          variables: check.request.variables,
          perturbations: check.perturbations,
        })),
        models: request.modelIds.map((modelId, m) => ({
          modelId,
          sizeBytes: sizeOf(listed, modelId),
          runs: prepared[m]!.map(({ plan }, p) => ({
            id: `${id}.${m + 1}.${p + 1}`,
            plan,
            reproduce: request.reproduceRun(modelId, p),
          })),
        })),
      };
    },
    async run(plan, hooks) {
      const { openModel, tester, runs, clock } = deps;
      const embedders = deps.embedders();
      const record = await compareModels(
        { openModel, tester, runs, clock, embedders, store },
        plan,
        deps.versions,
        hooks,
      );
      for (const runId of record.models.flatMap(({ runIds }) => runIds)) {
        const run = await runs.read(runId).catch(() => null);
        if (run !== null) await deps.learn(run);
      }
      return record;
    },
    planOf: (id) => store.readPlan(id),
    read: (id) => store.read(id),
    list: () => store.list(),
  };
}

/** @returns the index of the reference, or null without one */
function checkModels({ modelIds, reference, prompts }: CompareRequest): number | null {
  if (prompts.length === 0) throw new UserError('usage', 'No prompt is named.', 'Name a prompt file.');
  if (modelIds.length < 2) {
    throw new UserError(
      'usage',
      `A comparison needs two models or more, and ${modelIds.length === 1 ? 'one is' : 'none is'} named.`,
      'Write --models a,b; `evenkeel models` lists what can be asked.',
    );
  }
  const twice = modelIds.find((id, i) => modelIds.indexOf(id) !== i);
  if (twice !== undefined) {
    throw new UserError(
      'usage',
      `${twice} is named twice.`,
      'Name every model once. To see what chance alone does: evenkeel robustness FILE --repeat-arm.',
    );
  }
  if (reference === undefined) return null;
  const index = modelIds.indexOf(reference);
  if (index >= 0) return index;
  throw new UserError(
    'usage',
    `The reference ${reference} is not among the models.`,
    `Name one of them: ${modelIds.join(', ')}.`,
  );
}

function perturbationsOf({ set, prompts }: CompareRequest): Perturbation[] | null {
  if (set === undefined || set === null) return null;
  const parsed = parsePerturbationSet(set);
  if (prompts.length > 1 || parsed.prompt.trim() !== prompts[0]!.text.trim()) {
    throw new UserError(
      'usage',
      'The set was made for another prompt than this one, so its perturbations would not compare with it.',
      'Name only the prompt that it was made for, or make a set for this one: `evenkeel perturb FILE > set.yaml`.',
    );
  }
  // A step of reasoning is no text that a model could be asked.
  return parsed.perturbations
    .filter(({ use, kind }) => use && kind !== 'cot')
    .map((one) => perturbationOfSet(prompts[0]!.text, one));
}

function sizeOf(listed: ModelListing[], modelId: string): number | null {
  const found = listed.find(({ id }) => id === modelId || id === `${modelId}:latest`);
  return found?.sizeBytes ?? null;
}
