/** How far the changes of a prompt move a model's answers on average, and which of two models moves less. */
import type { Interval } from '../contracts/runRecord';
import { tCdf, tQuantile } from './distributions';
import { pairMatrices, unitRows } from './matrices';

/** Answers to one prompt: unchanged, and after each of its changes. Vectors row-major, rows × dim. */
export interface PromptAnswers {
  dim: number;
  baseline: Float32Array;
  changed: Float32Array[];
}

export interface Movement {
  /** Mean over all changes of the unbiased coefficient of inhomogeneity; about 0 where nothing moves, at most 1. */
  mean: number;
  variance: number;
  /** Satterthwaite's; Infinity where the variance is 0. */
  df: number;
  interval: Interval;
  /** Changes that it is the mean of. */
  items: number;
}

export interface MovementDifference {
  /** Second minus first: above 0 where the first moves less. */
  difference: number;
  interval: Interval;
  /** Two-sided; null where neither model's answers vary, and chance says nothing. */
  p: number | null;
  df: number;
}

/**
 * Mean movement with its jackknife variance. Per change the effect is 1 − (W0 + W1) / 2C, with C the mean Euclidean
 * distance of unit vectors across the arms and W the means within an arm over pairs of different answers; 0 where C is 0.
 * All changes of a prompt are compared with one sample of the unchanged prompt, so that their effects share its luck:
 * each answer is left out in turn from everything that it is in, the unchanged prompt's from all effects at once.
 *
 * The variance is that of chance in the answers; the changes are taken as given, so it speaks of these changes and no
 * others. The jackknife's expectation is not below the variance of samples one smaller (Efron & Stein 1981): it errs to
 * the wide side, most where nothing moves. Arms of fewer than 3 answers are refused.
 * Cost (answers per arm)² × dim × changes. @throws RangeError for no change, an arm under 3 rows, or vectors that are no vectors
 */
export function movementOf(prompts: readonly PromptAnswers[], confidence = 0.95): Movement {
  const items = prompts.reduce((sum, { changed }) => sum + changed.length, 0);
  if (items === 0) throw new RangeError('prompts hold no change');
  let total = 0;
  const groups: { variance: number; size: number }[] = [];
  for (const { dim, baseline, changed } of prompts) {
    const n0 = rowsOf(baseline, dim);
    const withoutBaseline = new Float64Array(n0);
    let whole = 0;
    for (const arm of changed) {
      const { effect, without0, without1 } = leaveOneOut(baseline, arm, dim);
      whole += effect;
      without0.forEach((value, i) => (withoutBaseline[i]! += value));
      groups.push(groupVariance(without1, items));
    }
    if (changed.length > 0) groups.push(groupVariance(withoutBaseline, items));
    total += whole;
  }
  const variance = groups.reduce((sum, group) => sum + group.variance, 0);
  const df = satterthwaite(groups);
  const mean = total / items;
  return { mean, variance, df, items, interval: tInterval(mean, variance, df, confidence) };
}

/**
 * Does the second model move more than the first? H0: both have the same mean movement over these changes. Welch's t on
 * the two jackknife variances, the models' answers independent. Approximate: as far as a mean of effects is near normal.
 * @throws RangeError for different numbers of changes
 */
export function compareMovement(first: Movement, second: Movement, confidence = 0.95): MovementDifference {
  if (first.items !== second.items) {
    throw new RangeError(`first holds ${first.items} changes, second ${second.items}`);
  }
  const difference = second.mean - first.mean;
  const variance = first.variance + second.variance;
  const parts = [first, second].filter((one) => one.variance > 0);
  const df = variance ** 2 / parts.reduce((sum, one) => sum + one.variance ** 2 / one.df, 0);
  const p = variance > 0 ? Math.min(1, 2 * tCdf(-Math.abs(difference) / Math.sqrt(variance), df)) : null;
  return { difference, p, df, interval: tInterval(difference, variance, df, confidence) };
}

function leaveOneOut(baseline: Float32Array, arm: Float32Array, dim: number) {
  const [n0, n1] = [rowsOf(baseline, dim), rowsOf(arm, dim)];
  if (n0 < 3 || n1 < 3) throw new RangeError(`arms of ${n0} and ${n1} answers; 3 are the fewest`);
  const n = n0 + n1;
  const pooled = new Float32Array(n * dim);
  pooled.set(baseline);
  pooled.set(arm, n0 * dim);
  const { distance } = pairMatrices(unitRows(pooled, n, dim), n, dim);
  const [toArm0, toArm1] = [new Float64Array(n), new Float64Array(n)];
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < n; j++) (j < n0 ? toArm0 : toArm1)[i]! += distance[i * n + j]!;
  }
  const sum = (of: Float64Array, from: number, to: number) =>
    of.subarray(from, to).reduce((all, value) => all + value, 0);
  const within0 = sum(toArm0, 0, n0);
  const within1 = sum(toArm1, n0, n);
  const cross = sum(toArm1, 0, n0);
  const effect = (w0: number, w1: number, c: number, m0: number, m1: number) =>
    c > 0 ? 1 - (w0 / (m0 * (m0 - 1)) + w1 / (m1 * (m1 - 1))) / (2 * (c / (m0 * m1))) : 0;
  return {
    effect: effect(within0, within1, cross, n0, n1),
    without0: Float64Array.from({ length: n0 }, (_, i) =>
      effect(within0 - 2 * toArm0[i]!, within1, cross - toArm1[i]!, n0 - 1, n1),
    ),
    without1: Float64Array.from({ length: n1 }, (_, i) =>
      effect(within0, within1 - 2 * toArm1[n0 + i]!, cross - toArm0[n0 + i]!, n0, n1 - 1),
    ),
  };
}

/** Of one independent sample: (n − 1)/n × the squared deviations of what is left without each of its answers. */
function groupVariance(without: Float64Array, items: number) {
  const size = without.length;
  const mean = without.reduce((all, value) => all + value, 0) / size;
  const squares = without.reduce((all, value) => all + ((value - mean) / items) ** 2, 0);
  return { variance: ((size - 1) / size) * squares, size };
}

function satterthwaite(groups: { variance: number; size: number }[]): number {
  const total = groups.reduce((sum, { variance }) => sum + variance, 0);
  return total > 0
    ? total ** 2 / groups.reduce((sum, { variance, size }) => sum + variance ** 2 / (size - 1), 0)
    : Number.POSITIVE_INFINITY;
}

function tInterval(at: number, variance: number, df: number, level: number): Interval {
  const half = variance > 0 ? tQuantile((1 + level) / 2, df) * Math.sqrt(variance) : 0;
  return { low: at - half, high: at + half, level };
}

function rowsOf(vectors: Float32Array, dim: number): number {
  if (vectors.length % dim !== 0)
    throw new RangeError(`vectors hold ${vectors.length} values, not rows of ${dim}`);
  return vectors.length / dim;
}
