import { requireInteger } from './argumentChecks';

interface Pair {
  /** Row within its own arm, from 0. */
  first: number;
  second: number;
  /** Cosine, −1 … 1. */
  similarity: number;
}

/**
 * Of all pairs across two arms, the two outputs most alike and the two least alike. The first such pair where several
 * are equal. Cost: n0 × n1 × dim.
 * @param vectors (n0+n1) × dim, row-major, unit rows; the first n0 are one arm
 * @throws RangeError when an arm is empty
 */
export function extremePairs(
  vectors: ArrayLike<number>,
  dim: number,
  n0: number,
  n1: number,
): { nearest: Pair; furthest: Pair } {
  requireInteger('n0', n0, 1);
  requireInteger('n1', n1, 1);
  let nearest: Pair = { first: 0, second: 0, similarity: Number.NEGATIVE_INFINITY };
  let furthest: Pair = { first: 0, second: 0, similarity: Number.POSITIVE_INFINITY };
  for (let i = 0; i < n0; i++) {
    for (let j = 0; j < n1; j++) {
      let similarity = 0;
      for (let k = 0; k < dim; k++) similarity += vectors[i * dim + k]! * vectors[(n0 + j) * dim + k]!;
      if (similarity > nearest.similarity) nearest = { first: i, second: j, similarity };
      if (similarity < furthest.similarity) furthest = { first: i, second: j, similarity };
    }
  }
  return { nearest, furthest };
}
