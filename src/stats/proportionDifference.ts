import type { Interval } from '../contracts/runRecord';
import { requireInteger } from './argumentChecks';
import { normalSf } from './normal';
import { requireCounts, twoSidedZ, wilson } from './proportions';

/**
 * Intervals for p1 − p2 from two independent samples, k1 of n1 and k2 of n2.
 * All of them: @throws RangeError unless counts are integers with 0 ≤ k ≤ n, n ≥ 1, and confidence is inside (0, 1).
 */
type DifferenceInterval = (k1: number, n1: number, k2: number, n2: number, confidence?: number) => Interval;

/** Newcombe (1998), method 10: hybrid of the two Wilson intervals. Never leaves [−1, 1]; fit for small n. */
export const newcombe: DifferenceInterval = (k1, n1, k2, n2, confidence = 0.95) => {
  const first = wilson(k1, n1, confidence);
  const second = wilson(k2, n2, confidence);
  const p1 = k1 / n1;
  const p2 = k2 / n2;
  return {
    low: p1 - p2 - Math.hypot(p1 - first.low, second.high - p2),
    high: p1 - p2 + Math.hypot(first.high - p1, p2 - second.low),
    level: confidence,
  };
};

/** The textbook interval with unpooled standard error. For comparison only. */
export const waldDifference: DifferenceInterval = (k1, n1, k2, n2, confidence = 0.95) => {
  requireCounts(k1, n1, confidence);
  requireCounts(k2, n2, confidence);
  return aroundDifference(k1 / n1, n1, k2 / n2, n2, confidence);
};

/** Agresti and Caffo (2000): one success and one failure added to each sample. Not clipped. */
export const agrestiCaffo: DifferenceInterval = (k1, n1, k2, n2, confidence = 0.95) => {
  requireCounts(k1, n1, confidence);
  requireCounts(k2, n2, confidence);
  return aroundDifference((k1 + 1) / (n1 + 2), n1 + 2, (k2 + 1) / (n2 + 2), n2 + 2, confidence);
};

function aroundDifference(p1: number, n1: number, p2: number, n2: number, confidence: number): Interval {
  const half = twoSidedZ(confidence) * Math.sqrt((p1 * (1 - p1)) / n1 + (p2 * (1 - p2)) / n2);
  return { low: p1 - p2 - half, high: p1 - p2 + half, level: confidence };
}

/**
 * Pooled two-proportion z test of H0: p1 = p2; needs large samples (use Fisher's test for small ones).
 * Null where the pooled proportion is 0 or 1: the statistic is 0/0 there.
 * Cost: constant.
 * @throws RangeError on counts that are not integers with 0 ≤ k ≤ n, n ≥ 1.
 */
export function pooledZTest(
  k1: number,
  n1: number,
  k2: number,
  n2: number,
): { z: number; twoSided: number; greater: number } | null {
  requireInteger('n1', n1, 1);
  requireInteger('n2', n2, 1);
  requireInteger('k1', k1, 0, n1);
  requireInteger('k2', k2, 0, n2);
  const pooled = (k1 + k2) / (n1 + n2);
  if (pooled === 0 || pooled === 1) return null;
  const z = (k1 / n1 - k2 / n2) / Math.sqrt(pooled * (1 - pooled) * (1 / n1 + 1 / n2));
  return { z, twoSided: Math.min(1, 2 * normalSf(Math.abs(z))), greater: normalSf(z) };
}
