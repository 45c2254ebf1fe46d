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
 * Cosine similarities and Euclidean distances of unit rows. Distances come from differences: sqrt(2 − 2cos) loses
 * half of the digits for near-identical vectors. Equal rows get distance 0 exactly.
 * Cost n²·dim / 2 multiplications, twice.
 */
export function pairMatrices(unit: Float64Array, n: number, dim: number): PairMatrices {
  const similarity = new Float64Array(n * n);
  const distance = new Float64Array(n * n);
  for (let i = 0; i < n; i++) {
    similarity[i * n + i] = 1;
    for (let j = 0; j < i; j++) {
      let dot = 0;
      let squares = 0;
      for (let k = 0, a = i * dim, b = j * dim; k < dim; k++, a++, b++) {
        const x = unit[a]!;
        const y = unit[b]!;
        const difference = x - y;
        dot += x * y;
        squares += difference * difference;
      }
      similarity[i * n + j] = similarity[j * n + i] = Math.max(-1, Math.min(1, dot));
      distance[i * n + j] = distance[j * n + i] = Math.sqrt(squares);
    }
  }
  return { n, similarity, distance };
}

/** Manhattan distances of rows (not scaled), full n × n; for the paper's Table 4. Cost n²·dim / 2. */
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
