/** How far harmless changes move a model's answers, and which of two models they move less. docs/methods.md, section 8. */
import { requireInteger, requireOpenUnit } from './argumentChecks';
import { tCdf, tQuantile } from './distributions';
import { createRng } from './rng';
import type { Interval } from '../contracts/runRecord';

/** Outputs of one prompt: those of the unchanged prompt first, then those of each change in turn. */
export interface ShiftsInput {
  /** Outputs per arm, the unchanged prompt first; each at least 2. */
  sizes: number[];
  /** Labels (two are 0 or 1 apart), or vectors (row-major; their Euclidean distance). */
  outputs: { kind: 'labels'; labels: string[] } | { kind: 'vectors'; dim: number; vectors: Float32Array };
}

export interface Shifts {
  /** One per change: 1 − (mean within the arms) / (mean across), about 0 where the change does nothing, at most 1. */
  shifts: number[];
  /** Per change: the same with each answer to the unchanged prompt left out in turn (that answer is shared by all changes). */
  leftOut: Float64Array[];
}

/**
 * Unbiased coefficient of inhomogeneity of every change against the unchanged prompt: means within an arm leave out
 * pairs of an output with itself, so that noise alone gives 0 on average. 0 where all outputs of both arms are equal.
 * Cost: baseline × all outputs. @throws RangeError where sizes and outputs do not fit
 */
export function shiftsOf({ sizes, outputs }: ShiftsInput): Shifts {
  sizes.forEach((size, i) => requireInteger(`sizes[${i}]`, size, 2));
  const total = sizes.reduce((sum, size) => sum + size, 0);
  const given = outputs.kind === 'labels' ? outputs.labels.length : outputs.vectors.length / outputs.dim;
  if (given !== total) throw new RangeError(`outputs must hold ${total}, got ${given}`);
  const apart = distanceOf(outputs);
  const k = sizes[0]!;
  const own = new Float64Array(k);
  for (let i = 0; i < k; i++) for (let j = 0; j < k; j++) if (i !== j) own[i]! += apart(i, j);
  const within0 = own.reduce((sum, value) => sum + value, 0);

  const shifts: number[] = [];
  const leftOut: Float64Array[] = [];
  let start = k;
  for (const size of sizes.slice(1)) {
    const across = new Float64Array(k);
    for (let i = 0; i < k; i++) for (let j = start; j < start + size; j++) across[i]! += apart(i, j);
    let within1 = 0;
    for (let i = start; i < start + size; i++) for (let j = start; j < i; j++) within1 += 2 * apart(i, j);
    const mean1 = within1 / (size * (size - 1));
    const cross = across.reduce((sum, value) => sum + value, 0);
    shifts.push(shift(within0 / (k * (k - 1)), mean1, cross / (k * size)));
    leftOut.push(
      own.map((ownSum, j) =>
        k === 2
          ? shifts.at(-1)!
          : shift(
              (within0 - 2 * ownSum) / ((k - 1) * (k - 2)),
              mean1,
              (cross - across[j]!) / ((k - 1) * size),
            ),
      ),
    );
    start += size;
  }
  return { shifts, leftOut };
}

/** Only these changes, in this order. */
export const pickShifts = ({ shifts, leftOut }: Shifts, changes: number[]): Shifts => ({
  shifts: changes.map((change) => shifts[change]!),
  leftOut: changes.map((change) => leftOut[change]!),
});

/** Jackknife variance of the mean shift that comes from the shared answers to the unchanged prompt. */
function baselineVariance({ leftOut }: Shifts): { variance: number; df: number } {
  const k = leftOut[0]?.length ?? 0;
  if (k < 3) return { variance: 0, df: 1 };
  const means = Array.from(
    { length: k },
    (_, j) => leftOut.reduce((sum, values) => sum + values[j]!, 0) / leftOut.length,
  );
  const centre = means.reduce((sum, value) => sum + value, 0) / k;
  return {
    variance: ((k - 1) / k) * means.reduce((sum, value) => sum + (value - centre) ** 2, 0),
    df: k - 1,
  };
}

const shift = (within0: number, within1: number, across: number) =>
  across > 1e-12 ? 1 - (within0 + within1) / (2 * across) : 0;

function distanceOf(outputs: ShiftsInput['outputs']): (i: number, j: number) => number {
  if (outputs.kind === 'labels') return (i, j) => (outputs.labels[i] === outputs.labels[j] ? 0 : 1);
  const { dim, vectors } = outputs;
  return (i, j) => {
    let sum = 0;
    for (let d = 0; d < dim; d++) sum += (vectors[i * dim + d]! - vectors[j * dim + d]!) ** 2;
    return Math.sqrt(sum);
  };
}

export interface SteadinessComparison {
  /** Mean over the items of (first − second); negative: the first is moved less. */
  difference: number;
  interval: Interval;
  /** The larger of the two below. */
  p: number;
  /** Paired sign flips over the items. */
  signFlipP: number;
  /** t with the shared baselines' part in its standard error. */
  tP: number;
  items: number;
}

/** One model on all prompts, the same changes in the same order as the other model. */
export type ModelShifts = readonly Shifts[];

/**
 * Which of two models do the same changes move less? Null hypothesis: changes of this kind move both alike (their mean
 * shifts are equal). Items are changes, paired. Two tests, and p is the larger of the two: paired sign flips over the
 * items (exact for independent items whatever their distribution; floor 2/2^n) and a t-test whose standard error also
 * holds the noise of the baselines (all changes share one baseline sample, so their shifts move together and sign flips
 * alone reject too often). Degrees of freedom by Satterthwaite. Assumes that the prompts are given, not drawn.
 * @returns null with fewer than 2 items. @throws RangeError where the models' items differ. [ours]
 */
export function compareSteadiness(
  first: ModelShifts,
  second: ModelShifts,
  options: { alpha: number; permutations: number; seed: number },
): SteadinessComparison | null {
  requireOpenUnit('alpha', options.alpha);
  const differences = pairedDifferences(first, second);
  const items = differences.length;
  if (items < 2) return null;
  const spread = spreadOf(differences, [first, second]);
  const signFlipP = signFlip(differences, options);
  const tP = tTwoSided(spread);
  return {
    difference: spread.mean,
    interval: intervalOf(spread, 1 - options.alpha),
    p: Math.max(signFlipP, tP),
    signFlipP,
    tP,
    items,
  };
}

/** Mean shift of one model over its items, with its interval; null with fewer than 2 items. */
export function meanShift(
  model: ModelShifts,
  confidence: number,
): { mean: number; interval: Interval } | null {
  const all = model.flatMap(({ shifts }) => shifts);
  if (all.length < 2) return null;
  const spread = spreadOf(all, [model]);
  return { mean: spread.mean, interval: intervalOf(spread, confidence) };
}

function pairedDifferences(first: ModelShifts, second: ModelShifts): number[] {
  if (first.length !== second.length) throw new RangeError('the models have different prompts');
  return first.flatMap(({ shifts }, g) => {
    const other = second[g]!.shifts;
    if (other.length !== shifts.length)
      throw new RangeError(`prompt ${g + 1}: the models have different changes`);
    return shifts.map((value, i) => value - other[i]!);
  });
}

interface Spread {
  mean: number;
  se: number;
  df: number;
}

function spreadOf(values: number[], models: ModelShifts[]): Spread {
  const n = values.length;
  const mean = values.reduce((sum, value) => sum + value, 0) / n;
  const itemVariance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (n - 1) / n;
  const parts = [{ variance: itemVariance, df: n - 1 }];
  for (const model of models) {
    for (const prompt of model) {
      const { variance, df } = baselineVariance(prompt);
      parts.push({ variance: (prompt.shifts.length / n) ** 2 * variance, df });
    }
  }
  const variance = parts.reduce((sum, part) => sum + part.variance, 0);
  const below = parts.reduce((sum, part) => sum + part.variance ** 2 / part.df, 0);
  return { mean, se: Math.sqrt(variance), df: below > 0 ? variance ** 2 / below : n - 1 };
}

/** Rounding leaves a trace of equal values. */
const NOTHING = 1e-12;

function tTwoSided({ mean, se, df }: Spread): number {
  if (se < NOTHING) return Math.abs(mean) < NOTHING ? 1 : 0;
  return Math.min(1, 2 * tCdf(-Math.abs(mean) / se, df));
}

function intervalOf({ mean, se, df }: Spread, level: number): Interval {
  const half = se < NOTHING ? 0 : se * tQuantile((1 + level) / 2, df);
  return { low: Math.max(-2, mean - half), high: Math.min(2, mean + half), level };
}

const ENUMERATED_ITEMS = 14;

/**
 * Two-sided paired sign-flip test of the mean. Null hypothesis: every difference is symmetric about 0, independently.
 * All 2^n sign patterns up to 14 items, B draws with the +1 rule above. Cost n · min(2^n, B).
 */
export function signFlip(differences: number[], options: { permutations: number; seed: number }): number {
  requireInteger('permutations', options.permutations, 1);
  const n = differences.length;
  const observed = Math.abs(differences.reduce((sum, value) => sum + value, 0));
  const limit = observed - 1e-12 * Math.max(1, observed);
  if (n <= ENUMERATED_ITEMS) {
    let count = 0;
    for (let pattern = 0; pattern < 2 ** n; pattern++) {
      let sum = 0;
      for (let i = 0; i < n; i++) sum += (pattern >> i) & 1 ? -differences[i]! : differences[i]!;
      if (Math.abs(sum) >= limit) count++;
    }
    return count / 2 ** n;
  }
  const rng = createRng(options.seed, 'signFlip');
  let count = 1;
  for (let draw = 0; draw < options.permutations; draw++) {
    let sum = 0;
    for (const value of differences) sum += rng.below(2) === 0 ? value : -value;
    if (Math.abs(sum) >= limit) count++;
  }
  return count / (options.permutations + 1);
}
