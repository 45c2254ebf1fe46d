/** Similarities and distances of unit embeddings, as full row-major n × n matrices. */
import { requireInteger } from './argumentChecks';

export interface PairMatrices {
  n: number;
  /** Cosine similarities in [−1, 1]. */
  similarity: Float64Array;
  /** Euclidean distances of the unit vectors, in [0, 2]; the diagonal is 0. */
  distance: Float64Array;
}

/**
 * Rows scaled to length 1, in double precision.
 * Cost: rows × dim.
 * @param vectors rows × dim, row-major.
 * @param nameRow words for row i in an error, e.g. `response 3 of the baseline`.
 * @throws RangeError naming the row that is short, holds a value that is not finite, or has length 0.
 */
export function unitRows(
  vectors: ArrayLike<number>,
  rows: number,
  dim: number,
  nameRow: (row: number) => string = (row) => `row ${row}`,
): Float64Array {
  requireInteger('dim', dim, 1);
  if (vectors.length !== rows * dim) {
    const row = Math.min(Math.floor(vectors.length / dim), rows);
    throw new RangeError(
      row < rows
        ? `embedding of ${nameRow(row)} has ${vectors.length - row * dim} of ${dim} values`
        : `embeddings hold ${vectors.length} values, ${rows} × ${dim} were expected`,
    );
  }
  const unit = new Float64Array(rows * dim);
  for (let row = 0; row < rows; row++) {
    let squares = 0;
    for (let k = row * dim; k < (row + 1) * dim; k++) {
      const value = vectors[k]!;
      if (!Number.isFinite(value))
        throw new RangeError(`embedding of ${nameRow(row)} holds ${value} at ${k - row * dim}`);
      squares += value * value;
    }
    const norm = Math.sqrt(squares);
    if (norm === 0 || !Number.isFinite(norm))
      throw new RangeError(`embedding of ${nameRow(row)} has length ${norm}`);
    for (let k = row * dim; k < (row + 1) * dim; k++) unit[k] = vectors[k]! / norm;
  }
  return unit;
}

/**
 * Cosine similarities and Euclidean distances of unit rows. Distances come from differences, d = ‖u − v‖, and the cosine
 * from them, 1 − d²/2: the other way round, sqrt(2 − 2cos) would lose half of the digits for near-identical vectors.
 * Equal rows get distance 0 and similarity 1 exactly. Cost n²·dim / 2.
 * Sizes are not checked.
 */
export function pairMatrices(unit: Float64Array, n: number, dim: number): PairMatrices {
  const distance = euclideanDistances(unit, n, dim);
  const similarity = distance.map((d) => Math.max(-1, 1 - (d * d) / 2));
  return { n, similarity, distance };
}

/** Euclidean distances of any points, full n × n. Cost n²·dim / 2. Sizes are not checked. */
export function euclideanDistances(points: Float64Array, n: number, dim: number): Float64Array {
  const distance = new Float64Array(n * n);
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < i; j++) {
      distance[i * n + j] = distance[j * n + i] = Math.sqrt(squaredDistance(points, i * dim, j * dim, dim));
    }
  }
  return distance;
}

/** Four sums side by side: an addition need not wait for the one before. */
function squaredDistance(points: Float64Array, a: number, b: number, dim: number): number {
  let s0 = 0;
  let s1 = 0;
  let s2 = 0;
  let s3 = 0;
  let k = 0;
  for (; k + 4 <= dim; k += 4) {
    const d0 = points[a + k]! - points[b + k]!;
    const d1 = points[a + k + 1]! - points[b + k + 1]!;
    const d2 = points[a + k + 2]! - points[b + k + 2]!;
    const d3 = points[a + k + 3]! - points[b + k + 3]!;
    s0 += d0 * d0;
    s1 += d1 * d1;
    s2 += d2 * d2;
    s3 += d3 * d3;
  }
  for (; k < dim; k++) s0 += (points[a + k]! - points[b + k]!) ** 2;
  return s0 + s1 + (s2 + s3);
}

/**
 * Manhattan distances of rows (not scaled), full n × n; for the paper's Table 4. Cost n²·dim / 2. Sizes are not
 * checked.
 */
export function manhattanDistances(vectors: ArrayLike<number>, n: number, dim: number): Float64Array {
  const distance = new Float64Array(n * n);
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < i; j++) {
      let sum = 0;
      for (let k = 0; k < dim; k++) sum += Math.abs(vectors[i * dim + k]! - vectors[j * dim + k]!);
      distance[i * n + j] = distance[j * n + i] = sum;
    }
  }
  return distance;
}
