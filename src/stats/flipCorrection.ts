import type { Interval } from '../contracts/runRecord';
import { requireWithin } from './argumentChecks';
import { bootstrap } from './bootstrap';
import { countFlips, STRENGTHS, type FlipCount, type FlipItem, type Strength } from './flipRates';
import type { Rng } from './rng';

/** An item whose strength the judge and a person both rated. */
export interface LabelledStrength {
  judged: Strength;
  true: Strength;
}

/**
 * P(true level | judged level) from labelled items, each cell + ½: a level without labels is spread evenly.
 * matrix[judged][true]; rows add up to 1.
 * Cost: labels.
 */
export function misclassification(labels: readonly LabelledStrength[]): number[][] {
  const matrix = STRENGTHS.map(() => STRENGTHS.map(() => 0.5));
  for (const label of labels) matrix[label.judged]![label.true]! += 1;
  return matrix.map((row) => {
    const sum = row.reduce((total, value) => total + value, 0);
    return row.map((value) => value / sum);
  });
}

/**
 * Flip rates by true level: Σ_s n_s·FR(s)·C[s][t] / Σ_s n_s·C[s][t], C from `misclassification`. Assumes that within a
 * judged level flipping does not depend on the true level, so it pulls rates of confused levels together.
 * Cost: constant. Few labels: the ½ in each cell pulls all rates towards their mean.
 */
export function correctedRates(
  counts: readonly FlipCount[],
  matrix: readonly (readonly number[])[],
): (number | null)[] {
  return STRENGTHS.map((t) => {
    let flips = 0;
    let n = 0;
    for (const row of counts) {
      flips += row.flips * matrix[row.strength]![t]!;
      n += row.n * matrix[row.strength]![t]!;
    }
    return n > 0 ? flips / n : null;
  });
}

export interface CorrectedFlipRates {
  /** By true strength 0 … 3; null where there is nothing to correct. */
  rates: (number | null)[];
  intervals: (Interval | null)[];
  overall: { difference: number | null; interval: Interval | null };
  labels: number;
}

/**
 * Misclassification-corrected flip rates with a bootstrap over questions and labels together (percentile interval).
 * Shown beside the plain rates, never instead of them. Cost: draws passes over the items.
 * @throws RangeError if there are no items or no labels, or draws is below 1 or confidence not inside (0, 1).
 */
export function correctedFlipRates(
  items: readonly FlipItem[],
  labels: readonly LabelledStrength[],
  { rng, draws = 2000, confidence = 0.95 }: { rng: Rng; draws?: number; confidence?: number },
): CorrectedFlipRates {
  if (items.length === 0) throw new RangeError('items must not be empty');
  if (labels.length === 0) throw new RangeError('labels must not be empty');
  const questions = [...new Set(items.map((item) => item.question))];
  const groups = questions.map((question) => items.filter((item) => item.question === question));
  const figures = (groupIndices: ArrayLike<number>, labelIndices: ArrayLike<number>) => {
    const chosen = Array.from(groupIndices).flatMap((index) => groups[index]!);
    const seen = Array.from(labelIndices, (index) => labels[index]!);
    const rates = correctedRates(countFlips(chosen), misclassification(seen));
    const difference = rates[3] === null || rates[0] === null ? null : rates[3]! - rates[0]!;
    return [...rates, difference];
  };
  const everyGroup = groups.map((_, i) => i);
  const everyLabel = labels.map((_, i) => i);
  const resamples = Array.from({ length: draws }, () => ({
    groups: everyGroup.map(() => rng.below(groups.length)),
    labels: everyLabel.map(() => rng.below(labels.length)),
  }));
  const perDraw = resamples.map((draw) => figures(draw.groups, draw.labels));
  const observed = figures(everyGroup, everyLabel);
  // `bootstrap` resamples one list of units; here a unit of it stands for a whole draw of both lists.
  const intervals = observed.map(
    (value, figure) =>
      bootstrap({
        units: 1,
        statistic: (indices) => (indices.length === 1 ? value : (perDraw[indices[1]!]![figure] ?? null)),
        resamples: perDraw.map((_, draw) => [0, draw]),
        confidence,
      }).percentile,
  );
  return {
    rates: observed.slice(0, 4),
    intervals: intervals.slice(0, 4),
    overall: { difference: observed[4]!, interval: intervals[4]! },
    labels: labels.length,
  };
}

/**
 * How far judge error between levels 2 and 3 could move FR(3) and FR(3) − FR(0): up to `share` of the items of each of the
 * two levels are reassigned to the other, once against FR(3) and once in its favour. A bound, not an interval.
 * Cost: share² · n₂ · n₃.
 * @param share of each level that may be misrated, e.g. the share of disagreement between two human raters.
 * @throws RangeError if share lies outside [0, 1].
 */
export function reassignmentBound(
  counts: readonly FlipCount[],
  share: number,
): { responsive: { low: number; high: number } | null; overall: { low: number; high: number } | null } {
  requireWithin('share', share, 0, 1);
  const at = (strength: Strength) =>
    counts.find((row) => row.strength === strength) ?? { strength, flips: 0, n: 0 };
  const two = at(2);
  const three = at(3);
  const weakest = at(0);
  const moved2 = Math.floor(share * two.n + 1e-9);
  const moved3 = Math.floor(share * three.n + 1e-9);
  let low = Infinity;
  let high = -Infinity;
  // Which numbers of items move is the adversary's choice as well; which items: flipped out, unflipped in, or the reverse.
  for (let out = 0; out <= moved3; out++) {
    for (let into = 0; into <= moved2; into++) {
      const n = three.n - out + into;
      if (n === 0) continue;
      const fewest = three.flips - Math.min(out, three.flips) + Math.max(0, into - (two.n - two.flips));
      const stay = three.n - three.flips;
      const most = three.flips - Math.max(0, out - stay) + Math.min(into, two.flips);
      low = Math.min(low, fewest / n);
      high = Math.max(high, most / n);
    }
  }
  if (low > high) return { responsive: null, overall: null };
  const robust = weakest.n > 0 ? weakest.flips / weakest.n : null;
  return {
    responsive: { low, high },
    overall: robust === null ? null : { low: low - robust, high: high - robust },
  };
}
