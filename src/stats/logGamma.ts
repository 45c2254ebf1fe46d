import { requireInteger, requirePositive } from './argumentChecks';

const EULER = 0.5772156649015329;
const HALF_LOG_TWO_PI = 0.9189385332046728;

/** (ζ(k) − 1)/k for k = 2 … 40, by ζ(k) − 1 = Σ_{n=2}^{N} n^−k + Euler–Maclaurin tail. */
const zetaTerms = Array.from({ length: 39 }, (_, index) => {
  const k = index + 2;
  const last = 40;
  let sum =
    last ** (1 - k) / (k - 1) -
    0.5 * last ** -k +
    (k / 12) * last ** (-k - 1) -
    ((k * (k + 1) * (k + 2)) / 720) * last ** (-k - 3) +
    ((k * (k + 1) * (k + 2) * (k + 3) * (k + 4)) / 30240) * last ** (-k - 5);
  sum -= ((k * (k + 1) * (k + 2) * (k + 3) * (k + 4) * (k + 5) * (k + 6)) / 1209600) * last ** (-k - 7);
  for (let n = last; n >= 2; n--) sum += n ** -k;
  return sum / k;
});

/** log Γ(2 + d) for |d| ≤ 1/2: (1 − γ)d + Σ (−1)^k (ζ(k) − 1) d^k / k. Keeps its digits next to the zero at 2. */
function logGammaNearTwo(d: number): number {
  let sum = 0;
  for (let i = zetaTerms.length - 1; i >= 0; i--) sum = zetaTerms[i]! - d * sum;
  return d * (1 - EULER + d * sum);
}

/**
 * The error of Stirling's formula: log Γ(x) − [(x − ½) log x − x + ½ log 2π], for x > 0.
 * It is what is left when the large terms of a binomial or beta density cancel.
 * Cost: constant. x is not checked.
 */
export function stirlingError(x: number): number {
  if (x < 16) return Number.isInteger(x) ? smallIntegers[x - 1]! : stirlingErrorSmall(x);
  const s = 1 / (x * x);
  return (
    (1 / 12 -
      s * (1 / 360 - s * (1 / 1260 - s * (1 / 1680 - s * (1 / 1188 - s * (691 / 360360 - s * (1 / 156))))))) /
    x
  );
}

const stirlingErrorSmall = (x: number) => logGammaSmall(x) - ((x - 0.5) * Math.log(x) - x + HALF_LOG_TWO_PI);
/** Binomial densities ask for these all the time. */
const smallIntegers = Array.from({ length: 15 }, (_, i) => stirlingErrorSmall(i + 1));

function logGammaSmall(x: number): number {
  if (x < 0.5) return logGammaSmall(x + 1) - Math.log(x);
  if (x < 1.5) return logGammaNearTwo(x - 1) - Math.log1p(x - 1);
  let product = 1;
  let y = x;
  while (y > 2.5) {
    y -= 1;
    product *= y;
  }
  return logGammaNearTwo(y - 2) + Math.log(product);
}

/**
 * log Γ(x) for x > 0. Relative error below 1e-14, also next to the zeros at 1 and 2.
 * Series at 2 below 16, Stirling's series above (Abramowitz and Stegun 6.1.33, 6.1.41).
 * Cost: constant.
 * @throws RangeError if x is not positive and finite.
 */
export function logGamma(x: number): number {
  requirePositive('x', x);
  return x < 16 ? logGammaSmall(x) : (x - 0.5) * Math.log(x) - x + HALF_LOG_TWO_PI + stirlingError(x);
}

/**
 * log B(a, b) for a, b > 0, without the cancellation of three log-gammas where both are large.
 * Cost: constant.
 * @throws RangeError if a or b is not positive and finite.
 */
export function logBeta(a: number, b: number): number {
  requirePositive('a', a);
  requirePositive('b', b);
  const small = Math.min(a, b);
  const large = Math.max(a, b);
  if (large < 16) return logGammaSmall(small) + logGammaSmall(large) - logGammaSmall(small + large);
  // log Γ(large) − log Γ(small + large), the large terms cancelled by hand
  const ratio =
    (large - 0.5) * -Math.log1p(small / large) -
    small * Math.log(large + small) +
    small +
    stirlingError(large) -
    stirlingError(small + large);
  return logGamma(small) + ratio;
}

/** log C(n, k). @throws RangeError unless 0 ≤ k ≤ n are integers. Cost: constant. */
export function logChoose(n: number, k: number): number {
  requireInteger('n', n, 0);
  requireInteger('k', k, 0, n);
  return k === 0 || k === n ? 0 : -Math.log(n + 1) - logBeta(n - k + 1, k + 1);
}

/**
 * log [x(x+1)…(x+k−1)] = log Γ(x+k) − log Γ(x) for x > 0 and an integer k ≥ 0, without cancellation.
 * Cost: k below 32, constant above.
 * Arguments are not checked.
 */
export function logRising(x: number, k: number): number {
  if (k < 32) {
    let sum = 0;
    let product = 1;
    for (let i = 0; i < k; i++) {
      product *= x + i;
      if (product > 1e200 || product < 1e-200) {
        sum += Math.log(product);
        product = 1;
      }
    }
    return sum + Math.log(product);
  }
  if (x < 16) return logGamma(x + k) - logGammaSmall(x);
  return (x - 0.5) * Math.log1p(k / x) + k * (Math.log(x + k) - 1) + stirlingError(x + k) - stirlingError(x);
}
