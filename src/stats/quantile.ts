import { requireFinite, requireWithin } from './argumentChecks';

/**
 * Type 7 quantiles (linear interpolation; the default of NumPy and R) of a sample, for each q in [0, 1].
 * Cost: n log n.
 * @throws RangeError if x is empty or holds a number that is not finite, or a q lies outside [0, 1].
 */
export function quantiles(x: ArrayLike<number>, q: readonly number[]): number[] {
  const sorted = sortedCopy(x);
  return q.map((share) => {
    requireWithin('q', share, 0, 1);
    return quantileOfSorted(sorted, share);
  });
}

/** Type 7 quantile of an ascending array that is not empty. q in [0, 1]. Cost: constant. Nothing is checked. */
export function quantileOfSorted(sorted: ArrayLike<number>, q: number): number {
  const position = (sorted.length - 1) * q;
  const index = Math.floor(position);
  const low = sorted[index]!;
  const high = sorted[Math.min(index + 1, sorted.length - 1)]!;
  return low + (position - index) * (high - low);
}

/** Type 1 quantiles: the smallest sample value x with F(x) ≥ q. Errors as `quantiles`. Cost: n log n. */
export function quantilesType1(x: ArrayLike<number>, q: readonly number[]): number[] {
  const sorted = sortedCopy(x);
  return q.map((share) => {
    requireWithin('q', share, 0, 1);
    return sorted[Math.max(0, guardedCeil(sorted.length * share) - 1)]!;
  });
}

/** Median; the mean of the middle two for an even count. Errors as `quantiles`. Cost: n log n. */
export function median(x: ArrayLike<number>): number {
  return quantileOfSorted(sortedCopy(x), 0.5);
}

/**
 * The bound that a further exchangeable score exceeds with probability at most alpha: the ⌈(1−α)(n+1)⌉-th smallest.
 * `value` is Infinity where n is too small for alpha, −Infinity at alpha = 1. The ceil is guarded: (1 − .1)·10 is
 * 9 and not 9.000000000000002. @throws RangeError if alpha lies outside [0, 1] or a score is not finite.
 * H0: the further score is exchangeable with these. Cost: n log n.
 */
export function conformalQuantile(scores: ArrayLike<number>, alpha: number): { rank: number; value: number } {
  requireWithin('alpha', alpha, 0, 1);
  requireFinite('scores', scores);
  const n = scores.length;
  const rank = guardedCeil((1 - alpha) * (n + 1));
  if (rank > n) return { rank, value: Infinity };
  if (rank < 1) return { rank, value: -Infinity };
  return { rank, value: Float64Array.from(scores).sort()[rank - 1]! };
}

/** ⌈x⌉ of a number that decimal rounding may have pushed just above an integer. */
export const guardedCeil = (x: number) => Math.ceil(x - 1e-9) + 0;

function sortedCopy(x: ArrayLike<number>): Float64Array {
  if (x.length === 0) throw new RangeError('x must not be empty');
  requireFinite('x', x);
  return Float64Array.from(x).sort();
}
