import { requireFinite, requireInteger, requireSameLength } from './argumentChecks';
import { createRng } from './rng';

export interface DriftTestInput {
  /** When each answer was asked for, in any unit; equal where answers were made side by side. */
  times: number[];
  /** Unit rows of the answers, row-major, in the same order. */
  vectors: Float32Array;
  dim: number;
  permutations: number;
  seed: number;
}

export interface DriftTestResult {
  /** Null where time cannot tell answers apart, or answers do not differ. */
  p: number | null;
  n: number;
}

/**
 * Did the answers to one unchanged prompt drift while a run went on? H0: they are exchangeable in time. Statistic: the sum over
 * pairs of |difference of time ranks| × Euclidean distance of unit embeddings, which grows when answers that are far apart in
 * time are unlike (Mantel 1967, one-sided). Times are permuted over the answers; p = (1 + #{T ≥ observed})/(B + 1), so its
 * level is exact. Ranks, so that one long pause does not decide alone. Cost: n²·(dim + B).
 * @throws RangeError if sizes do not fit or a number is not finite.
 */
export function driftTest({ times, vectors, dim, permutations, seed }: DriftTestInput): DriftTestResult {
  const n = times.length;
  requireInteger('dim', dim, 1);
  requireInteger('permutations', permutations, 1);
  requireFinite('times', times);
  requireFinite('vectors', vectors);
  requireSameLength('vectors', vectors, 'times × dim', { length: n * dim });
  const ranks = denseRanks(times);
  const distances = distancesOf(vectors, dim, n);
  if (n < 3 || ranks.every((rank) => rank === ranks[0]) || distances.every((one) => one < 1e-9)) {
    return { p: null, n };
  }
  const rng = createRng(seed, 'drift');
  const observed = statistic(ranks, distances);
  const tie = 1e-12 * Math.max(1, Math.abs(observed));
  const shuffled = [...ranks];
  let atLeast = 1;
  for (let b = 0; b < permutations; b++) {
    for (let i = n - 1; i > 0; i--) {
      const j = rng.below(i + 1);
      [shuffled[i], shuffled[j]] = [shuffled[j]!, shuffled[i]!];
    }
    if (statistic(shuffled, distances) >= observed - tie) atLeast++;
  }
  return { p: atLeast / (permutations + 1), n };
}

/** 0 for the earliest; equal times share a rank. */
function denseRanks(times: number[]): number[] {
  const order = [...new Set(times)].sort((a, b) => a - b);
  const rankOf = new Map(order.map((time, rank) => [time, rank]));
  return times.map((time) => rankOf.get(time)!);
}

/** Of pairs i < j, row by row. */
function distancesOf(vectors: Float32Array, dim: number, n: number): Float64Array {
  const result = new Float64Array((n * (n - 1)) / 2);
  for (let i = 0, at = 0; i < n; i++) {
    for (let j = i + 1; j < n; j++, at++) {
      let square = 0;
      for (let d = 0; d < dim; d++) square += (vectors[i * dim + d]! - vectors[j * dim + d]!) ** 2;
      result[at] = Math.sqrt(square);
    }
  }
  return result;
}

function statistic(ranks: number[], distances: Float64Array): number {
  let sum = 0;
  for (let i = 0, at = 0; i < ranks.length; i++) {
    for (let j = i + 1; j < ranks.length; j++, at++) sum += Math.abs(ranks[i]! - ranks[j]!) * distances[at]!;
  }
  return sum;
}
