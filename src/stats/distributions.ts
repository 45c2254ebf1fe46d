import { requireInteger, requireOpenUnit, requirePositive, requireWithin } from './argumentChecks';
import { betaQuantile, betaTails, cellDeviance } from './beta';
import { logChoose, logRising, stirlingError } from './logGamma';

/**
 * P(T ≤ t) for Student's t with `df` degrees of freedom. @throws RangeError on t not finite or df not positive. Cost
 * as `betaCdf`.
 */
export function tCdf(t: number, df: number): number {
  if (!Number.isFinite(t)) throw new RangeError(`t must be a finite number, got ${t}`);
  requirePositive('df', df);
  const square = t * t;
  const tail = betaTails(df / (df + square), square / (df + square), df / 2, 0.5).lower / 2;
  return t < 0 ? tail : 1 - tail;
}

/**
 * The t with P(T ≤ t) = p. @throws RangeError if p is not inside (0, 1) or df is not positive. Cost as `betaQuantile`.
 */
export function tQuantile(p: number, df: number): number {
  requireOpenUnit('p', p);
  requirePositive('df', df);
  if (p === 0.5) return 0;
  const tail = Math.min(p, 1 - p);
  // With u = t²/(df + t²) ~ Beta(½, df/2): P(|T| > t) = P(U > u).
  const v = betaQuantile(2 * tail, df / 2, 0.5);
  // v = 1 − u; 1 − 2·tail would lose the digits of a small tail, 1 − v those of a t near 0.
  const u = tail < 0.05 ? 1 - v : betaQuantile(1 - 2 * tail, 0.5, df / 2);
  const size = Math.sqrt((df * u) / v);
  return p < 0.5 ? -size : size;
}

/**
 * P(X = k) for X ~ Binomial(n, p), by Loader's saddle point (2000): relative error about 1e-14 for any n. Cost:
 * constant. @throws RangeError unless 0 ≤ k ≤ n are integers and p is in [0, 1].
 */
export function binomialPmf(k: number, n: number, p: number): number {
  requireBinomial(k, n, p);
  return binomialDensity(k, n, p, 1 - p);
}

function binomialDensity(k: number, n: number, p: number, q: number): number {
  if (p === 0) return k === 0 ? 1 : 0;
  if (q === 0) return k === n ? 1 : 0;
  if (k === 0) return Math.exp(n * (p < 0.5 ? Math.log1p(-p) : Math.log(q)));
  if (k === n) return Math.exp(n * (q < 0.5 ? Math.log1p(-q) : Math.log(p)));
  const difference = p < 0.5 ? n * p - k : n - k - n * q;
  const deviance = cellDeviance(k, n * p, difference) + cellDeviance(n - k, n * q, -difference);
  return (
    Math.exp(stirlingError(n) - stirlingError(k) - stirlingError(n - k) - deviance) *
    Math.sqrt(n / (2 * Math.PI * k * (n - k)))
  );
}

/**
 * P(X ≤ k) for X ~ Binomial(n, p). @throws RangeError unless 0 ≤ k ≤ n are integers and p is in [0, 1]. Cost grows
 * with √n.
 */
export function binomialCdf(k: number, n: number, p: number): number {
  requireBinomial(k, n, p);
  return k === n ? 1 : betaTails(1 - p, p, n - k, k + 1).lower;
}

/** P(X ≥ k) for X ~ Binomial(n, p), accurate where it is small. Errors as `binomialCdf`. Cost grows with √n. */
export function binomialUpper(k: number, n: number, p: number): number {
  requireBinomial(k, n, p);
  return k === 0 ? 1 : betaTails(p, 1 - p, k, n - k + 1).lower;
}

/**
 * P(X = k): k marked among `draws` drawn without replacement from `population` that holds `marked`.
 * 0 outside the support. @throws RangeError unless the sizes are integers with marked, draws ≤ population.
 * Cost: constant.
 */
export function hypergeometricPmf(k: number, population: number, marked: number, draws: number): number {
  requireHypergeometric(k, population, marked, draws);
  if (k < Math.max(0, draws - (population - marked)) || k > Math.min(marked, draws)) return 0;
  if (population === 0) return 1;
  // A ratio of three binomial densities at the same p: the large terms cancel inside each.
  const p = draws / population;
  const q = (population - draws) / population;
  return (
    (binomialDensity(k, marked, p, q) * binomialDensity(draws - k, population - marked, p, q)) /
    binomialDensity(draws, population, p, q)
  );
}

/** P(X ≤ k) of the hypergeometric distribution. Cost: one pass over the support. Errors as the pmf. */
export function hypergeometricCdf(k: number, population: number, marked: number, draws: number): number {
  requireHypergeometric(k, population, marked, draws);
  const first = Math.max(0, draws - (population - marked));
  const last = Math.min(marked, draws);
  if (k >= last) return 1;
  let sum = 0;
  for (let j = first; j <= k; j++) sum += hypergeometricPmf(j, population, marked, draws);
  return Math.min(1, sum);
}

/**
 * log P(X = k) for X ~ BetaBinomial(n, a, b), by rising factorials: no cancellation at large a and b. Cost: constant.
 * @throws RangeError unless 0 ≤ k ≤ n are integers and a, b positive.
 */
export function betaBinomialLogPmf(k: number, n: number, a: number, b: number): number {
  requireInteger('n', n, 0);
  requireInteger('k', k, 0, n);
  requirePositive('a', a);
  requirePositive('b', b);
  return logChoose(n, k) + logRising(a, k) + logRising(b, n - k) - logRising(a + b, n);
}

/** The beta-binomial distribution at one count. */
export interface BetaBinomialPoint {
  logPmf: number;
  pmf: number;
  /** P(X ≤ k) */
  cdf: number;
  /** P(X > k) */
  sf: number;
  /** P(X ≥ k) */
  upper: number;
  mean: number;
  variance: number;
}

/**
 * Everything about BetaBinomial(n, a, b) at k. Both tails are sums of their own terms. Cost: n + 1 densities.
 * @throws RangeError unless 0 ≤ k ≤ n are integers and a, b are positive.
 */
export function betaBinomialAt(k: number, n: number, a: number, b: number): BetaBinomialPoint {
  const mass = (j: number) => Math.exp(betaBinomialLogPmf(j, n, a, b));
  let below = 0;
  for (let j = 0; j < k; j++) below += mass(j);
  let sf = 0;
  for (let j = n; j > k; j--) sf += mass(j);
  // Next to log 1 the digits are in what is left for the other counts.
  const logPmf = below + sf < 0.1 ? Math.log1p(-(below + sf)) : betaBinomialLogPmf(k, n, a, b);
  const pmf = Math.exp(logPmf);
  const cdf = below + pmf;
  const total = a + b;
  return {
    logPmf,
    pmf,
    cdf: Math.min(1, cdf),
    sf: Math.min(1, sf),
    upper: Math.min(1, sf + pmf),
    mean: (n * a) / total,
    variance: (n * a * b * (total + n)) / (total * total * (total + 1)),
  };
}

function requireBinomial(k: number, n: number, p: number): void {
  requireInteger('n', n, 0);
  requireInteger('k', k, 0, n);
  requireWithin('p', p, 0, 1);
}

function requireHypergeometric(k: number, population: number, marked: number, draws: number): void {
  requireInteger('population', population, 0);
  requireInteger('marked', marked, 0, population);
  requireInteger('draws', draws, 0, population);
  if (!Number.isInteger(k)) throw new RangeError(`k must be an integer, got ${k}`);
}
