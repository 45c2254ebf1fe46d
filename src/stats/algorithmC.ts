import { requireInteger, requirePositive, requireWithin } from './argumentChecks';
import { guard } from './algorithmCPlan';
import { normalCdf, normalPdf } from './normal';

export interface AlgorithmCResult {
  pHat: number[];
  pPrime: number;
  /** T = min_j |p̂_j − p̂′| */
  statistic: number;
  /** Index of the nearest null query. */
  nearest: number;
  thresholdPaper: number;
  thresholdGuarded: number;
  /** T > ε, as published. Its size is not bounded by the plan: sampling noise is left out. */
  rejectPaper: boolean;
  /** T > ε + √(log r / r): the rule that the size bound holds for, and the default. */
  rejectGuarded: boolean;
}

/**
 * Algorithm C on yes/no answers, arXiv 2509.10963. H0: the test query's rate lies in the family's interval [a, b], with
 * rates of the family uniform on it. Take epsilon, m and r from `planAlgorithmC`. Cost: m.
 * @param responses r for every query (the test query too), at least 2.
 * @throws RangeError on counts that are not integers in 0 … r, no null query, r below 2, or epsilon not positive.
 */
export function algorithmC(input: {
  nullCounts: readonly number[];
  testCount: number;
  responses: number;
  epsilon: number;
}): AlgorithmCResult {
  const { nullCounts, testCount, responses, epsilon } = input;
  requireInteger('responses', responses, 2);
  requirePositive('epsilon', epsilon);
  requireInteger('testCount', testCount, 0, responses);
  if (nullCounts.length === 0) throw new RangeError('nullCounts must not be empty');
  const pHat = nullCounts.map((count, j) => {
    requireInteger(`nullCounts[${j}]`, count, 0, responses);
    return count / responses;
  });
  const pPrime = testCount / responses;
  const { statistic, nearest } = nearestRate(pHat, pPrime);
  const thresholdGuarded = epsilon + guard(responses);
  return {
    pHat,
    pPrime,
    statistic,
    nearest,
    thresholdPaper: epsilon,
    thresholdGuarded,
    rejectPaper: statistic > epsilon,
    rejectGuarded: statistic > thresholdGuarded,
  };
}

/**
 * The same with exact probabilities (r = ∞): no noise, so the paper's rule T > ε holds the level by itself. Cost: m.
 * @throws RangeError on probabilities outside [0, 1], no null query, or epsilon not positive.
 */
export function algorithmCExact(input: {
  nullProbabilities: readonly number[];
  testProbability: number;
  epsilon: number;
}): { statistic: number; nearest: number; threshold: number; reject: boolean } {
  const { nullProbabilities, testProbability, epsilon } = input;
  requirePositive('epsilon', epsilon);
  requireWithin('testProbability', testProbability, 0, 1);
  if (nullProbabilities.length === 0) throw new RangeError('nullProbabilities must not be empty');
  nullProbabilities.forEach((p, j) => requireWithin(`nullProbabilities[${j}]`, p, 0, 1));
  const { statistic, nearest } = nearestRate(nullProbabilities, testProbability);
  return { statistic, nearest, threshold: epsilon, reject: statistic > epsilon };
}

function nearestRate(rates: readonly number[], rate: number): { statistic: number; nearest: number } {
  let nearest = 0;
  rates.forEach((other, j) => {
    if (Math.abs(other - rate) < Math.abs(rates[nearest]! - rate)) nearest = j;
  });
  return { statistic: Math.abs(rates[nearest]! - rate), nearest };
}

/**
 * Probability that the ideal test (all rates known, m null rates uniform on [a, b]) rejects a query of rate p:
 * (1 − |[p − ε, p + ε] ∩ [a, b]|/c)^m. At p = a: the size (1 − ε/c)^m; outside by t: (1 − (ε − t)/c)^m.
 * Cost: constant. Source: arXiv 2509.10963.
 * @throws RangeError unless 0 ≤ a < b ≤ 1, p is in [0, 1], epsilon is positive and m an integer ≥ 1.
 */
export function idealRejection(input: {
  a: number;
  b: number;
  epsilon: number;
  m: number;
  p: number;
}): number {
  const { a, b, epsilon, m, p } = input;
  requireInterval(a, b);
  requirePositive('epsilon', epsilon);
  requireInteger('m', m, 1);
  requireWithin('p', p, 0, 1);
  const overlap = Math.max(0, Math.min(b, p + epsilon) - Math.max(a, p - epsilon));
  return Math.max(0, 1 - overlap / (b - a)) ** m;
}

/**
 * Average power over all p′ outside [a, b], each side by its own length: holds for every epsilonPlus, also where an end
 * touches 0 or 1 (the paper's own example, whose formula needs ε ≤ min(a, c, 1 − b), is infeasible there).
 * Cost: constant.
 * @throws RangeError unless 0 ≤ a < b ≤ 1, not [0, 1] itself, epsilonPlus positive, m an integer ≥ 1.
 */
export function averagePowerGeneral(a: number, b: number, epsilonPlus: number, m: number): number {
  requireInterval(a, b);
  requirePositive('epsilonPlus', epsilonPlus);
  requireInteger('m', m, 1);
  const c = b - a;
  if (c >= 1) throw new RangeError('b − a must be below 1: nothing lies outside the interval');
  // ∫_0^length (1 − max(0, ε⁺ − t)/c)₊^m dt
  const side = (length: number) => {
    const low = Math.max(0, epsilonPlus - c);
    const high = Math.min(epsilonPlus, length);
    const beyond = Math.max(0, length - epsilonPlus);
    if (high <= low) return beyond;
    const at = (t: number) => Math.max(0, 1 - (epsilonPlus - t) / c) ** (m + 1);
    return beyond + (c / (m + 1)) * (at(high) - at(low));
  };
  return (side(a) + side(1 - b)) / (1 - c);
}

/**
 * Rejection probability of the realistic test at a fixed p′: m null rates uniform on [a, b], all rates seen through r
 * responses (normal approximation of the noise, good from r ≈ 100 on), rejecting at T > threshold.
 * Cost: some 10^5 normal tails.
 * @throws RangeError unless 0 ≤ a < b ≤ 1, pPrime in [0, 1], m and r integers ≥ 1, threshold positive.
 */
export function rejectionProbability(input: {
  a: number;
  b: number;
  m: number;
  r: number;
  threshold: number;
  pPrime: number;
}): number {
  const { a, b, m, r, threshold, pPrime } = input;
  requireInterval(a, b);
  requireInteger('m', m, 1);
  requireInteger('r', r, 1);
  requirePositive('threshold', threshold);
  requireWithin('pPrime', pPrime, 0, 1);
  // E over a null rate p of P(p̂ ≤ u | p): ∫ Φ((u − p)/s) dp in closed form, s taken where the step is.
  const shareBelow = (u: number) => {
    const at = Math.min(b, Math.max(a, u));
    const s = Math.sqrt((at * (1 - at)) / r);
    if (s === 0) return (at - a) / (b - a);
    const integral = (z: number) => z * normalCdf(z) + normalPdf(z);
    return (s * (integral((u - a) / s) - integral((u - b) / s))) / (b - a);
  };
  const spread = Math.sqrt((pPrime * (1 - pPrime)) / r);
  const steps = 240;
  let sum = 0;
  let weights = 0;
  for (let i = 0; i <= steps; i++) {
    const z = -6 + (12 * i) / steps;
    const weight = normalPdf(z);
    const seen = pPrime + spread * z;
    const near = shareBelow(seen + threshold) - shareBelow(seen - threshold);
    sum += weight * Math.max(0, 1 - near) ** m;
    weights += weight;
  }
  return sum / weights;
}

function requireInterval(a: number, b: number): void {
  requireWithin('a', a, 0, 1);
  requireWithin('b', b, 0, 1);
  if (!(a < b)) throw new RangeError(`b must be above a, got a = ${a} and b = ${b}`);
}
