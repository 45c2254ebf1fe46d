/** What a comparison of models found, computed from their runs alone. */
import { extractLabel, inferAnswerFormat } from '../answers/labels';
import type { ComparedItem, ComparedModel, ComparePlan, CompareRecord } from '../contracts/compareRecord';
import type { Comparison, RunRecord, Sample } from '../contracts/runRecord';
import type { UserError } from '../contracts/userError';
import { wilson } from '../stats/proportions';
import { meanShift, pickShifts, type Shifts } from '../stats/steadiness';
import { gather, NO_LABEL, type EmbeddedTexts } from './compare';
import { MIN_USABLE_SAMPLES } from './defaults';
import { usable } from './judgeArms';
import { comparePairs } from './modelPairs';
import type { Embedder, Tester } from './ports';
import { embedAnswers, groupByCondition } from './robustness';

/** One model: its runs in the order of the prompts, fewer where it stopped, and why it could not go on. */
export interface AskedModel {
  runs: RunRecord[];
  error: UserError | null;
}

/** What the comparison needs of one run, computed once. */
export interface ReadRun {
  record: RunRecord;
  baseline: Sample[];
  /** By perturbation id; only those whose answers can be compared. */
  shifts: Map<string, number>;
  all: Shifts;
  /** Perturbation ids in the order of `all`. */
  ids: string[];
}

export type Findings = Pick<CompareRecord, 'models' | 'items' | 'pairs' | 'warnings'>;

export async function modelFindings(
  deps: { tester: Tester; embedders: Embedder[] },
  plan: ComparePlan,
  asked: AskedModel[],
  signal: AbortSignal,
): Promise<Findings> {
  const samples = asked.flatMap(({ runs }) => runs.flatMap((run) => run.samples));
  const { embedded } = await embedAnswers(deps.embedders, samples, { signal });
  const read: ReadRun[][] = [];
  for (const { runs } of asked) {
    const ofModel: ReadRun[] = [];
    for (const record of runs) ofModel.push(await readRun(record, embedded, deps.tester, signal));
    read.push(ofModel);
  }
  const unranked = plan.models.map((_, m) => whyUnranked(plan, asked[m]!, read[m]!));
  const common = commonItems(plan, read, unranked);
  const shiftsOfModel = read.map((runs, m) =>
    unranked[m] === null
      ? runs.map((run, p) =>
          pickShifts(
            run.all,
            common[p]!.map((id) => run.ids.indexOf(id)),
          ),
        )
      : null,
  );
  const items = itemsOf(plan, read);
  const pairs = await comparePairs(
    { tester: deps.tester, embedded },
    plan,
    { read, shiftsOfModel, items },
    signal,
  );
  const steadier = (m: number) =>
    pairs.filter(
      ({ first, second, steadiness }) =>
        (second === m && steadiness?.verdict === 'firstSteadier') ||
        (first === m && steadiness?.verdict === 'secondSteadier'),
    ).length;
  const models = plan.models.map((planned, m): ComparedModel => {
    const runs = read[m]!;
    const why = unranked[m]!;
    const { error } = asked[m]!;
    return {
      modelId: planned.modelId,
      identity: runs[0]?.record.model ?? null,
      sizeBytes: planned.sizeBytes,
      runIds: planned.runs.map(({ id }) => id),
      state: stateOf(plan, asked[m]!),
      error: error === null ? null : { message: error.message, hint: error.hint },
      rank: why === null ? 1 + steadier(m) : null,
      unranked: why,
      meanShift: shiftsOfModel[m] === null ? null : meanShift(shiftsOfModel[m]!, 1 - plan.options.alpha),
      flips: flipsOf(items, m),
      changed: changedOf(items, m),
      ...instrumentOf(runs),
      roc: runs.flatMap(({ record }) => record.roc ?? []),
    };
  });
  return { models, items, pairs, warnings: warningsOf(models, common) };
}

const stateOf = (plan: ComparePlan, { runs, error }: AskedModel): ComparedModel['state'] => {
  if (error !== null || runs.some(({ state }) => state === 'failed')) return 'failed';
  const whole = runs.length === plan.prompts.length && runs.every(({ state }) => state === 'complete');
  return whole ? 'complete' : 'cancelled';
};

async function readRun(
  record: RunRecord,
  embedded: EmbeddedTexts[],
  tester: Tester,
  signal: AbortSignal,
): Promise<ReadRun> {
  const arms = groupByCondition(record.samples);
  const baseline = arms.get('baseline') ?? [];
  const ids = record.comparisons.filter(comparable).map(({ perturbationId }) => perturbationId);
  const texts = [baseline, ...ids.map((id) => arms.get(id) ?? [])].map((arm) =>
    usable(arm).map(({ text }) => text),
  );
  const format = inferAnswerFormat(record.prompt.text);
  const [first] = embedded;
  const flat = texts.flat();
  const outputs =
    format.kind === 'freeText' && first !== undefined
      ? { kind: 'vectors' as const, dim: first.dim, vectors: gather(first, flat) }
      : {
          kind: 'labels' as const,
          labels:
            format.kind === 'freeText' ? flat : flat.map((text) => extractLabel(text, format) ?? NO_LABEL),
        };
  const all =
    ids.length === 0
      ? { shifts: [], leftOut: [] }
      : await tester.shiftsOf({ sizes: texts.map(({ length }) => length), outputs }, { signal });
  return { record, baseline, ids, all, shifts: new Map(ids.map((id, i) => [id, all.shifts[i]!])) };
}

/** Its answers can be measured, also where too few permutations can be made of them for a verdict. */
const comparable = ({ undecided, n0, n1 }: Comparison): boolean =>
  (undecided === null || undecided.reason === 'tooFewSamples') && Math.min(n0, n1) >= MIN_USABLE_SAMPLES;

const harmlessIds = (plan: ComparePlan, p: number): string[] =>
  plan.prompts[p]!.perturbations.filter(({ expectation }) => expectation === 'irrelevant').map(
    ({ id }) => id,
  );

/** Half of the changes and more must be measurable before a model stands beside the others. */
const LEAST_MEASURED = 0.5;

function whyUnranked(plan: ComparePlan, asked: AskedModel, runs: ReadRun[]): string | null {
  if (asked.error !== null) return asked.error.message;
  if (runs.length < plan.prompts.length) return 'Stopped before it was asked everything.';
  const problem = runs.flatMap(({ record }) => record.integrity?.problems ?? [])[0];
  if (problem !== undefined) return problem;
  const wanted = plan.prompts.flatMap((_, p) => harmlessIds(plan, p));
  const measured = plan.prompts.flatMap((_, p) =>
    harmlessIds(plan, p).filter((id) => runs[p]!.shifts.has(id)),
  );
  if (measured.length >= Math.max(2, LEAST_MEASURED * wanted.length)) return null;
  const open = runs.flatMap(({ record }) =>
    record.comparisons.flatMap(({ undecided }) => undecided?.explanation ?? []),
  );
  return open[0] ?? 'Too few changes could be measured.';
}

/** Per prompt: harmless changes that every ranked model has answered well enough. All are ranked on the same ones. */
function commonItems(plan: ComparePlan, read: ReadRun[][], unranked: (string | null)[]): string[][] {
  return plan.prompts.map((_, p) =>
    harmlessIds(plan, p).filter((id) =>
      read.every((runs, m) => unranked[m] !== null || runs[p]!.shifts.has(id)),
    ),
  );
}

function itemsOf(plan: ComparePlan, read: ReadRun[][]): ComparedItem[] {
  const flippedOf = read.map((runs) => runs.map(flippedItems));
  return plan.prompts.flatMap(({ perturbations }, p) =>
    perturbations.map(({ id, name, expectation, strength }) => ({
      prompt: p,
      perturbationId: id,
      name,
      expectation,
      strength: strength.level,
      models: read.map((runs, m) => {
        const run = runs[p];
        const comparison = run?.record.comparisons.find(({ perturbationId }) => perturbationId === id);
        if (run === undefined || comparison === undefined) return null;
        return {
          verdict: comparison.verdict,
          shift: run.shifts.get(id) ?? null,
          adjustedP: comparison.adjustedP,
          effect: comparison.effect,
          flipped: flippedOf[m]![p]!.get(id) ?? null,
        };
      }),
    })),
  );
}

/** Whether the commonest answer is another one; not told where the unchanged prompt has no single commonest answer. */
function flippedItems({ record, baseline, ids }: ReadRun): Map<string, boolean> {
  const format = inferAnswerFormat(record.prompt.text);
  if (format.kind === 'freeText') return new Map();
  const arms = groupByCondition(record.samples);
  const commonest = (arm: Sample[]): string[] => {
    const counts = countsOf(usable(arm).map(({ text }) => extractLabel(text, format) ?? NO_LABEL));
    const most = Math.max(0, ...counts.values());
    return [...counts].flatMap(([label, count]) => (count === most ? [label] : []));
  };
  const [before, ...others] = commonest(baseline);
  if (before === undefined || others.length > 0) return new Map();
  return new Map(ids.map((id) => [id, !commonest(arms.get(id) ?? []).includes(before)]));
}

function countsOf(values: string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return counts;
}

type Rate = ComparedModel['changed'];
const rateOf = (count: number, n: number): Rate => ({
  count,
  n,
  interval: n === 0 ? null : wilson(count, n),
});

function flipsOf(items: ComparedItem[], m: number): Rate | null {
  const told = items.flatMap(({ expectation, models }) =>
    expectation === 'irrelevant' ? (models[m]?.flipped ?? []) : [],
  );
  return told.length === 0 ? null : rateOf(told.filter(Boolean).length, told.length);
}

function changedOf(items: ComparedItem[], m: number): Rate {
  const tested = items.flatMap(({ expectation, models }) => {
    const verdict = models[m]?.verdict ?? 'undecided';
    return expectation === 'irrelevant' && verdict !== 'undecided' ? [verdict] : [];
  });
  return rateOf(tested.filter((verdict) => verdict === 'changed').length, tested.length);
}

/** How good an instrument the model was, and how fast. */
function instrumentOf(runs: ReadRun[]): Pick<ComparedModel, 'quality' | 'speed'> {
  const samples = runs.flatMap(({ record }) => record.samples);
  const outcomes: ComparedModel['quality']['outcomes'] = {};
  for (const { outcome } of samples) outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
  const labelled = runs.flatMap(({ record }) => {
    const format = inferAnswerFormat(record.prompt.text);
    return format.kind === 'freeText'
      ? []
      : usable(record.samples).map(({ text }) => extractLabel(text, format));
  });
  const unchanged = runs.flatMap(({ record, baseline }) => {
    const format = inferAnswerFormat(record.prompt.text);
    return usable(baseline).map(({ text }) => extractLabel(text, format) ?? text);
  });
  const counts = [...countsOf(unchanged)].sort(([, a], [, b]) => b - a);
  const drawn = samples.filter(({ cached }) => cached !== true);
  const sum = (values: number[]) => values.reduce((total, value) => total + value, 0);
  const sampling = sum(runs.map(({ record }) => record.actual.phases['sampling'] ?? 0));
  const tokens = sum(drawn.map(({ completionTokens }) => completionTokens ?? 0));
  return {
    quality: {
      asked: samples.length,
      outcomes,
      readable: labelled.length === 0 ? null : labelled.filter((label) => label !== null).length,
      commonest:
        counts[0] === undefined ? null : { text: counts[0][0], share: counts[0][1] / unchanged.length },
    },
    speed: {
      samplingSeconds: drawn.length === 0 ? null : sampling,
      loadingSeconds: sum(runs.map(({ record }) => record.actual.phases['loading'] ?? 0)),
      tokensPerSecond: drawn.length === 0 || sampling <= 0 ? null : tokens / sampling,
      cached: samples.length - drawn.length,
    },
  };
}

/** With fewer changes than this even a clean sweep is no proof: 2 / 2^5 is above .05. */
const LEAST_ITEMS = 6;

function warningsOf(models: ComparedModel[], common: string[][]): string[] {
  const items = common.reduce((sum, ids) => sum + ids.length, 0);
  const constant = models.filter(({ quality, rank }) => rank !== null && quality.commonest?.share === 1);
  return [
    ...models.flatMap(({ modelId, unranked }) =>
      unranked === null ? [] : [`${modelId} is not ranked: ${unranked}`],
    ),
    ...(items < LEAST_ITEMS
      ? [
          `Only ${items} changes were answered by all models; with fewer than ${LEAST_ITEMS} none can be shown to be steadier.`,
        ]
      : []),
    ...constant.map(
      ({ modelId, quality }) =>
        `${modelId} gave one answer every time (${quality.commonest!.text.slice(0, 40)}). Steady is not right: look at what it says.`,
    ),
  ];
}
