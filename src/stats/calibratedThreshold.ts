import { requireInteger, requireOpenUnit, requireWithin } from './argumentChecks';
import { drawBinomial } from './draws';
import { conformalQuantile } from './quantile';
import { createRng, type Rng } from './rng';

/**
 * The calibrated mode of Algorithm C: its statistic min_j |k_j − k′| with a threshold from simulation instead of a bound, so
 * that a few hundred responses are enough. [ours]
 */

/** Shapes of the null rates on [a, b] under which the size is held. */
export const NULL_SHAPES = ['uniform', 'beta', 'twoPoint', 'concentrated'] as const;
export type NullShape = (typeof NULL_SHAPES)[number];

/** One rate of a family of the given shape on [a, b]: `beta` is Beta(2, 5), `concentrated` the middle tenth. */
export function drawNullRate(shape: NullShape, a: number, b: number, rng: Rng): number {
  const c = b - a;
  switch (shape) {
    case 'uniform':
      return a + c * rng.unit();
    case 'beta': {
      // the second smallest of six uniform numbers
      const uniform = Array.from({ length: 6 }, () => rng.unit()).sort((x, y) => x - y);
      return a + c * uniform[1]!;
    }
    case 'twoPoint':
      return rng.unit() < 0.5 ? a : b;
    case 'concentrated':
      return a + c * (0.45 + 0.1 * rng.unit());
  }
}

export interface CalibratedThreshold {
  /** Reject if every null count differs from the test count by more than this many responses. */
  thresholdCount: number;
  /** The same as a difference of rates. */
  threshold: number;
  m: number;
  r: number;
  /** Simulated null cases per shape. */
  simulations: number;
}

/**
 * The smallest threshold on min_j |k_j − k′| whose size is at most alpha under all four null shapes on [a, b], by simulating
 * Binomial(r, ·) noise. Each shape's threshold is a conformal quantile, so the simulation's own error is covered as well.
 * Holds for families that look like one of the shapes on the interval used: the pilot's interval, not the truth.
 * Cost: 4·simulations·(m + 1) binomial draws. Same seed, same threshold.
 * @throws RangeError unless 0 ≤ a ≤ b ≤ 1, alpha is inside (0, 1), m, r ≥ 1 and simulations ≥ 1/alpha are integers.
 */
export function calibrateThreshold(input: {
  a: number;
  b: number;
  alpha: number;
  m: number;
  r: number;
  simulations?: number;
  seed: number;
}): CalibratedThreshold {
  const { a, b, alpha, m, r, simulations = 2000, seed } = input;
  requireWithin('a', a, 0, 1);
  requireWithin('b', b, a, 1);
  requireOpenUnit('alpha', alpha);
  requireInteger('m', m, 1);
  requireInteger('r', r, 1);
  requireInteger('simulations', simulations, Math.ceil(1 / alpha));
  let thresholdCount = 0;
  for (const shape of NULL_SHAPES) {
    const rng = createRng(seed, `calibrate.${shape}`);
    const statistics = Array.from({ length: simulations }, () =>
      smallestGap(m, r, drawNullRate(shape, a, b, rng), () => drawNullRate(shape, a, b, rng), rng),
    );
    thresholdCount = Math.max(thresholdCount, conformalQuantile(statistics, alpha).value);
  }
  return { thresholdCount, threshold: thresholdCount / r, m, r, simulations };
}

function smallestGap(m: number, r: number, testRate: number, nullRate: () => number, rng: Rng): number {
  const testCount = drawBinomial(r, testRate, rng);
  let gap = Infinity;
  for (let j = 0; j < m; j++) gap = Math.min(gap, Math.abs(drawBinomial(r, nullRate(), rng) - testCount));
  return gap;
}

/**
 * The test with a calibrated threshold. H0: the test query's rate is one more of the family's.
 * Assumes the family on which the threshold was calibrated; small m: little power, never more size. Cost: m.
 * @throws RangeError on counts that are not integers in 0 … r or a number of null queries other than m.
 */
export function calibratedTest(
  nullCounts: readonly number[],
  testCount: number,
  threshold: CalibratedThreshold,
): { statistic: number; nearest: number; reject: boolean } {
  const { m, r, thresholdCount } = threshold;
  if (nullCounts.length !== m)
    throw new RangeError(`nullCounts must hold ${m} counts, got ${nullCounts.length}`);
  requireInteger('testCount', testCount, 0, r);
  nullCounts.forEach((count, j) => requireInteger(`nullCounts[${j}]`, count, 0, r));
  const gaps = nullCounts.map((count) => Math.abs(count - testCount));
  const gap = Math.min(...gaps);
  return { statistic: gap / r, nearest: gaps.indexOf(gap), reject: gap > thresholdCount };
}

export type CalibratedPlan =
  | { feasible: true; chosen: CalibratedThreshold & { averagePower: number; calls: number } }
  | { feasible: false; chosen: null; explanation: string; whatHelps: string[] };

/**
 * m and r for a budget: the split with the largest average power over test rates uniform outside [a, b], null rates uniform
 * on it. Cost: up to eight calibrations. Errors as `calibrateThreshold`, budget an integer ≥ 1.
 */
export function calibratedPlan(input: {
  a: number;
  b: number;
  alpha: number;
  budget: number;
  simulations?: number;
  seed: number;
}): CalibratedPlan {
  const { a, b, alpha, budget, simulations = 2000, seed } = input;
  requireInteger('budget', budget, 1);
  requireWithin('a', a, 0, 1);
  requireWithin('b', b, a, 1);
  const candidates = [3, 5, 8, 12, 19, 30, 45, 60]
    .map((m) => ({ m, r: Math.floor(budget / (m + 1)) }))
    .filter(({ r }) => r >= 2);
  if (candidates.length === 0 || b - a >= 1) {
    return {
      feasible: false,
      chosen: null,
      explanation:
        b - a >= 1
          ? 'The null family covers every rate from 0 to 1: no answer rate can be unusual.'
          : `${budget} responses are too few for 3 rewordings and the test query.`,
      whatHelps: b - a >= 1 ? ['rewordings that change less'] : ['at least 8 responses'],
    };
  }
  const plans = candidates.map(({ m, r }) => {
    const threshold = calibrateThreshold({ a, b, alpha, m, r, simulations, seed });
    const rng = createRng(seed, 'calibrate.power');
    let rejected = 0;
    for (let i = 0; i < simulations; i++) {
      const u = rng.unit() * (1 - (b - a));
      const outside = u < a ? u : u + (b - a);
      const gap = smallestGap(m, r, outside, () => drawNullRate('uniform', a, b, rng), rng);
      if (gap > threshold.thresholdCount) rejected++;
    }
    return { ...threshold, averagePower: rejected / simulations, calls: r * (m + 1) };
  });
  const chosen = plans.reduce((best, plan) => (plan.averagePower > best.averagePower ? plan : best));
  return { feasible: true, chosen };
}
