import { requireInteger, requirePositive, requireWithin } from './argumentChecks';
import { binomialPmf } from './distributions';
import { normalQuantile } from './normal';
import type { Rng } from './rng';

/** A standard normal draw, by inversion. */
export function drawNormal(rng: Rng): number {
  return normalQuantile((rng.uint32() + 0.5) / 4294967296);
}

/** A draw from Gamma(shape, scale 1): Marsaglia and Tsang (2000). */
function drawGamma(shape: number, rng: Rng): number {
  if (shape < 1) return drawGamma(shape + 1, rng) * (1 - rng.unit()) ** (1 / shape);
  const d = shape - 1 / 3;
  const c = 1 / Math.sqrt(9 * d);
  for (;;) {
    const z = drawNormal(rng);
    const v = (1 + c * z) ** 3;
    if (v > 0 && Math.log(1 - rng.unit()) < 0.5 * z * z + d - d * v + d * Math.log(v)) return d * v;
  }
}

/** A draw from Beta(a, b). @throws RangeError if a or b is not positive. Cost: constant on average. */
export function drawBeta(a: number, b: number, rng: Rng): number {
  requirePositive('a', a);
  requirePositive('b', b);
  const x = drawGamma(a, rng);
  const y = drawGamma(b, rng);
  // Both underflow to 0 at tiny a and b, where the distribution is a coin between 0 and 1.
  return x + y > 0 ? x / (x + y) : Number(rng.unit() < a / (a + b));
}

/**
 * A draw from Binomial(n, p), exact for every n: inversion outwards from the mode. Cost: about √(np(1−p)) steps.
 * @throws RangeError if n is not an integer ≥ 0 or p lies outside [0, 1].
 */
export function drawBinomial(n: number, p: number, rng: Rng): number {
  requireInteger('n', n, 0);
  requireWithin('p', p, 0, 1);
  if (p === 0 || n === 0) return 0;
  if (p === 1) return n;
  const mode = Math.min(n, Math.floor((n + 1) * p));
  const odds = p / (1 - p);
  let left = rng.unit();
  let low = mode;
  let high = mode;
  let lowMass = binomialPmf(mode, n, p);
  let highMass = lowMass;
  left -= lowMass;
  while (left >= 0) {
    if (low === 0 && high === n) return mode;
    if (high < n) {
      highMass *= ((n - high) / (high + 1)) * odds;
      high++;
      left -= highMass;
      if (left < 0) return high;
    }
    if (low > 0) {
      lowMass *= low / ((n - low + 1) * odds);
      low--;
      left -= lowMass;
      if (left < 0) return low;
    }
    // Rounding may leave 1e-16 of mass that no count takes.
    if (lowMass + highMass === 0) return mode;
  }
  return mode;
}
