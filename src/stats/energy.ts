/** Energy distance of two samples from a pooled distance matrix (Székely & Rizzo). */
import { checkArms } from './arms';

interface EnergyDistance {
  /** V-statistic: the zero diagonal stays in the within-arm means. At least 0. */
  v: number;
  /** U-statistic: the diagonal is left out; unbiased, may be negative. Null where an arm holds one output. */
  u: number | null;
  /** Coefficient of inhomogeneity v / (2·meanCross) in [0, 1]; 0 where meanCross is 0. */
  h: number;
  meanCross: number;
  /** Within-arm means over all ordered pairs, the diagonal included. */
  meanWithin0V: number;
  meanWithin1V: number;
}

/**
 * 2·mean d(Y,Y') − mean d(Y,Y) − mean d(Y',Y'). Zero for equal distributions when d is Euclidean.
 * @param distances pooled, full (n0+n1)², row-major, symmetric, zero diagonal; the first n0 rows are arm 0.
 * @throws RangeError for empty arms or a matrix of another size. Cost (n0+n1)².
 */
export function energyDistance(distances: ArrayLike<number>, n0: number, n1: number): EnergyDistance {
  checkArms(n0, n1, distances.length);
  const { within0, within1, cross } = blockSums(distances, n0, n1);
  const meanCross = cross / (n0 * n1);
  const meanWithin0V = within0 / (n0 * n0);
  const meanWithin1V = within1 / (n1 * n1);
  const v = 2 * meanCross - meanWithin0V - meanWithin1V;
  const u =
    Math.min(n0, n1) < 2 ? null : 2 * meanCross - within0 / (n0 * (n0 - 1)) - within1 / (n1 * (n1 - 1));
  return { v, u, h: meanCross > 0 ? v / (2 * meanCross) : 0, meanCross, meanWithin0V, meanWithin1V };
}

/**
 * Sums over ordered pairs within each arm (the diagonal included) and over all cross pairs. Cost (n0+n1)². Sizes are
 * not checked.
 */
export function blockSums(matrix: ArrayLike<number>, n0: number, n1: number) {
  const n = n0 + n1;
  let within0 = 0;
  let within1 = 0;
  let cross = 0;
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < n; j++) {
      const value = matrix[i * n + j]!;
      if (i < n0 && j < n0) within0 += value;
      else if (i >= n0 && j >= n0) within1 += value;
      else if (i < n0) cross += value;
    }
  }
  return { within0, within1, cross };
}
