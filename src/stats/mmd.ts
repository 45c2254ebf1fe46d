/** Maximum mean discrepancy with Gaussian kernels at bandwidths tied to the data (Gretton et al. 2012). */
import { requireInteger, requirePositive } from './argumentChecks';
import { checkArms } from './arms';
import { blockSums } from './energy';

/** Bandwidths as multiples of the median pairwise distance. */
export const BANDWIDTH_MULTIPLIERS = [0.25, 0.5, 1, 2, 4] as const;

/**
 * Median of the pooled i < j distances, the mean of the two middle ones for an even number.
 * @param distances full n × n. @throws RangeError for n < 2. Cost n² log n.
 */
export function medianDistance(distances: ArrayLike<number>, n: number): number {
  requireInteger('n', n, 2);
  const values = new Float64Array((n * (n - 1)) / 2);
  let k = 0;
  for (let i = 0; i < n; i++) for (let j = 0; j < i; j++) values[k++] = distances[i * n + j]!;
  values.sort();
  const middle = values.length >> 1;
  return values.length % 2 === 1 ? values[middle]! : (values[middle - 1]! + values[middle]!) / 2;
}

/**
 * exp(−d²/2σ²) for every pair, full n × n, ones on the diagonal. Cost n²/2 exponentials.
 * @param distances full n × n, symmetric, zero diagonal.
 * @param sigma bandwidth in the unit of the distances, above 0. @throws RangeError otherwise.
 */
export function gaussianKernel(distances: Float64Array, sigma: number): Float64Array {
  requirePositive('sigma', sigma);
  const n = Math.round(Math.sqrt(distances.length));
  const scale = -1 / (2 * sigma * sigma);
  const kernel = new Float64Array(n * n);
  for (let i = 0; i < n; i++) {
    kernel[i * n + i] = 1;
    for (let j = 0; j < i; j++) {
      const d = distances[i * n + j]!;
      kernel[i * n + j] = kernel[j * n + i] = Math.exp(d * d * scale);
    }
  }
  return kernel;
}

/**
 * Squared MMD of two samples from a pooled kernel matrix: `unbiased` leaves the diagonals out (may be negative; null
 * where an arm holds one output), `biased` keeps them.
 * @param kernel full (n0+n1)², symmetric; the first n0 rows are arm 0.
 * @throws RangeError for empty arms or a matrix of another size. Cost (n0+n1)².
 */
export function mmd(
  kernel: ArrayLike<number>,
  n0: number,
  n1: number,
): { unbiased: number | null; biased: number } {
  checkArms(n0, n1, kernel.length);
  const { within0, within1, cross } = blockSums(kernel, n0, n1);
  const n = n0 + n1;
  let diagonal0 = 0;
  let diagonal1 = 0;
  for (let i = 0; i < n; i++) {
    if (i < n0) diagonal0 += kernel[i * n + i]!;
    else diagonal1 += kernel[i * n + i]!;
  }
  const meanCross = cross / (n0 * n1);
  return {
    unbiased:
      Math.min(n0, n1) < 2
        ? null
        : (within0 - diagonal0) / (n0 * (n0 - 1)) + (within1 - diagonal1) / (n1 * (n1 - 1)) - 2 * meanCross,
    biased: within0 / (n0 * n0) + within1 / (n1 * n1) - 2 * meanCross,
  };
}
