import type { CompareRecord } from '../contracts/compareRecord';
import type { Price } from '../contracts/budget';
import type { Perturbation, Plan, RunOptions, RunRecord } from '../contracts/runRecord';
import { UserError } from '../contracts/userError';
import { createBudget } from '../engine/budget';
import { completeOptions } from '../engine/checkOptions';
import { compareModels, type CompareHooks } from '../engine/compareModels';
import { planCheck, planSeconds } from '../engine/plan';
import type { Clock, Embedder, Model, RunStore, Tester } from '../engine/ports';
import { conditionsOf } from '../engine/robustness';
import { generatePerturbations } from '../perturb/generate';
import { checkPromptText } from '../prompts/readPrompt';
import { createRng } from '../stats/rng';
import type { CompareStore } from '../store/compareStore';
import { requireValues } from './requireValues';
import { runIdOf } from './runId';
import { promptHashOf, requestsOf, type SpeedBook } from './speeds';

const MOST_MODELS = 12;
const DEFAULT_LIMIT = 10;
/** A difference of movement that nobody would choose a model for. */
const DEFAULT_MARGIN = 0.05;

export interface ComparisonRequest {
  prompts: { text: string; source: RunRecord['prompt']['source']; variables: Record<string, string> }[];
  modelIds: string[];
  /** One of `modelIds`: only pairs with it are tested for how they behave. */
  reference: string | null;
  seed: number;
  /** Changes of each prompt at most. */
  limit?: number | undefined;
  margin?: number | undefined;
  options?: Partial<RunOptions>;
  /** The command that repeats the comparison with this seed. */
  reproduce: (seed: number) => string;
}

export interface PreparedComparison {
  request: ComparisonRequest;
  options: RunOptions;
  margin: number;
  perturbations: Perturbation[][];
  /** `plans[model][prompt]`. */
  plans: Plan[][];
  /** Of all models together; null where it is not known of one. */
  total: { calls: number; seconds: number | null; priceUsd: number | null };
}

export interface Comparisons {
  /** Checks the input and makes changes and plans. Asks no model. UserError on bad input. */
  prepare(request: ComparisonRequest): Promise<PreparedComparison>;
  /** See `compareModels`. The record is kept. */
  run(prepared: PreparedComparison, hooks: CompareHooks): Promise<CompareRecord>;
  read(id: string): Promise<CompareRecord>;
  /** Ended comparisons, newest first. */
  list(): Promise<{ id: string; finishedAt: string }[]>;
}

export function createComparisons(deps: {
  clock: Clock;
  versions: Record<string, string>;
  store: RunStore;
  comparisons: CompareStore;
  speeds: SpeedBook;
  embedders: () => Embedder[];
  tester: Tester;
  /** @throws UserError `unknownModel` */
  providerOf: (modelId: string) => string;
  priceOf: (modelId: string) => Price | null;
  openModel: (id: string, signal: AbortSignal) => Promise<Model>;
}): Comparisons {
  const { clock } = deps;
  return {
    async prepare(request) {
      requireModels(request);
      request.modelIds.forEach(deps.providerOf);
      const margin = request.margin ?? DEFAULT_MARGIN;
      if (!(margin > 0 && margin <= 1)) {
        throw new UserError(
          'invalidOption',
          `The margin is ${margin}.`,
          'Give an effect between 0 and 1, such as 0.05.',
        );
      }
      const perturbations = request.prompts.map((prompt, at) => {
        checkPromptText(prompt.text);
        requireValues(prompt);
        return changesOf(prompt.text, at, request);
      });
      const options = completeOptions(
        request.options ?? {},
        Math.max(...perturbations.map(({ length }) => length)),
      );
      const dearest = dearestOf(request.modelIds.map(deps.priceOf));
      createBudget(options.budget ?? {}, dearest, () => clock.nowMs());
      const plans = await Promise.all(
        request.modelIds.map(async (id) => {
          const speeds = await deps.speeds.runsOf(id);
          return request.prompts.map((prompt, at) => {
            const rendered = conditionsOf(prompt, perturbations[at]!, options).map((one) => one.rendered);
            const time = planSeconds(speeds, {
              promptHash: promptHashOf(prompt.text),
              requests: requestsOf(deps.providerOf(id), rendered.length, options.samples),
              answers: rendered.length * options.samples,
              answerTokens: options.answerTokens,
            });
            return planCheck(rendered, options, time, deps.priceOf(id));
          });
        }),
      );
      const all = plans.flat();
      return {
        request,
        options,
        margin,
        perturbations,
        plans,
        total: {
          calls: all.reduce((sum, { calls }) => sum + calls, 0),
          seconds: sumOrNull(all.map(({ seconds }) => seconds)),
          priceUsd: sumOrNull(all.map(({ priceUsd }) => priceUsd)),
        },
      };
    },
    async run({ request, options, margin, perturbations, plans }, hooks) {
      const record = await compareModels(
        {
          openModel: deps.openModel,
          embedders: deps.embedders(),
          tester: deps.tester,
          store: deps.store,
          clock,
        },
        {
          id: runIdOf(clock.nowMs()),
          modelIds: request.modelIds,
          reference: request.reference === null ? null : request.modelIds.indexOf(request.reference),
          prompts: request.prompts.map((prompt, at) => ({ prompt, perturbations: perturbations[at]! })),
          plans,
          options,
          margin,
          seed: request.seed,
          versions: deps.versions,
          reproduce: request.reproduce(request.seed),
          budget: createBudget(options.budget ?? {}, dearestOf(request.modelIds.map(deps.priceOf)), () =>
            clock.nowMs(),
          ),
        },
        hooks,
      );
      await deps.comparisons.keep(record);
      return record;
    },
    read: (id) => deps.comparisons.read(id),
    list: () => deps.comparisons.list(),
  };
}

function requireModels({ modelIds, reference }: ComparisonRequest): void {
  const twice = modelIds.find((id, i) => modelIds.indexOf(id) !== i);
  const say = (message: string, hint: string) => new UserError('usage', message, hint);
  if (twice !== undefined) throw say(`${twice} is named twice.`, 'Name each model once.');
  if (modelIds.length < 2) {
    throw say(
      'One model cannot be compared.',
      'Name two or more: --models a,b. `evenkeel models` lists them.',
    );
  }
  if (modelIds.length > MOST_MODELS) {
    throw say(`${modelIds.length} models were named.`, `Compare at most ${MOST_MODELS} at once.`);
  }
  if (reference !== null && !modelIds.includes(reference)) {
    throw say(`The reference ${reference} is not among the models.`, `Name one of: ${modelIds.join(', ')}.`);
  }
}

function changesOf(
  text: string,
  at: number,
  { seed, limit = DEFAULT_LIMIT }: ComparisonRequest,
): Perturbation[] {
  const { perturbations } = generatePerturbations(text, { rng: createRng(seed, 'perturbations'), limit });
  if (perturbations.length > 0) return perturbations;
  throw new UserError(
    'promptTooShort',
    `No harmless change of prompt ${at + 1} can be made: all of it is code, variables or addresses.`,
    'Select some prose as well.',
  );
}

/** What caps on money are held to: no model costs more. Null where the price of one is not known. */
function dearestOf(prices: (Price | null)[]): Price | null {
  if (prices.some((price) => price === null)) return null;
  const known = prices as Price[];
  return {
    inPerMillion: Math.max(...known.map((price) => price.inPerMillion)),
    outPerMillion: Math.max(...known.map((price) => price.outPerMillion)),
    asOf: null,
    source: 'the dearest of the models',
  };
}

const sumOrNull = (values: (number | null)[]): number | null =>
  values.some((value) => value === null)
    ? null
    : values.reduce<number>((sum, value) => sum + (value ?? 0), 0);
