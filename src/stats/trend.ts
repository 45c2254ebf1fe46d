import { requireInteger } from './argumentChecks';
import type { FlipCount } from './flipRates';
import { logChoose } from './logGamma';
import { normalSf } from './normal';

export interface TrendResult {
  /** Cochran–Armitage z; positive: flips become more frequent with strength. */
  z: number;
  /** One-sided, for an increase. */
  pIncrease: number;
  twoSided: number;
  /** `exact`: the permutation distribution given the number of flips. `asymptotic`: normal approximation. */
  method: 'exact' | 'asymptotic';
}

/** Above this many items the normal approximation is as good and the exact distribution slow. */
const LARGEST_EXACT = 200;

/**
 * Cochran–Armitage test of a trend of flip rates over strength, scores 0 … 3. H0: the rate is the same at every strength;
 * items independent (one per question). Exact up to 200 items; two-sided exact p doubles the smaller tail.
 * Null where there is no trend to speak of: fewer than two strengths, no flips, or only flips.
 * @throws RangeError on counts that are not integers with 0 ≤ flips ≤ n.
 */
export function cochranArmitage(counts: readonly FlipCount[]): TrendResult | null {
  let items = 0;
  let flips = 0;
  let scores = 0;
  let squares = 0;
  let observed = 0;
  for (const row of counts) {
    requireInteger(`n at strength ${row.strength}`, row.n, 0);
    requireInteger(`flips at strength ${row.strength}`, row.flips, 0, row.n);
    items += row.n;
    flips += row.flips;
    scores += row.n * row.strength;
    squares += row.n * row.strength ** 2;
    observed += row.flips * row.strength;
  }
  if (flips === 0 || flips === items || counts.filter((row) => row.n > 0).length < 2) return null;
  const share = flips / items;
  const variance = (share * (1 - share) * (squares - scores ** 2 / items) * items) / (items - 1);
  const z = (observed - share * scores) / Math.sqrt(variance);
  if (items > LARGEST_EXACT) {
    return {
      z,
      pIncrease: normalSf(z),
      twoSided: Math.min(1, 2 * normalSf(Math.abs(z))),
      method: 'asymptotic',
    };
  }
  const { atLeast, atMost } = exactTails(counts, items, flips, observed);
  return {
    z,
    pIncrease: atLeast,
    twoSided: Math.min(1, 2 * Math.min(atLeast, atMost)),
    method: 'exact',
  };
}

/** P(Σ strength·flips ≥ and ≤ observed) when the flips fall on the items at random: one convolution per strength. */
function exactTails(counts: readonly FlipCount[], items: number, flips: number, observed: number) {
  // mass[f][s]: probability weight of f flips with score s so far, divided by C(items, flips) from the start
  let mass = new Map<number, number>([[0, Math.exp(-logChoose(items, flips))]]);
  const width = 3 * flips + 1;
  for (const row of counts) {
    const ways = Array.from({ length: Math.min(row.n, flips) + 1 }, (_, f) => Math.exp(logChoose(row.n, f)));
    const next = new Map<number, number>();
    for (const [key, weight] of mass) {
      const used = Math.floor(key / width);
      for (let f = 0; f < ways.length && used + f <= flips; f++) {
        const to = key + f * width + f * row.strength;
        next.set(to, (next.get(to) ?? 0) + weight * ways[f]!);
      }
    }
    mass = next;
  }
  let atLeast = 0;
  let atMost = 0;
  for (const [key, weight] of mass) {
    if (Math.floor(key / width) !== flips) continue;
    const score = key % width;
    if (score >= observed) atLeast += weight;
    if (score <= observed) atMost += weight;
  }
  return { atLeast: Math.min(1, atLeast), atMost: Math.min(1, atMost) };
}
