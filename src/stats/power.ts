import { requireInteger, requireOpenUnit, requireWithin } from './argumentChecks';
import { binomialPmf } from './distributions';
import { fisherExact } from './fisher';
import { normalCdf, normalQuantile, normalSf } from './normal';

/** Cohen's h = 2 asin √p2 − 2 asin √p1. @throws RangeError if a proportion lies outside [0, 1]. Cost: constant. */
export function cohenH(p1: number, p2: number): number {
  requireWithin('p1', p1, 0, 1);
  requireWithin('p2', p2, 0, 1);
  return 2 * Math.asin(Math.sqrt(p2)) - 2 * Math.asin(Math.sqrt(p1));
}

/**
 * Power of a two-sided test of two proportions on the arcsine scale, n per arm (Cohen 1988). Normal approximation.
 * Cost: constant.
 * @throws RangeError if h is not finite, nPerArm not positive, or alpha not inside (0, 1).
 */
export function powerArcsine(h: number, nPerArm: number, alpha: number): number {
  if (!Number.isFinite(h)) throw new RangeError(`h must be a finite number, got ${h}`);
  requireWithin('nPerArm', nPerArm, 0, Number.MAX_VALUE);
  requireOpenUnit('alpha', alpha);
  const z = -normalQuantile(alpha / 2);
  const shift = h * Math.sqrt(nPerArm / 2);
  return normalSf(z - shift) + normalCdf(-z - shift);
}

/**
 * Samples per arm (not rounded) for the wanted power at effect h; null where h is 0 or the power is at most alpha.
 * Cost: constant. @throws RangeError unless alpha and power are inside (0, 1).
 */
export function samplesPerArm(h: number, alpha: number, power: number): number | null {
  requireOpenUnit('power', power);
  const shift = shiftFor(alpha, power);
  return h === 0 || shift === null ? null : 2 * (shift / h) ** 2;
}

/**
 * The minimum detectable effect of two proportions: the smallest h, and the smallest larger proportion p2, found with the
 * wanted power. p2 is null where no proportion is large enough, h where the power is at most alpha.
 * Cost: constant.
 * @throws RangeError if p1 is outside [0, 1], nPerArm not positive, or alpha or power not inside (0, 1).
 */
export function mdeTwoProportions(
  p1: number,
  nPerArm: number,
  alpha: number,
  power = 0.8,
): { h: number | null; p2: number | null } {
  requireWithin('p1', p1, 0, 1);
  requireWithin('nPerArm', nPerArm, 1, Number.MAX_VALUE);
  requireOpenUnit('power', power);
  const shift = shiftFor(alpha, power);
  if (shift === null) return { h: null, p2: null };
  const h = shift / Math.sqrt(nPerArm / 2);
  const angle = Math.asin(Math.sqrt(p1)) + h / 2;
  return { h, p2: angle < Math.PI / 2 ? Math.sin(angle) ** 2 : null };
}

/** The mean shift s ≥ 0 with P(|Z + s| > z_{α/2}) = power, by bisection; null where power ≤ alpha. */
function shiftFor(alpha: number, power: number): number | null {
  requireOpenUnit('alpha', alpha);
  if (power <= alpha) return null;
  const z = -normalQuantile(alpha / 2);
  let low = 0;
  let high = z + normalQuantile(power) + 1;
  for (let step = 0; step < 100; step++) {
    const middle = (low + high) / 2;
    if (normalSf(z - middle) + normalCdf(-z - middle) < power) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

/**
 * Power of the pooled two-proportion z test, two-sided, n per arm (as statsmodels' power_proportions_2indep).
 * Approximate below some 30 per arm. Cost: constant. @throws RangeError on proportions outside [0, 1], nPerArm below
 * 1, alpha outside (0, 1).
 */
export function powerPooledZ(p1: number, p2: number, nPerArm: number, alpha: number): number {
  requireWithin('p1', p1, 0, 1);
  requireWithin('p2', p2, 0, 1);
  requireInteger('nPerArm', nPerArm, 1);
  requireOpenUnit('alpha', alpha);
  const pooled = (p1 + p2) / 2;
  const sdNull = Math.sqrt(2 * pooled * (1 - pooled));
  const sd = Math.sqrt(p1 * (1 - p1) + p2 * (1 - p2));
  if (sd === 0) return p1 === p2 ? 0 : 1;
  const critical = (-normalQuantile(alpha / 2) * sdNull) / sd;
  const shift = ((p2 - p1) * Math.sqrt(nPerArm)) / sd;
  return normalSf(critical - shift) + normalCdf(-critical - shift);
}

/**
 * Exact power of Fisher's two-sided test, n0 and n1 responses per arm, by enumeration of both binomials.
 * Cost: n0·n1·min(n0, n1); meant for up to about 100 per arm.
 * @throws RangeError on proportions outside [0, 1], sizes that are not integers ≥ 1, or alpha outside (0, 1).
 */
export function powerFisher(p0: number, p1: number, n0: number, n1: number, alpha: number): number {
  requireWithin('p0', p0, 0, 1);
  requireWithin('p1', p1, 0, 1);
  requireInteger('n0', n0, 1);
  requireInteger('n1', n1, 1);
  requireOpenUnit('alpha', alpha);
  const first = Array.from({ length: n0 + 1 }, (_, x) => binomialPmf(x, n0, p0));
  const second = Array.from({ length: n1 + 1 }, (_, y) => binomialPmf(y, n1, p1));
  let power = 0;
  first.forEach((px, x) =>
    second.forEach((py, y) => {
      if (px * py <= 1e-13) return;
      const table = [
        [x, n0 - x],
        [y, n1 - y],
      ] as const;
      if (fisherExact(table).twoSided <= alpha + 1e-12) power += px * py;
    }),
  );
  return power;
}

/** Arms up to this size are enumerated. */
const LARGEST_EXACT = 60;

/**
 * Before a run: the smallest share of answers that would have to turn to another kind for Fisher's test of the two kinds to
 * find it with the wanted power. With `baseShare` = 0 every answer of the baseline is of one kind: the easiest case; the
 * omnibus test then needs about as much. Else the other kind makes up `baseShare` of it already. To 0.001; null where even a full change
 * is missed. Above 60 answers an arm by the normal approximation (two-sided pooled z). Errors as `powerFisher`. Cost:
 * about ten exact powers, a fraction of a second.
 */
export function mdeShareBeforeRun(input: {
  n0: number;
  n1: number;
  alpha: number;
  power?: number;
  baseShare?: number;
}): number | null {
  const { n0, n1, alpha, power = 0.8, baseShare = 0 } = input;
  requireOpenUnit('power', power);
  requireWithin('baseShare', baseShare, 0, 1);
  const exact = Math.max(n0, n1) <= LARGEST_EXACT;
  const found = (share: number) => {
    const changed = baseShare + share * (1 - baseShare);
    return exact
      ? powerFisher(baseShare, changed, n0, n1, alpha) >= power
      : powerPooledZ(baseShare, changed, Math.floor(2 / (1 / n0 + 1 / n1)), alpha) >= power;
  };
  return smallestShare(found);
}

function smallestShare(found: (share: number) => boolean, resolution = 0.001): number | null {
  if (!found(1)) return null;
  let low = 0;
  let high = Math.round(1 / resolution);
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (found(middle * resolution)) high = middle;
    else low = middle;
  }
  return Number((high * resolution).toFixed(6));
}
