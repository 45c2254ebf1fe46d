import type { Interval } from '../contracts/runRecord';
import { requireInteger, requireOpenUnit } from './argumentChecks';
import { clusterBootstrap } from './bootstrap';
import { newcombe } from './proportionDifference';
import { wilson } from './proportions';
import type { Rng } from './rng';

export type Strength = 0 | 1 | 2 | 3;
export const STRENGTHS: readonly Strength[] = [0, 1, 2, 3];
/** Below this many items a flip rate is shown greyed and no claim is made. */
const FEWEST_ITEMS_FOR_A_CLAIM = 10;

export interface FlipCount {
  strength: Strength;
  flips: number;
  n: number;
}

export interface FlipRate extends FlipCount {
  /** Null where n = 0. */
  rate: number | null;
  /** Wilson; null where n = 0. Assumes one item per question at this strength. */
  interval: Interval | null;
  /** n is below 10: show it greyed, claim nothing. */
  suppressed: boolean;
}

export interface FlipRates {
  rows: FlipRate[];
  /** FR(3): the higher, the more the answer follows the prompt. Null without items. */
  responsive: number | null;
  /** FR(0): the lower, the steadier. Null without items. */
  robust: number | null;
  overall: {
    /** FR(3) − FR(0). */
    difference: number;
    interval: Interval | null;
    method: 'newcombe' | 'clusterBootstrap';
    suppressed: boolean;
  } | null;
}

/** One perturbation whose answer was compared with the original's. */
export interface FlipItem {
  question: string;
  /** Null: unrated; counted apart, never as 0. */
  strength: Strength | null;
  flipped: boolean;
}

/**
 * Flip rates by strength from counts, with Wilson intervals, and FR(3) − FR(0) with Newcombe's interval (fit only where
 * no question occurs twice; see `flipRates`). Source: arXiv 2609.30849.
 * Cost: constant.
 * @throws RangeError on counts that are not integers with 0 ≤ flips ≤ n, or confidence outside (0, 1).
 */
export function flipRatesFromCounts(counts: readonly FlipCount[], confidence = 0.95): FlipRates {
  requireOpenUnit('confidence', confidence);
  const rows = STRENGTHS.map((strength): FlipRate => {
    const { flips, n } = counts.find((row) => row.strength === strength) ?? { flips: 0, n: 0 };
    requireInteger(`n at strength ${strength}`, n, 0);
    requireInteger(`flips at strength ${strength}`, flips, 0, n);
    const known = n > 0;
    return {
      strength,
      flips,
      n,
      rate: known ? flips / n : null,
      interval: known ? wilson(flips, n, confidence) : null,
      suppressed: n < FEWEST_ITEMS_FOR_A_CLAIM,
    };
  });
  const weakest = rows[0]!;
  const strongest = rows[3]!;
  const known = weakest.n > 0 && strongest.n > 0;
  return {
    rows,
    responsive: strongest.rate,
    robust: weakest.rate,
    overall: known
      ? {
          difference: strongest.rate! - weakest.rate!,
          interval: newcombe(strongest.flips, strongest.n, weakest.flips, weakest.n, confidence),
          method: 'newcombe',
          suppressed: weakest.suppressed || strongest.suppressed,
        }
      : null,
  };
}

/**
 * Flip rates of a set of items. The interval of FR(3) − FR(0) is Newcombe's where the items of both levels are all
 * different questions, and a cluster bootstrap by question (bias-corrected, else percentile) as soon as one question
 * has more than one of them. `unrated` items are counted and left out.
 * Cost: draws × items where questions repeat.
 * @throws RangeError if confidence is not inside (0, 1) or draws is not an integer ≥ 1.
 */
export function flipRates(
  items: readonly FlipItem[],
  { rng, draws = 2000, confidence = 0.95 }: { rng: Rng; draws?: number; confidence?: number },
): FlipRates & { unrated: number } {
  const rates = flipRatesFromCounts(countFlips(items), confidence);
  const unrated = items.filter((item) => item.strength === null).length;
  const ends = items.filter((item) => item.strength === 0 || item.strength === 3);
  const repeated = new Set(ends.map((item) => item.question)).size < ends.length;
  if (rates.overall === null || !repeated) return { ...rates, unrated };
  const result = clusterBootstrap({
    clusters: ends.map((item) => item.question),
    statistic: (indices) => endDifference(ends, indices),
    draws,
    rng,
    confidence,
  });
  const interval = result.biasCorrected ?? result.percentile;
  return { ...rates, overall: { ...rates.overall, interval, method: 'clusterBootstrap' }, unrated };
}

/** Flips and items per strength; unrated items are left out. Cost: items. */
export function countFlips(items: readonly FlipItem[]): FlipCount[] {
  return STRENGTHS.map((strength) => {
    const own = items.filter((item) => item.strength === strength);
    return { strength, flips: own.filter((item) => item.flipped).length, n: own.length };
  });
}

function endDifference(items: readonly FlipItem[], indices: ArrayLike<number>): number | null {
  let n0 = 0;
  let n3 = 0;
  let flips0 = 0;
  let flips3 = 0;
  for (let i = 0; i < indices.length; i++) {
    const item = items[indices[i]!]!;
    if (item.strength === 3) {
      n3++;
      if (item.flipped) flips3++;
    } else {
      n0++;
      if (item.flipped) flips0++;
    }
  }
  return n0 > 0 && n3 > 0 ? flips3 / n3 - flips0 / n0 : null;
}
