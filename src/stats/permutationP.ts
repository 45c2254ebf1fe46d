import type { Interval } from '../contracts/runRecord';
import { requireInteger } from './argumentChecks';
import { binomialCdf } from './distributions';
import { clopperPearson } from './proportions';

export interface MonteCarloP {
  /** (b + 1)/(B + 1): valid, never 0. */
  p: number;
  standardError: number;
  /** Clopper–Pearson interval of the exceedance probability that b of B estimates. */
  interval: Interval;
}

/**
 * The p-value of a permutation test with `exceeding` of `permutations` random permutations at or above the observed
 * statistic. H0: exchangeability. Super-uniform under H0 for every B (Phipson and Smyth 2010).
 * Cost: constant.
 * @throws RangeError unless permutations ≥ 1 and 0 ≤ exceeding ≤ permutations are integers.
 */
export function monteCarloP(exceeding: number, permutations: number, confidence = 0.95): MonteCarloP {
  requireInteger('permutations', permutations, 1);
  requireInteger('exceeding', exceeding, 0, permutations);
  const p = (exceeding + 1) / (permutations + 1);
  return {
    p,
    standardError: Math.sqrt((p * (1 - p)) / (permutations + 1)),
    interval: clopperPearson(exceeding, permutations, confidence),
  };
}

/**
 * Phipson and Smyth's exact p (2010) where permutations are drawn with replacement from `totalSplits` equally likely
 * splits; lies below (b+1)/(B+1). Sum over all splits up to 10,000, their integral correction above (as R statmod).
 * Cost: at most 10,000 binomial tails.
 * @throws RangeError on counts that are not integers in range.
 */
export function phipsonSmythP(exceeding: number, permutations: number, totalSplits: number): number {
  requireInteger('permutations', permutations, 1);
  requireInteger('exceeding', exceeding, 0, permutations);
  // C(60, 30) is beyond the integers that a double holds exactly, which does no harm here.
  requireInteger('totalSplits', totalSplits, 1, Number.MAX_VALUE);
  if (totalSplits <= 10_000) {
    let sum = 0;
    for (let split = 1; split <= totalSplits; split++) {
      sum += binomialCdf(exceeding, permutations, split / totalSplits);
    }
    return sum / totalSplits;
  }
  // Simpson's rule over [0, 1/(2·total)], where the integrand is almost a straight line.
  const upper = 0.5 / totalSplits;
  const panels = 128;
  let sum = 0;
  for (let i = 0; i <= panels; i++) {
    const weight = i === 0 || i === panels ? 1 : i % 2 === 1 ? 4 : 2;
    sum += weight * binomialCdf(exceeding, permutations, (upper * i) / panels);
  }
  return (exceeding + 1) / (permutations + 1) - (sum * upper) / (3 * panels);
}

/**
 * The smallest B whose p-floor 1/(B+1) reaches `level`. @throws RangeError if level is not inside (0, 1]. Cost:
 * constant.
 */
export function minimumPermutations(level: number): number {
  if (!(level > 0 && level <= 1)) throw new RangeError(`level must be in (0, 1], got ${level}`);
  return Math.max(1, Math.ceil(1 / level - 1e-9) - 1);
}
