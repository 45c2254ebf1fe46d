import { requirePositive, requireWithin } from './argumentChecks';
import { logBeta, stirlingError } from './logGamma';

/** Both tails of a distribution at one point. Each is computed without subtracting the other where it is small. */
export interface Tails {
  lower: number;
  upper: number;
}

/**
 * expected·(r − 1 − log r) with r = actual/expected, where `difference` = actual − expected: the deviance of one cell.
 * Near r = 1 from the difference (no cancellation), far from it from the ratio (no lost digits of a tiny r).
 */
export function cellDeviance(expected: number, actual: number, difference: number): number {
  const d = difference / expected;
  if (Math.abs(d) > 0.25) return difference - expected * Math.log(actual / expected);
  let sum = 0;
  let power = d * d;
  for (let k = 2; k < 40; k++) {
    const next = sum + power / k;
    if (next === sum) break;
    sum = next;
    power *= -d;
  }
  return expected * sum;
}

/** x^a y^b / B(a, b), y = 1 − x. Large a and b: as a deviance, so that their large logarithms never meet. */
function betaKernel(x: number, y: number, a: number, b: number): number {
  if (Math.min(a, b) < 8) return Math.exp(a * Math.log(x) + b * logOf(y, x) - logBeta(a, b));
  const n = a + b;
  const difference = x < 0.5 ? n * x - a : b - n * y;
  const deviance = cellDeviance(a, n * x, difference) + cellDeviance(b, n * y, -difference);
  return (
    Math.exp(stirlingError(n) - stirlingError(a) - stirlingError(b) - deviance) *
    Math.sqrt((a * b) / (2 * Math.PI * n))
  );
}

/** log y for y = 1 − x: the smaller of the two carries the digits. */
const logOf = (y: number, x: number) => (x < 0.5 ? Math.log1p(-x) : Math.log(y));

/** Continued fraction of I_x(a, b), modified Lentz (Numerical Recipes 6.4); fast for x below (a+1)/(a+b+2). */
function betaFraction(x: number, a: number, b: number): number {
  const tiny = 1e-300;
  let c = 1;
  let d = 1 - ((a + b) * x) / (a + 1);
  d = 1 / (Math.abs(d) < tiny ? tiny : d);
  let h = d;
  for (let m = 1; m < 100_000; m++) {
    const even = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m));
    d = 1 + even * d;
    d = 1 / (Math.abs(d) < tiny ? tiny : d);
    c = 1 + even / c;
    if (Math.abs(c) < tiny) c = tiny;
    h *= d * c;
    const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1));
    d = 1 + odd * d;
    d = 1 / (Math.abs(d) < tiny ? tiny : d);
    c = 1 + odd / c;
    if (Math.abs(c) < tiny) c = tiny;
    const factor = d * c;
    h *= factor;
    if (Math.abs(factor - 1) < 1e-16) break;
  }
  return h;
}

/**
 * Both tails of Beta(a, b) at x, where y = 1 − x is passed as well because one of the two may be tiny. Cost grows with
 * √max(a, b). Arguments are not checked.
 */
export function betaTails(x: number, y: number, a: number, b: number): Tails {
  if (x <= 0) return { lower: 0, upper: 1 };
  if (y <= 0) return { lower: 1, upper: 0 };
  const kernel = betaKernel(x, y, a, b);
  if (x < (a + 1) / (a + b + 2)) {
    const lower = Math.min(1, (kernel * betaFraction(x, a, b)) / a);
    return { lower, upper: 1 - lower };
  }
  const upper = Math.min(1, (kernel * betaFraction(y, b, a)) / b);
  return { lower: 1 - upper, upper };
}

/**
 * P(X ≤ x) for X ~ Beta(a, b), the regularised incomplete beta function. Relative error about 1e-13.
 * Cost grows with √max(a, b). @throws RangeError on x outside [0, 1] or a, b not positive.
 */
export function betaCdf(x: number, a: number, b: number): number {
  requireBeta(x, a, b);
  return betaTails(x, 1 - x, a, b).lower;
}

/**
 * P(X > x) for X ~ Beta(a, b), not computed as 1 − cdf where it is small. Errors as `betaCdf`. Cost as `betaCdf`.
 */
export function betaSf(x: number, a: number, b: number): number {
  requireBeta(x, a, b);
  return betaTails(x, 1 - x, a, b).upper;
}

/**
 * The x with P(X ≤ x) = p for X ~ Beta(a, b), to about 1e-12 relative.
 * Newton on log p against log-odds of x, kept inside a bracket.
 * Cost: about ten of `betaCdf`.
 * @throws RangeError on p outside [0, 1] or a, b not positive.
 */
export function betaQuantile(p: number, a: number, b: number): number {
  requireWithin('p', p, 0, 1);
  requirePositive('a', a);
  requirePositive('b', b);
  if (p === 0 || p === 1) return p;
  // Work in the tail that is smaller, where relative accuracy means something.
  const useLower = p <= 0.5;
  const target = Math.log(useLower ? p : 1 - p);
  let low = -744;
  let high = 744;
  let logOdds = Math.max(low, Math.min(high, Math.log(a / b)));
  for (let step = 0; step < 200; step++) {
    const x = 1 / (1 + Math.exp(-logOdds));
    const y = 1 / (1 + Math.exp(logOdds));
    const tails = betaTails(x, y, a, b);
    const tail = useLower ? tails.lower : tails.upper;
    const gap = Math.log(tail) - target;
    if (gap === 0) break;
    if (gap > 0 === useLower) high = logOdds;
    else low = logOdds;
    const slope = (betaKernel(x, y, a, b) / tail) * (useLower ? 1 : -1);
    let next = logOdds - gap / slope;
    if (!(next > low && next < high)) next = (low + high) / 2;
    const moved = Math.abs(next - logOdds);
    logOdds = next;
    if (moved < 1e-15 * Math.max(1, Math.abs(next))) break;
  }
  return 1 / (1 + Math.exp(-logOdds));
}

function requireBeta(x: number, a: number, b: number): void {
  requireWithin('x', x, 0, 1);
  requirePositive('a', a);
  requirePositive('b', b);
}
