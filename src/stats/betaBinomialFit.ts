import { requireInteger, requireSameLength } from './argumentChecks';
import { logChoose } from './logGamma';

/** Why the likelihood has no maximum inside; what the limit model is. */
export type BetaBinomialBoundary =
  | 'binomial' // no more spread than a binomial at the pooled rate
  | 'allZero' // every count 0
  | 'allFull' // every count n
  | 'allOrNothing' // every count 0 or n: a, b → 0
  | 'singleTrials'; // n = 1 everywhere: only mu is identified

export interface BetaBinomialFit {
  /** Null at a boundary. */
  a: number | null;
  b: number | null;
  mu: number;
  /** Overdispersion 1/(1 + a + b); 0 binomial, 1 all-or-nothing, null where it is not identified. */
  rho: number | null;
  /** Binomial coefficients included. */
  logLik: number;
  /** The same for a binomial at the pooled rate. */
  binomialLogLik: number;
  boundary: BetaBinomialBoundary | null;
}

interface Point {
  mu: number;
  /** 1/(a + b) */
  gamma: number;
  value: number;
}

/** How many families have a count above i: all that the likelihood needs. */
interface Sufficient {
  successes: Float64Array;
  failures: Float64Array;
  trials: Float64Array;
}

/**
 * Maximum likelihood fit of k_j ~ BetaBinomial(n_j, a, b), independent families j. Boundary fits are results, not
 * errors (see `BetaBinomialBoundary`). With γ = 1/(a+b) the log-likelihood is
 * Σ log(mu + iγ) + Σ log(1 − mu + iγ) − Σ log(1 + iγ), regular at γ = 0 and concave in mu: profile over a grid of γ,
 * then Newton. Cost: about 150 passes over max n. Small samples: rho is biased towards 0.
 * @throws RangeError if lengths differ, there is no family, or counts are not integers with 0 ≤ k ≤ n, n ≥ 1.
 */
export function fitBetaBinomial(k: readonly number[], n: readonly number[]): BetaBinomialFit {
  requireSameLength('k', k, 'n', n);
  if (k.length === 0) throw new RangeError('k must not be empty');
  let successes = 0;
  let trials = 0;
  let coefficients = 0;
  k.forEach((count, j) => {
    requireInteger(`n[${j}]`, n[j]!, 1);
    requireInteger(`k[${j}]`, count, 0, n[j]!);
    successes += count;
    trials += n[j]!;
    coefficients += logChoose(n[j]!, count);
  });
  const pooled = successes / trials;
  const binomialLogLik =
    coefficients + xlogy(successes, pooled) + xlogy(trials - successes, (trials - successes) / trials);
  const atBoundary = (
    boundary: BetaBinomialBoundary,
    rho: number | null,
    mu = pooled,
    logLik = binomialLogLik,
  ): BetaBinomialFit => ({ a: null, b: null, mu, rho, logLik, binomialLogLik, boundary });

  if (successes === 0) return atBoundary('allZero', 0);
  if (successes === trials) return atBoundary('allFull', 0);
  if (n.every((size) => size === 1)) return atBoundary('singleTrials', null);
  if (k.every((count, j) => count === 0 || count === n[j])) {
    const full = k.filter((count) => count > 0).length;
    const share = full / k.length;
    return atBoundary(
      'allOrNothing',
      1,
      share,
      xlogy(full, share) + xlogy(k.length - full, (k.length - full) / k.length),
    );
  }
  const counts: Sufficient = {
    successes: exceedances(k),
    failures: exceedances(k.map((count, j) => n[j]! - count)),
    trials: exceedances(n),
  };
  const best = maximise(counts, pooled);
  if (best.gamma < 1e-5 || coefficients + best.value <= binomialLogLik + 1e-9) {
    return atBoundary('binomial', 0);
  }
  return {
    a: best.mu / best.gamma,
    b: (1 - best.mu) / best.gamma,
    mu: best.mu,
    rho: best.gamma / (1 + best.gamma),
    logLik: coefficients + best.value,
    binomialLogLik,
    boundary: null,
  };
}

function maximise(counts: Sufficient, pooled: number): Point {
  const profile = (logGamma: number, start: number) => {
    const gamma = Math.exp(logGamma);
    const mu = bestMu(counts, gamma, start);
    return { mu, gamma, logGamma, value: logLikelihood(counts, mu, gamma) };
  };
  const grid = [profile(-12, pooled)];
  for (let logGamma = -11; logGamma <= 9; logGamma++) grid.push(profile(logGamma, grid.at(-1)!.mu));
  // A few families of very different size can have two peaks, of which the lower grid point may hide the higher one.
  const peaks = grid.filter(
    ({ value }, i) =>
      value >= (grid[i - 1]?.value ?? -Infinity) && value >= (grid[i + 1]?.value ?? -Infinity),
  );
  return peaks
    .map((peak) => climb(counts, profile, peak))
    .reduce((best, point) => (point.value > best.value ? point : best));
}

type ProfilePoint = Point & { logGamma: number };

/** Golden section around a peak of the grid, where the profile is smooth; Newton as soon as it takes hold. */
function climb(
  counts: Sufficient,
  profile: (logGamma: number, start: number) => ProfilePoint,
  peak: ProfilePoint,
): Point {
  let low = peak.logGamma - 1;
  let high = peak.logGamma + 1;
  const golden = (Math.sqrt(5) - 1) / 2;
  let left = profile(high - golden * (high - low), peak.mu);
  let right = profile(low + golden * (high - low), peak.mu);
  let nextTry = 0.1;
  while (high - low > 1e-7) {
    if (left.value < right.value) {
      low = left.logGamma;
      left = right;
      right = profile(low + golden * (high - low), right.mu);
    } else {
      high = right.logGamma;
      right = left;
      left = profile(high - golden * (high - low), left.mu);
    }
    if (high - low > nextTry) continue;
    nextTry /= 10;
    const polished = polish(counts, left.value > right.value ? left : right);
    if (polished !== null) return polished;
  }
  return left.value > right.value ? left : right;
}

/** Newton in (mu, γ) from a point near the maximum; null where it does not settle there. */
function polish(counts: Sufficient, start: Point): Point | null {
  let { mu, gamma } = start;
  for (let step = 0; step < 20; step++) {
    const d = derivatives(counts, mu, gamma);
    const determinant = d.mm * d.gg - d.mg * d.mg;
    if (!(d.mm < 0 && determinant > 0)) return null;
    const stepMu = (d.mg * d.g - d.gg * d.m) / determinant;
    const stepGamma = (d.mg * d.m - d.mm * d.g) / determinant;
    mu += stepMu;
    gamma += stepGamma;
    if (!(mu > 0 && mu < 1 && gamma > 0)) return null;
    if (Math.abs(stepMu) < 1e-12 * mu && Math.abs(stepGamma) < 1e-11 * gamma) {
      const value = logLikelihood(counts, mu, gamma);
      return value >= start.value - 1e-12 * Math.abs(start.value) ? { mu, gamma, value } : null;
    }
  }
  return null;
}

function bestMu(counts: Sufficient, gamma: number, start: number): number {
  let low = 0;
  let high = 1;
  let mu = start;
  for (let step = 0; step < 60; step++) {
    const { m, mm } = derivatives(counts, mu, gamma);
    if (m > 0) low = mu;
    else high = mu;
    let next = mu - m / mm;
    if (!(next > low && next < high)) next = (low + high) / 2;
    const moved = Math.abs(next - mu);
    mu = next;
    if (moved < 1e-10 * mu) break;
  }
  return mu;
}

function logLikelihood({ successes, failures, trials }: Sufficient, mu: number, gamma: number): number {
  let sum = 0;
  for (let i = 0; i < successes.length; i++) sum += successes[i]! * Math.log(mu + i * gamma);
  for (let i = 0; i < failures.length; i++) sum += failures[i]! * Math.log(1 - mu + i * gamma);
  for (let i = 0; i < trials.length; i++) sum -= trials[i]! * Math.log1p(i * gamma);
  return sum;
}

function derivatives({ successes, failures, trials }: Sufficient, mu: number, gamma: number) {
  const d = { m: 0, g: 0, mm: 0, mg: 0, gg: 0 };
  for (let i = 0; i < successes.length; i++) {
    const inverse = 1 / (mu + i * gamma);
    const first = successes[i]! * inverse;
    const second = first * inverse;
    d.m += first;
    d.g += i * first;
    d.mm -= second;
    d.mg -= i * second;
    d.gg -= i * i * second;
  }
  for (let i = 0; i < failures.length; i++) {
    const inverse = 1 / (1 - mu + i * gamma);
    const first = failures[i]! * inverse;
    const second = first * inverse;
    d.m -= first;
    d.g += i * first;
    d.mm -= second;
    d.mg += i * second;
    d.gg -= i * i * second;
  }
  for (let i = 0; i < trials.length; i++) {
    const inverse = 1 / (1 + i * gamma);
    const first = trials[i]! * inverse;
    d.g -= i * first;
    d.gg += i * i * first * inverse;
  }
  return d;
}

/** result[i] = how many of the values exceed i. */
function exceedances(values: readonly number[]): Float64Array {
  const result = new Float64Array(Math.max(...values));
  for (const value of values) for (let i = 0; i < value; i++) result[i]!++;
  return result;
}

const xlogy = (x: number, y: number) => (x === 0 ? 0 : x * Math.log(y));
