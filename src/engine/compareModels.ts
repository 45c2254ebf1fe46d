import { inferAnswerFormat } from '../answers/labels';
import type { ComparedModel, ComparedPair, CompareRecord, Relation } from '../contracts/compareRecord';
import type {
  ModelIdentity,
  Perturbation,
  Plan,
  RunOptions,
  RunRecord,
  Sample,
} from '../contracts/runRecord';
import { toUserError } from '../contracts/userError';
import { mcnemar } from '../stats/mcnemar';
import { compareMovement, movementOf, type Movement } from '../stats/movement';
import { adjustPValues } from '../stats/multiplicity';
import { wilson } from '../stats/proportions';
import { mixSeed } from '../stats/rng';
import type { Budget } from './budget';
import { differenceInput, gather, testedComparison, type EmbeddedTexts } from './compare';
import type { RunEvent, RunHooks } from './events';
import { usable } from './judgeArms';
import type { Clock, Embedder, Model, RunStore, Tester } from './ports';
import { embedAnswers } from './embedAnswers';
import { runRobustness } from './robustness';

export interface CompareDeps {
  openModel: (id: string, signal: AbortSignal) => Promise<Model>;
  embedders: Embedder[];
  tester: Tester;
  store: RunStore;
  clock: Clock;
}

export interface CompareRequest {
  id: string;
  modelIds: string[];
  /** Index into `modelIds`: the others are tested against it; null: every pair is tested for its behaviour. */
  reference: number | null;
  prompts: { prompt: RunRecord['prompt']; perturbations: Perturbation[] }[];
  /** `plans[model][prompt]`. */
  plans: Plan[][];
  options: RunOptions;
  margin: number;
  seed: number;
  versions: Record<string, string>;
  reproduce: string;
  /** One for all models. */
  budget: Budget;
}

export interface CompareHooks extends Omit<RunHooks, 'onEvent'> {
  /** `model` and `prompt` count from 0. */
  onEvent?: (event: RunEvent | { type: 'model'; model: number; prompt: number }) => void;
}

/** What one model gave. */
interface Asked {
  runs: RunRecord[];
  identity: ModelIdentity | null;
  problem: string | null;
}

/**
 * Asks every model the same prompts and changes with the same seeds, one model after the other (each is loaded once), and
 * concludes which is steadier. Every model's checks are kept as runs of their own. A model that cannot be asked has a
 * `problem` and the others are compared; a cancelled comparison concludes over what was finished.
 */
export async function compareModels(
  deps: CompareDeps,
  request: CompareRequest,
  hooks: CompareHooks,
): Promise<CompareRecord> {
  const startedMs = deps.clock.nowMs();
  const asked: Asked[] = [];
  for (const [index, id] of request.modelIds.entries()) {
    asked.push(await askOne(deps, request, { index, id }, hooks));
  }
  const runs = asked.flatMap((one) => one.runs);
  const signal = hooks.abandon ?? new AbortController().signal;
  const { embedded } = await embedAnswers(
    deps.embedders,
    runs.flatMap((run) => run.samples),
    { signal },
  );
  const items = itemsOf(request, asked);
  const movements = movementsOf(asked, items, embedded[0]);
  const cancelled = hooks.signal.aborted || runs.some((run) => run.state === 'cancelled');
  return {
    version: 1,
    kind: 'compare',
    id: request.id,
    state: cancelled
      ? 'cancelled'
      : asked.filter((one) => one.problem === null).length < 2
        ? 'failed'
        : 'complete',
    startedAt: new Date(startedMs).toISOString(),
    finishedAt: new Date(deps.clock.nowMs()).toISOString(),
    versions: request.versions,
    reproduce: request.reproduce,
    seed: request.seed,
    options: request.options,
    margin: request.margin,
    prompts: request.prompts.map(({ prompt }) => ({ path: prompt.source?.path ?? null, text: prompt.text })),
    models: asked.map((one, index) => comparedModel(request.modelIds[index]!, one, movements[index]!)),
    pairs: await pairsOf(deps, request, { asked, items, movements, embedded }, signal),
    items,
    actual: {
      calls: runs.reduce((sum, run) => sum + run.actual.calls, 0),
      cached: runs.reduce((sum, run) => sum + (run.actual.cached ?? 0), 0),
      seconds: (deps.clock.nowMs() - startedMs) / 1000,
    },
  };
}

async function askOne(
  deps: CompareDeps,
  request: CompareRequest,
  { index, id }: { index: number; id: string },
  hooks: CompareHooks,
): Promise<Asked> {
  const asked: Asked = { runs: [], identity: null, problem: null };
  if (hooks.signal.aborted) return { ...asked, problem: 'It was not asked: the comparison was stopped.' };
  let model: Model | null = null;
  try {
    model = await deps.openModel(id, hooks.signal);
    for (const [at, { prompt, perturbations }] of request.prompts.entries()) {
      hooks.onEvent?.({ type: 'model', model: index, prompt: at });
      const run = await runRobustness(
        { ...deps, model },
        {
          runId: `${request.id}-${index + 1}-${at + 1}`,
          prompt,
          perturbations,
          options: request.options,
          plan: request.plans[index]![at]!,
          seed: request.seed,
          versions: request.versions,
          reproduce: request.reproduce,
          budget: request.budget,
        },
        hooks,
      );
      asked.runs.push(run);
      asked.identity = run.model;
      if (run.state === 'complete') continue;
      asked.problem = run.error?.message ?? 'It was not asked everything: the comparison was stopped.';
      break;
    }
  } catch (error) {
    asked.problem = toUserError(error).message;
  } finally {
    await model?.close();
  }
  return asked;
}

/** One row per prompt and change. */
function itemsOf(request: CompareRequest, asked: Asked[]): CompareRecord['items'] {
  return request.prompts.flatMap(({ perturbations }, prompt) =>
    perturbations.map(({ id: perturbationId, name }) => ({
      prompt,
      perturbationId,
      name,
      cells: asked.map(({ runs }) => {
        const found = runs[prompt]?.comparisons.find((one) => one.perturbationId === perturbationId);
        if (found === undefined) return null;
        const { verdict, effect, adjustedP } = found;
        return {
          verdict,
          effect: effect?.debiased ?? null,
          interval: effect?.interval ?? null,
          adjustedP,
        };
      }),
    })),
  );
}

/** Changes that every model without a problem could be judged on: models are compared on the same ones or not at all. */
function commonItems(items: CompareRecord['items'], asked: Asked[]): CompareRecord['items'] {
  return items.filter(({ cells }) =>
    cells.every(
      (cell, model) => asked[model]!.problem !== null || (cell !== null && cell.verdict !== 'undecided'),
    ),
  );
}

function movementsOf(
  asked: Asked[],
  items: CompareRecord['items'],
  embedded: EmbeddedTexts | undefined,
): (Movement | null)[] {
  const common = commonItems(items, asked);
  return asked.map(({ runs, problem }) => {
    if (problem !== null || embedded === undefined || common.length === 0) return null;
    const prompts = runs.flatMap((run, prompt) => {
      const own = common.filter((item) => item.prompt === prompt);
      if (own.length === 0) return [];
      const vectors = (condition: string) => gather(embedded, textsOf(run, condition));
      return [
        {
          dim: embedded.dim,
          baseline: vectors('baseline'),
          changed: own.map(({ perturbationId }) => vectors(perturbationId)),
        },
      ];
    });
    return prompts.length === 0 ? null : movementOf(prompts);
  });
}

const samplesOf = (run: RunRecord, condition: string): Sample[] =>
  usable(run.samples.filter(({ conditionId }) => conditionId === condition)).sort(
    (a, b) => a.index - b.index,
  );

const textsOf = (run: RunRecord, condition: string): string[] =>
  samplesOf(run, condition).map(({ text }) => text);

function comparedModel(
  id: string,
  { runs, identity, problem }: Asked,
  movement: Movement | null,
): ComparedModel {
  const samples = runs.flatMap((run) => run.samples);
  const counted = (...outcomes: Sample['outcome'][]) =>
    samples.filter(({ outcome }) => outcomes.includes(outcome)).length;
  const judged = runs.flatMap((run) => run.comparisons.filter(({ verdict }) => verdict !== 'undecided'));
  const moved = judged.filter(({ verdict }) => verdict === 'changed').length;
  const paid = runs.reduce((sum, { actual }) => sum + actual.calls - (actual.cached ?? 0), 0);
  const seconds = runs.reduce((sum, { actual }) => sum + (actual.phases['sampling'] ?? 0), 0);
  const [refused, empty, truncated] = [counted('refused'), counted('empty'), counted('truncated')];
  return {
    id,
    identity,
    runs: runs.map((run) => run.id),
    problem,
    movement:
      movement === null ? null : { mean: movement.mean, interval: movement.interval, items: movement.items },
    moved: {
      count: moved,
      of: judged.length,
      interval: judged.length === 0 ? null : { ...wilson(moved, judged.length), level: 0.95 },
    },
    answers: {
      asked: samples.length,
      refused,
      empty,
      truncated,
      failed: samples.length - usable(samples).length - refused - empty - truncated,
    },
    secondsPerAnswer: paid === 0 ? null : seconds / paid,
  };
}

interface Measured {
  asked: Asked[];
  items: CompareRecord['items'];
  movements: (Movement | null)[];
  embedded: EmbeddedTexts[];
}

async function pairsOf(
  deps: CompareDeps,
  request: CompareRequest,
  measured: Measured,
  signal: AbortSignal,
): Promise<ComparedPair[]> {
  const { asked, items, movements } = measured;
  const { options, reference } = request;
  const usableModels = asked.flatMap((one, index) => (one.problem === null ? [index] : []));
  const order =
    reference === null ? usableModels : [reference, ...usableModels.filter((one) => one !== reference)];
  const pairs = order.flatMap((first, i) => order.slice(i + 1).map((second) => ({ first, second })));
  const valid = pairs.filter(
    ({ first, second }) => (movements[first] ?? null) !== null && (movements[second] ?? null) !== null,
  );
  const common = commonItems(items, asked);
  const differences = valid.map(({ first, second }) =>
    compareMovement(movements[first]!, movements[second]!),
  );
  const adjusted = adjustPValues(
    differences.map(({ p }) => p ?? NaN),
    'holm',
  );
  const tables = valid.map(({ first, second }) => discordance(common, first, second));
  const tableP = adjustPValues(
    tables.map(({ p }) => p),
    'holm',
  );
  const swaps = await Promise.all(
    valid.map(({ first, second }) =>
      reference !== null && first !== reference
        ? null
        : swapOf(deps, request, measured, { first, second }, signal),
    ),
  );
  const swapP = adjustPValues(
    swaps.map((swap) => swap?.p ?? NaN),
    'holm',
  );
  return valid.map((pair, i) => {
    const { difference: mean, interval, p } = differences[i]!;
    const adjustedP = p === null ? null : adjusted[i]!;
    const discordant = { ...tables[i]!, adjustedP: tableP[i]! };
    // Wide enough that all pairs together claim a false tie with probability alpha at most (two one-sided tests).
    const tie = compareMovement(
      movements[pair.first]!,
      movements[pair.second]!,
      1 - (2 * options.alpha) / Math.max(1, valid.length),
    ).interval;
    const swap = swaps[i]!;
    return {
      ...pair,
      difference: { mean, interval, p, adjustedP },
      relation: relationOf({ mean, adjustedP, tie, discordant }, request.margin, options.alpha),
      discordant,
      swap: swap === null ? null : { ...swap, adjustedP: swap.p === null ? null : swapP[i]! },
    };
  });
}

/**
 * Where answers never vary there is no chance in a mean movement, and only the changes are counted; otherwise the
 * movement decides, which sees more than a count of verdicts does.
 */
function relationOf(
  of: {
    mean: number;
    adjustedP: number | null;
    tie: { low: number; high: number };
    discordant: { onlyFirst: number; onlySecond: number; adjustedP: number };
  },
  margin: number,
  alpha: number,
): Relation {
  const { adjustedP, tie, discordant } = of;
  if (adjustedP === null) {
    if (discordant.adjustedP > alpha) return of.mean === 0 ? 'tied' : 'undecided';
    return discordant.onlyFirst < discordant.onlySecond ? 'firstSteadier' : 'secondSteadier';
  }
  if (adjustedP <= alpha) return of.mean > 0 ? 'firstSteadier' : 'secondSteadier';
  return tie.low > -margin && tie.high < margin ? 'tied' : 'undecided';
}

function discordance(items: CompareRecord['items'], first: number, second: number) {
  const moved = items.map(
    ({ cells }) => [cells[first]?.verdict === 'changed', cells[second]?.verdict === 'changed'] as const,
  );
  const onlyFirst = moved.filter(([a, b]) => a && !b).length;
  const onlySecond = moved.filter(([a, b]) => !a && b).length;
  return {
    both: moved.filter(([a, b]) => a && b).length,
    onlyFirst,
    onlySecond,
    neither: moved.filter(([a, b]) => !a && !b).length,
    p: mcnemar(onlyFirst, onlySecond).exactP,
  };
}

/** The unchanged prompts, asked of the second model in place of the first (methods.md 1.7). */
async function swapOf(
  deps: CompareDeps,
  request: CompareRequest,
  { asked, embedded }: Measured,
  { first, second }: { first: number; second: number },
  signal: AbortSignal,
) {
  const [a, b] = [asked[first]!, asked[second]!];
  const results = [];
  for (const [at, { prompt }] of request.prompts.entries()) {
    const [before, after] = [samplesOf(a.runs[at]!, 'baseline'), samplesOf(b.runs[at]!, 'baseline')];
    if (Math.min(before.length, after.length) < MIN_ANSWERS) {
      results.push({ p: null, effect: null });
      continue;
    }
    const input = differenceInput(
      before,
      after,
      embedded,
      inferAnswerFormat(prompt.text),
      request.options,
      mixSeed(request.seed, `swap:${first}:${second}:${at}`),
    );
    const result = await deps.tester.differenceTest(input, { signal });
    const { p, effect } = testedComparison({ id: 'swap' }, input, result, request.options);
    results.push({ p, effect: effect?.debiased ?? null });
  }
  const adjusted = adjustPValues(
    results.map(({ p }) => p ?? NaN),
    'holm',
  ).filter((p) => !Number.isNaN(p));
  const digests = [a.identity?.digest ?? null, b.identity?.digest ?? null];
  return {
    p: adjusted.length === 0 ? null : Math.min(...adjusted),
    effects: results.map(({ effect }) => effect),
    sameDigest: digests[0] !== null && digests[0] === digests[1],
  };
}

const MIN_ANSWERS = 4;
