import { requireInteger } from './argumentChecks';
import { STRENGTHS, type FlipCount } from './flipRates';
import { logChoose } from './logGamma';
import { normalSf } from './normal';

export interface TrendResult {
  /** Standardised score; positive: flips become more frequent with strength. */
  z: number;
  /** One-sided, for an increase. */
  pIncrease: number;
  twoSided: number;
  /** `exact`: the permutation distribution given the number of flips. `asymptotic`: normal approximation. */
  method: 'exact' | 'asymptotic';
}

/** Above this many items in one group the normal approximation is as good and the exact distribution slow. */
const LARGEST_EXACT = 200;
/** The same for all groups together. */
const LARGEST_EXACT_TOTAL = 5_000;
const STEEPEST = STRENGTHS.at(-1)!;

/**
 * Cochran–Armitage test for a trend of flip rates over strength, scores 0 … 3.
 *
 * H0: the flip rate is the same at every strength. Assumes independent items: one per question (else
 * `trendWithinQuestions`). Statistic: Σ strength · flips, given the number of flips; its variance is that of drawing
 * without replacement, so z² = (N − 1)/N times the χ² of R's `prop.trend.test`.
 * Exact up to 200 items by convolution over the strengths (cost: about 4 · flips² · 3n steps), the normal
 * approximation without continuity correction above. The two-sided exact p doubles the smaller tail.
 * Small samples: null where there is no trend to speak of: fewer than two strengths, no flips, or only flips.
 * Source: Cochran (1954); Armitage (1955); exact version: Agresti, Categorical Data Analysis, 3rd ed., 3.5.
 * @param counts items and flips, one row per strength; an absent row is n = 0
 * @throws RangeError on counts that are not integers with 0 ≤ flips ≤ n
 */
export function cochranArmitage(counts: readonly FlipCount[]): TrendResult | null {
  return trendWithinQuestions([counts]);
}

/**
 * The same test where questions have several items: flips are exchanged over the items of one question only, so that
 * easy and hard questions cannot make or hide a trend (Mantel's extension test, exact).
 *
 * H0: within each question every item is as likely to flip, whatever its strength. Assumes independent questions.
 * With one item at each of two strengths it is the exact sign test of McNemar. Questions whose items all flip, never
 * flip or have one strength say nothing and change nothing. Exact up to 200 items a question and 5,000 in all.
 * Null where no question says anything. Source: Mantel (1963), J. Am. Stat. Assoc. 58.
 * Cost as `cochranArmitage` for each question, and one convolution.
 * @param questions one list of counts per question, as for `cochranArmitage`
 * @throws RangeError as `cochranArmitage`
 */
export function trendWithinQuestions(questions: readonly (readonly FlipCount[])[]): TrendResult | null {
  const groups = questions.map(groupOf).filter((group) => group.variance > 0);
  if (groups.length === 0) return null;
  const excess = groups.reduce((sum, group) => sum + group.observed - group.expected, 0);
  const z = excess / Math.sqrt(groups.reduce((sum, group) => sum + group.variance, 0));
  const items = groups.reduce((sum, group) => sum + group.items, 0);
  if (items > LARGEST_EXACT_TOTAL || groups.some((group) => group.items > LARGEST_EXACT)) {
    return {
      z,
      pIncrease: normalSf(z),
      twoSided: Math.min(1, 2 * normalSf(Math.abs(z))),
      method: 'asymptotic',
    };
  }
  const masses = groups.map(scoreMasses).reduce(convolved);
  const observed = groups.reduce((sum, group) => sum + group.observed, 0);
  const atLeast = Math.min(1, sumOf(masses.subarray(observed)));
  const atMost = Math.min(1, sumOf(masses.subarray(0, observed + 1)));
  return { z, pIncrease: atLeast, twoSided: Math.min(1, 2 * Math.min(atLeast, atMost)), method: 'exact' };
}

interface Group {
  counts: readonly FlipCount[];
  items: number;
  flips: number;
  /** Σ strength over the flips, with its mean and variance when the flips fall on the items at random. */
  observed: number;
  expected: number;
  variance: number;
}

function groupOf(counts: readonly FlipCount[]): Group {
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
  const mixed = flips > 0 && flips < items && counts.filter((row) => row.n > 0).length > 1;
  const share = mixed ? flips / items : 0;
  const variance = mixed ? (share * (1 - share) * (squares - scores ** 2 / items) * items) / (items - 1) : 0;
  return { counts, items, flips, observed, expected: share * scores, variance };
}

/** P(Σ strength = s) for s = 0 … 3 · flips when the flips fall on the items at random. */
function scoreMasses({ counts, items, flips }: Group): Float64Array {
  const width = STEEPEST * flips + 1;
  // masses[f · width + s]: weight of f flips with score s so far, divided by C(items, flips) from the start
  let masses = new Float64Array((flips + 1) * width);
  masses[0] = Math.exp(-logChoose(items, flips));
  for (const row of counts) {
    const next = new Float64Array(masses.length);
    const most = Math.min(row.n, flips);
    const ways = Array.from({ length: most + 1 }, (_, f) => Math.exp(logChoose(row.n, f)));
    for (let used = 0; used <= flips; used++) {
      for (let score = 0; score < width; score++) {
        const weight = masses[used * width + score]!;
        if (weight === 0) continue;
        for (let f = 0; f <= most && used + f <= flips; f++) {
          const to = (used + f) * width + score + f * row.strength;
          next[to] = next[to]! + weight * ways[f]!;
        }
      }
    }
    masses = next;
  }
  return masses.slice(flips * width);
}

function convolved(a: Float64Array, b: Float64Array): Float64Array {
  const sum = new Float64Array(a.length + b.length - 1);
  for (let i = 0; i < a.length; i++) {
    if (a[i] === 0) continue;
    for (let j = 0; j < b.length; j++) sum[i + j] = sum[i + j]! + a[i]! * b[j]!;
  }
  return sum;
}

const sumOf = (values: Float64Array): number => values.reduce((total, value) => total + value, 0);
