import type { Interval } from '../contracts/runRecord';
import { requireInteger, requireOpenUnit, requireWithin } from './argumentChecks';
import { betaQuantile } from './beta';
import { binomialCdf, binomialPmf, binomialUpper } from './distributions';
import { normalQuantile } from './normal';

/**
 * Intervals for one proportion, k successes of n independent trials. `confidence` is the level, e.g. 0.95.
 * All of them: @throws RangeError unless n ≥ 1, 0 ≤ k ≤ n are integers and confidence lies inside (0, 1).
 */
type ProportionInterval = (k: number, n: number, confidence?: number) => Interval;

/** z with P(|Z| > z) = 1 − confidence. */
export const twoSidedZ = (confidence: number) => -normalQuantile((1 - confidence) / 2);

/** Wilson's score interval (1927): good coverage from small n on. Exactly 0 at k = 0 and 1 at k = n. */
export const wilson: ProportionInterval = (k, n, confidence = 0.95) => {
  requireCounts(k, n, confidence);
  const z = twoSidedZ(confidence);
  const square = z * z;
  const middle = (k + square / 2) / (n + square);
  const half = (z * Math.sqrt((k * (n - k)) / n + square / 4)) / (n + square);
  return clipped(k === 0 ? 0 : middle - half, k === n ? 1 : middle + half, confidence);
};

/** Clopper and Pearson (1934): coverage never below the level, at the price of width. */
export const clopperPearson: ProportionInterval = (k, n, confidence = 0.95) => {
  requireCounts(k, n, confidence);
  const tail = (1 - confidence) / 2;
  const low = k === 0 ? 0 : betaQuantile(tail, k, n - k + 1);
  // 1 − quantile of the mirrored distribution: keeps the digits of a bound next to 0.
  const high = k === n ? 1 : 1 - betaQuantile(tail, n - k, k + 1);
  return clipped(low, high, confidence);
};

/** Equal-tailed posterior interval under Jeffreys' Beta(½, ½) prior, without an endpoint convention. */
export const jeffreys: ProportionInterval = (k, n, confidence = 0.95) => {
  requireCounts(k, n, confidence);
  const tail = (1 - confidence) / 2;
  return clipped(
    betaQuantile(tail, k + 0.5, n - k + 0.5),
    1 - betaQuantile(tail, n - k + 0.5, k + 0.5),
    confidence,
  );
};

/** Agresti and Coull (1998), clipped to [0, 1]. */
export const agrestiCoull: ProportionInterval = (k, n, confidence = 0.95) => {
  requireCounts(k, n, confidence);
  const z = twoSidedZ(confidence);
  const total = n + z * z;
  const centre = (k + (z * z) / 2) / total;
  const half = z * Math.sqrt((centre * (1 - centre)) / total);
  return clipped(centre - half, centre + half, confidence);
};

/** The textbook interval p ± z√(p(1−p)/n), clipped to [0, 1]. For comparison only: its coverage is poor. */
export const wald: ProportionInterval = (k, n, confidence = 0.95) => {
  requireCounts(k, n, confidence);
  const rate = k / n;
  const half = twoSidedZ(confidence) * Math.sqrt((rate * (1 - rate)) / n);
  return clipped(rate - half, rate + half, confidence);
};

/**
 * Exact binomial test of H0: rate = p0, for k of n independent trials. Two-sided: all outcomes no likelier than k
 * (ties within 1e-7 relative, as in SciPy and R). Cost: n densities.
 * @throws RangeError on counts that are not 0 ≤ k ≤ n, or p0 outside [0, 1].
 */
export function binomialTest(
  k: number,
  n: number,
  p0: number,
): { twoSided: number; less: number; greater: number } {
  requireInteger('n', n, 1);
  requireInteger('k', k, 0, n);
  requireWithin('p0', p0, 0, 1);
  const limit = binomialPmf(k, n, p0) * (1 + 1e-7);
  let twoSided = 0;
  for (let j = 0; j <= n; j++) {
    const mass = binomialPmf(j, n, p0);
    if (mass <= limit) twoSided += mass;
  }
  return {
    twoSided: Math.min(1, twoSided),
    less: binomialCdf(k, n, p0),
    greater: binomialUpper(k, n, p0),
  };
}

const clipped = (low: number, high: number, level: number): Interval => ({
  low: Math.max(0, low),
  high: Math.min(1, high),
  level,
});

export function requireCounts(k: number, n: number, confidence: number): void {
  requireInteger('n', n, 1);
  requireInteger('k', k, 0, n);
  requireOpenUnit('confidence', confidence);
}
