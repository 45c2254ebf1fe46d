import { requireOpenUnit, requirePositive } from './argumentChecks';
import { cellDeviance, type Tails } from './beta';
import { logGamma, stirlingError } from './logGamma';

/** x^a e^−x / Γ(a). */
function gammaKernel(x: number, a: number): number {
  if (a < 8) return Math.exp(a * Math.log(x) - x - logGamma(a));
  return Math.exp(-cellDeviance(a, x, x - a) - stirlingError(a)) * Math.sqrt(a / (2 * Math.PI));
}

/** Both tails of Gamma(a, scale 1) at x: series below a + 1, continued fraction above (Numerical Recipes 6.2). */
function gammaTails(x: number, a: number): Tails {
  if (x <= 0) return { lower: 0, upper: 1 };
  const kernel = gammaKernel(x, a);
  if (x < a + 1) {
    let term = 1 / a;
    let sum = term;
    for (let k = 1; term > sum * 1e-17; k++) {
      term *= x / (a + k);
      sum += term;
    }
    const lower = Math.min(1, kernel * sum);
    return { lower, upper: 1 - lower };
  }
  let b = x + 1 - a;
  let c = 1e300;
  let d = 1 / b;
  let h = d;
  for (let k = 1; k < 100_000; k++) {
    const numerator = -k * (k - a);
    b += 2;
    d = 1 / (numerator * d + b);
    c = b + numerator / c;
    const factor = d * c;
    h *= factor;
    if (Math.abs(factor - 1) < 1e-16) break;
  }
  const upper = Math.min(1, kernel * h);
  return { lower: 1 - upper, upper };
}

/**
 * P(X > x) for X ~ χ² with `df` degrees of freedom; accurate in the far tail.
 * Cost grows with √df.
 * @throws RangeError if x is negative or not finite, or df is not positive.
 */
export function chi2Sf(x: number, df: number): number {
  if (!(Number.isFinite(x) && x >= 0))
    throw new RangeError(`x must be a finite number of at least 0, got ${x}`);
  requirePositive('df', df);
  return gammaTails(x / 2, df / 2).upper;
}

/**
 * The x with P(X ≤ x) = p for X ~ χ² with `df` degrees of freedom. Newton on log p against log x, bracketed.
 * Cost: about ten of `chi2Sf`.
 * @throws RangeError if p is not inside (0, 1) or df is not positive.
 */
export function chi2Quantile(p: number, df: number): number {
  requireOpenUnit('p', p);
  requirePositive('df', df);
  const a = df / 2;
  const useLower = p <= 0.5;
  const target = Math.log(useLower ? p : 1 - p);
  let low = -740;
  let high = 40;
  let logX = Math.log(a);
  for (let step = 0; step < 200; step++) {
    const x = Math.exp(logX);
    const tails = gammaTails(x, a);
    const tail = useLower ? tails.lower : tails.upper;
    const gap = Math.log(tail) - target;
    if (gap === 0) break;
    if (gap > 0 === useLower) high = logX;
    else low = logX;
    const slope = (gammaKernel(x, a) / tail) * (useLower ? 1 : -1);
    let next = logX - gap / slope;
    if (!(next > low && next < high)) next = (low + high) / 2;
    const moved = Math.abs(next - logX);
    logX = next;
    if (moved < 1e-15 * Math.max(1, Math.abs(next))) break;
  }
  return 2 * Math.exp(logX);
}
