import { requireInteger } from './argumentChecks';
import type { Rng } from './rng';

/** Rows that the axes are fitted to at most; all rows are placed. */
const MAX_FITTED_ROWS = 1_000;
const ITERATIONS = 60;

export interface PrincipalMap {
  /** One point per row, n × 2, row-major. */
  points: Float64Array;
  /** Shares of the rows' variance along the two axes, of the fitted rows; 0 where the rows do not vary. */
  shares: [number, number];
}

/**
 * The two directions in which rows vary most (principal components), and where each row lies along them: a sketch to
 * look at, never to decide by. For unit rows this is classical MDS of their Euclidean distances. Subspace iteration; the
 * sign of an axis is fixed so that its largest loading is positive. More than 1,000 rows: fitted to evenly spaced ones.
 * Cost: 240 × rows × dim.
 * @param vectors n × dim, row-major, finite
 * @throws RangeError when n or dim is less than 1
 * Source: Gower, Some distance properties of latent root and vector methods (1966)
 */
export function principalMap(vectors: ArrayLike<number>, n: number, dim: number, rng: Rng): PrincipalMap {
  requireInteger('n', n, 1);
  requireInteger('dim', dim, 1);
  const stride = Math.max(1, Math.ceil(n / MAX_FITTED_ROWS));
  const fitted = Array.from({ length: Math.ceil(n / stride) }, (_, i) => i * stride);
  const centre = new Float64Array(dim);
  for (const row of fitted)
    for (let k = 0; k < dim; k++) centre[k]! += vectors[row * dim + k]! / fitted.length;
  const along = (row: number, axis: Float64Array): number => {
    let sum = 0;
    for (let k = 0; k < dim; k++) sum += (vectors[row * dim + k]! - centre[k]!) * axis[k]!;
    return sum;
  };
  let total = 0;
  for (const row of fitted)
    for (let k = 0; k < dim; k++) total += (vectors[row * dim + k]! - centre[k]!) ** 2;

  const first = Float64Array.from({ length: dim }, () => rng.unit() - 0.5);
  const second = Float64Array.from({ length: dim }, () => rng.unit() - 0.5);
  const variances: [number, number] = [0, 0];
  const axes = [first, second] as const;
  for (let step = 0; step < ITERATIONS && total > 0; step++) {
    axes.forEach((axis, a) => {
      const next = new Float64Array(dim);
      for (const row of fitted) {
        const weight = along(row, axis);
        for (let k = 0; k < dim; k++) next[k]! += weight * (vectors[row * dim + k]! - centre[k]!);
      }
      if (a === 1) removeDirection(next, first);
      variances[a] = normOf(next);
      scaleTo(axis, next, variances[a]!);
    });
  }
  for (const axis of axes) fixSign(axis);
  const points = new Float64Array(2 * n);
  for (let row = 0; row < n; row++)
    axes.forEach((axis, a) => (points[2 * row + a] = total > 0 ? along(row, axis) : 0));
  const share = (variance: number) => (total > 0 ? Math.min(1, variance / total) : 0);
  return { points, shares: [share(variances[0]), share(variances[1])] };
}

const normOf = (vector: Float64Array) => Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0));

function removeDirection(vector: Float64Array, unit: Float64Array): void {
  const product = vector.reduce((sum, value, k) => sum + value * unit[k]!, 0);
  for (let k = 0; k < vector.length; k++) vector[k]! -= product * unit[k]!;
}

/** A direction of no variance is left as nothing. */
function scaleTo(target: Float64Array, vector: Float64Array, norm: number): void {
  for (let k = 0; k < target.length; k++) target[k] = norm > 1e-12 ? vector[k]! / norm : 0;
}

function fixSign(axis: Float64Array): void {
  const largest = axis.reduce((best, value) => (Math.abs(value) > Math.abs(best) ? value : best), 0);
  if (largest < 0) for (let k = 0; k < axis.length; k++) axis[k]! *= -1;
}
