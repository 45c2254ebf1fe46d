/**
 * The way of a whole check, from answers to verdict, where the truth is known.
 *
 * 1. Nothing was changed: ten perturbations against one shared baseline, tested, corrected (Holm) and decided by the
 *    engine's own functions. Share of checks that call anything changed, with its 99% Clopper–Pearson interval; exit
 *    code 1 where that interval lies above alpha.
 * 2. The 95% interval of the headline effect against the effect of the populations (reported, not held).
 *
 * `npm run bench -- engineNull [--replicates 500] [--samples 20] [--permutations 999] [--perturbations 10]`
 */
import { parseArgs } from 'node:util';
import type { AnswerFormat } from '../src/answers/labels';
import type { Comparison, Outcome, Perturbation, RunOptions, Sample } from '../src/contracts/runRecord';
import { completeOptions } from '../src/engine/checkOptions';
import { differenceInput, testedComparison, undecidedComparison } from '../src/engine/compare';
import { conclude, decide } from '../src/engine/conclude';
import { afterLook, beforeLooks, planLooks } from '../src/engine/looks';
import { whyUndecided } from '../src/engine/judgeArms';
import { differenceTest } from '../src/stats/differenceTest';
import { energyDistance } from '../src/stats/energy';
import { pairMatrices, unitRows } from '../src/stats/matrices';
import { createPairKernel } from '../src/stats/pairKernel';
import { clopperPearson } from '../src/stats/proportions';
import { createRng, type Rng } from '../src/stats/rng';
import { alternatives, discrete, gaussian, pool, type Source } from './calibration/arms';

interface Setting {
  name: string;
  /** Looks while the answers come in. */
  looks?: number;
  source: Source;
  format: AnswerFormat;
  /** Share of answers that fail. */
  failing: number;
  /** Share of the planned answers after which the run is cancelled, in the engine's shuffled order. */
  stopAfter: number;
}
const freeText: AnswerFormat = { kind: 'freeText', evidence: '' };
const options: AnswerFormat = { kind: 'options', options: ['Yes', 'No'], evidence: 'Yes or No' };
const SETTINGS: Setting[] = [
  { name: 'free text', source: gaussian(), format: freeText, failing: 0, stopAfter: 1 },
  { name: 'six fixed answers, labels', source: discrete, format: options, failing: 0, stopAfter: 1 },
  { name: '8% of answers fail', source: gaussian(), format: freeText, failing: 0.08, stopAfter: 1 },
  {
    name: 'three looks, free text',
    source: gaussian(),
    format: freeText,
    failing: 0,
    stopAfter: 1,
    looks: 3,
  },
  { name: 'three looks, six answers', source: discrete, format: options, failing: 0, stopAfter: 1, looks: 3 },
  { name: 'cancelled at 60%', source: discrete, format: options, failing: 0.03, stopAfter: 0.6 },
];

export async function run(args: string[]): Promise<number> {
  const { values } = parseArgs({
    args,
    options: {
      replicates: { type: 'string', default: '500' },
      samples: { type: 'string', default: '20' },
      permutations: { type: 'string', default: '999' },
      perturbations: { type: 'string', default: '10' },
    },
  });
  const replicates = Number(values.replicates);
  const count = Number(values.perturbations);
  const chosen = completeOptions(
    { samples: Number(values.samples), permutations: Number(values.permutations), bootstrapDraws: 0 },
    count,
  );
  console.log(
    `${replicates} checks each, ${count} changes, ${chosen.samples} answers, B = ${chosen.permutations}, alpha ${chosen.alpha}\n`,
  );
  let failed = 0;
  for (const setting of SETTINGS) failed += familyWiseError(setting, chosen, count, replicates) ? 0 : 1;
  console.log('');
  for (const [name, first, second] of PAIRS) coverage(name, first, second, chosen.samples, replicates);
  return failed === 0 ? 0 : 1;
}

function familyWiseError(setting: Setting, chosen: RunOptions, count: number, replicates: number): boolean {
  const kernel = createPairKernel();
  const changes = Array.from({ length: count }, (_, i) => harmless(`change ${i}`));
  let alarms = 0;
  let rejections = 0;
  let tested = 0;
  for (let replicate = 0; replicate < replicates; replicate++) {
    const rng = createRng(20260801, `engineNull/${setting.name}/${replicate}`);
    const { baseline, arms, vectors, rowOf, dim } = answersOf(setting, chosen.samples, count, rng);
    const embedded = [{ embedder: 'e', dim, rowOf, vectors }];
    const test = (i: number, size: number, options: RunOptions) => {
      const [before, perturbed] = [baseline.slice(0, size), arms[i]!.slice(0, size)];
      const why = whyUndecided(before, perturbed, options, setting.stopAfter < 1);
      if (why !== null) return undecidedComparison(changes[i]!, before, perturbed, why);
      const input = differenceInput(before, perturbed, embedded, setting.format, options, replicate);
      return testedComparison(changes[i]!, input, differenceTest(input, { kernel }), options);
    };
    const comparisons =
      setting.looks === undefined
        ? changes.map((_, i) => test(i, chosen.samples, chosen))
        : inLooks({ ...chosen, looks: setting.looks }, changes, test);
    const decided = decide(comparisons, chosen);
    const { state } = conclude({
      comparisons: decided,
      perturbations: changes,
      baseline,
      embedding: null,
      format: setting.format,
      stopped: null,
      untested: 0,
      repeatP: null,
      problems: [],
    });
    if (state === 'wobbles') alarms++;
    rejections += decided.filter(({ verdict }) => verdict === 'changed').length;
    tested += decided.filter(({ p }) => p !== null).length;
  }
  const { low, high } = clopperPearson(alarms, replicates, 0.99);
  const passes = low <= chosen.alpha;
  console.log(
    `${setting.name.padEnd(26)} wobbles ${alarms} of ${replicates} = ${(alarms / replicates).toFixed(4)} [${low.toFixed(3)}, ${high.toFixed(3)}]  ${(tested / replicates).toFixed(1)} tested a check, ${(rejections / Math.max(1, alarms)).toFixed(2)} called changed where any was  ${passes ? 'held' : 'ABOVE alpha'}`,
  );
  return passes;
}

/** As the engine goes through its looks: open changes are tested, decided ones are left as they are. */
function inLooks(
  chosen: RunOptions & { looks: number },
  changes: Perturbation[],
  test: (change: number, size: number, options: RunOptions) => Comparison,
): Comparison[] {
  const plan = planLooks(chosen, changes.length);
  let state = beforeLooks(changes.map(({ id }) => id));
  for (const [look, size] of plan.sizes.entries()) {
    if (state.open.size === 0) break;
    const options = { ...chosen, permutations: plan.permutations[look]! };
    const tested = changes.flatMap(({ id }, i) => (state.open.has(id) ? [test(i, size, options)] : []));
    state = afterLook(state, tested, plan, chosen);
  }
  return changes.map(({ id }) => state.comparisons.get(id)!);
}

/** Answers of a whole check in which every condition draws from one source. */
function answersOf(setting: Setting, k: number, count: number, rng: Rng) {
  const planned = Array.from({ length: (count + 1) * k }, (_, i) => i);
  shuffle(planned, rng);
  const received = new Set(planned.slice(0, Math.ceil(setting.stopAfter * planned.length)));
  const rowOf = new Map<string, number>();
  const rows: Float64Array[] = [];
  const arms = Array.from({ length: count + 1 }, (_, arm) =>
    Array.from({ length: k }, (_, index) => {
      const output = setting.source(rng);
      // Continuous vectors need texts of their own: a text has one vector.
      const text =
        setting.format.kind === 'freeText' ? `${output.text} ${rng.uint32().toString(36)}` : output.text;
      if (!rowOf.has(text)) {
        rowOf.set(text, rows.length);
        rows.push(output.vector);
      }
      return sample(arm, index, rng.unit() < setting.failing ? 'timeout' : 'ok', text);
    }).filter((_, index) => received.has(arm * k + index)),
  );
  const dim = rows[0]!.length;
  const vectors = new Float32Array(rows.length * dim);
  rows.forEach((row, i) => vectors.set(row, i * dim));
  return { baseline: arms[0]!, arms: arms.slice(1), vectors, rowOf, dim };
}

const PAIRS: [string, Source, Source][] = [
  ['nothing changed', gaussian(), gaussian()],
  ['location shift', gaussian(), alternatives['location shift']!],
  [
    'six answers, other shares',
    discrete,
    (rng) => (rng.unit() < 0.4 ? gaussian(0.05, 1.2)(rng) : discrete(rng)),
  ],
  ['far apart', gaussian(), gaussian(1, 1.2)],
  ['far apart and tight', gaussian(0.3), gaussian(0.3, 1.2)],
];
const POPULATION = 1_000;

function coverage(name: string, first: Source, second: Source, k: number, replicates: number): void {
  const kernel = createPairKernel();
  const rng = createRng(20260801, `coverage/${name}`);
  const truth = populationEffect(first, second, rng);
  let covered = 0;
  let sum = 0;
  let width = 0;
  for (let replicate = 0; replicate < replicates; replicate++) {
    const { vectors, dim } = pool(k, k, first, second, rng);
    const { effect } = differenceTest(
      {
        ...{ n0: k, n1: k, embeddings: [{ embedder: 'e', dim, vectors }], permutations: 1_999, bins: 30 },
        ...{ bootstrapDraws: 500, confidence: 0.95, seed: rng.uint32() },
      },
      { kernel },
    );
    const { debiased, interval } = effect!;
    if (interval.low <= truth && truth <= interval.high) covered++;
    sum += debiased;
    width += interval.high - interval.low;
  }
  const { low, high } = clopperPearson(covered, replicates, 0.99);
  console.log(
    `${name.padEnd(26)} true H ${truth.toFixed(3)}, mean estimate ${(sum / replicates).toFixed(3)}, width ${(width / replicates).toFixed(3)}, covered ${(covered / replicates).toFixed(3)} [${low.toFixed(3)}, ${high.toFixed(3)}]`,
  );
}

/** H of the populations, by the unbiased estimate from 1,000 answers an arm. */
function populationEffect(first: Source, second: Source, rng: Rng): number {
  const n = POPULATION;
  const { vectors, dim } = pool(n, n, first, second, rng);
  const { distance } = pairMatrices(unitRows(vectors, 2 * n, dim), 2 * n, dim);
  const { u, meanCross } = energyDistance(distance, n, n);
  return u! / (2 * meanCross);
}

const sample = (arm: number, index: number, outcome: Outcome, text: string): Sample => ({
  ...{ conditionId: String(arm), index, seed: 0, outcome, text, finishReason: null, clipped: false },
  ...{ promptTokens: null, completionTokens: null, latencyMs: 0, startedAtMs: 0, position: 0 },
});

const harmless = (id: string): Perturbation => ({
  ...{ id, kind: 'surface', name: id, description: id, expectation: 'irrelevant' },
  strength: { level: 0, source: 'byConstruction' },
  ...{ span: { start: 0, end: 0 }, sentence: null, edits: [{ start: 0, end: 0, text: ' ' }], text: id },
});

function shuffle(items: number[], rng: Rng): void {
  for (let i = items.length - 1; i > 0; i--) {
    const j = rng.below(i + 1);
    [items[i], items[j]] = [items[j]!, items[i]!];
  }
}
