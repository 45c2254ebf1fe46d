import type { Interval } from '../contracts/runRecord';
import { requireFinite, requireOpenUnit, requireSameLength, requireWithin } from './argumentChecks';
import { bootstrap, type BootstrapResult } from './bootstrap';
import { ranks } from './correlation';
import { twoSidedZ } from './proportions';
import type { Rng } from './rng';

/** Points of the curve from (0, 0) to (1, 1), one per distinct score, the largest first; thresholds[0] is Infinity. */
export interface RocCurve {
  fpr: number[];
  tpr: number[];
  thresholds: number[];
}

/**
 * Receiver operating characteristic. Label 1 = `meaningful` (should change), 0 = `irrelevant`; larger scores mean
 * change (use 1 − p). Equal scores share one point. Cost: n log n.
 * @throws RangeError if lengths differ, a label is not 0 or 1, a class is empty, or a score is not finite.
 */
export function rocCurve(labels: readonly number[], scores: ArrayLike<number>): RocCurve {
  const { positives, negatives } = requireClasses(labels, scores);
  const order = labels.map((_, i) => i).sort((i, j) => scores[j]! - scores[i]!);
  const curve: RocCurve = { fpr: [0], tpr: [0], thresholds: [Infinity] };
  let truePositives = 0;
  let falsePositives = 0;
  order.forEach((item, position) => {
    if (labels[item] === 1) truePositives++;
    else falsePositives++;
    const next = order[position + 1];
    if (next !== undefined && scores[next] === scores[item]) return;
    curve.fpr.push(falsePositives / negatives);
    curve.tpr.push(truePositives / positives);
    curve.thresholds.push(scores[item]!);
  });
  return curve;
}

/**
 * Area under the curve = P(score of a meaningful > score of an irrelevant), ties counted half. Errors as `rocCurve`.
 * Cost: n log n.
 */
export function auc(labels: readonly number[], scores: ArrayLike<number>): number {
  const { positives, negatives } = requireClasses(labels, scores);
  const rank = ranks(scores);
  const sum = labels.reduce((total, label, i) => total + (label === 1 ? rank[i]! : 0), 0);
  return (sum - (positives * (positives + 1)) / 2) / (positives * negatives);
}

/**
 * DeLong's variance (1988) of the AUC and its normal interval, clipped to [0, 1] as pROC does. Assumes independent
 * items; too narrow for a handful of items or an AUC at 0 or 1. Null where a class has one member.
 * Errors as `rocCurve`, and RangeError if confidence is not inside (0, 1).
 * Cost: n log n.
 */
export function delong(
  labels: readonly number[],
  scores: ArrayLike<number>,
  confidence = 0.95,
): { auc: number; variance: number; interval: Interval } | null {
  requireOpenUnit('confidence', confidence);
  const { positives, negatives } = requireClasses(labels, scores);
  if (positives < 2 || negatives < 2) return null;
  const area = auc(labels, scores);
  const all = ranks(scores);
  // Placement values: an item's rank among all minus its rank within its own class counts the other class below it.
  const placementVariance = (label: number, own: number, other: number) => {
    const items = labels.flatMap((value, i) => (value === label ? [i] : []));
    const within = ranks(items.map((i) => scores[i]!));
    const placements = items.map((i, position) => (all[i]! - within[position]!) / other);
    const mean = placements.reduce((sum, value) => sum + value, 0) / own;
    return placements.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (own - 1);
  };
  const variance =
    placementVariance(1, positives, negatives) / positives +
    placementVariance(0, negatives, positives) / negatives;
  const half = twoSidedZ(confidence) * Math.sqrt(variance);
  return {
    auc: area,
    variance,
    interval: { low: Math.max(0, area - half), high: Math.min(1, area + half), level: confidence },
  };
}

/**
 * The largest TPR that some threshold reaches with FPR ≤ `fpr`: what can be done in practice. Cost: points. @throws
 * RangeError if fpr lies outside [0, 1].
 */
export function tprAtFprStep(curve: RocCurve, fpr: number): number {
  return curve.tpr[lastPointAt(curve, fpr)]!;
}

/**
 * Linear between the curve's points (a randomised threshold); on a vertical stretch its top. Cost and errors as
 * `tprAtFprStep`.
 */
export function tprAtFprInterpolated(curve: RocCurve, fpr: number): number {
  const index = lastPointAt(curve, fpr);
  const low = curve.tpr[index]!;
  if (index === curve.fpr.length - 1) return low;
  const share = (fpr - curve.fpr[index]!) / (curve.fpr[index + 1]! - curve.fpr[index]!);
  return low + Math.max(0, share) * (curve.tpr[index + 1]! - low);
}

function lastPointAt(curve: RocCurve, fpr: number): number {
  requireWithin('fpr', fpr, 0, 1);
  let index = 0;
  while (index + 1 < curve.fpr.length && curve.fpr[index + 1]! <= fpr + 1e-12) index++;
  return index;
}

/**
 * Shares of each class called changed at level alpha. `strict` p < alpha is the paper's rule (2506.07947 §4.2),
 * `inclusive` p ≤ alpha is how this library rejects. Null for an empty class. @throws RangeError on alpha outside [0, 1].
 * Cost: n.
 */
export function ratesAtAlpha(
  p: { irrelevant: readonly number[]; meaningful: readonly number[] },
  alpha: number,
): Record<'tprStrict' | 'fprStrict' | 'tprInclusive' | 'fprInclusive', number | null> {
  requireWithin('alpha', alpha, 0, 1);
  requireFinite('p.irrelevant', p.irrelevant);
  requireFinite('p.meaningful', p.meaningful);
  const share = (values: readonly number[], called: (value: number) => boolean) =>
    values.length === 0 ? null : values.filter(called).length / values.length;
  const strict = (value: number) => value < alpha;
  const inclusive = (value: number) => value <= alpha;
  return {
    tprStrict: share(p.meaningful, strict),
    fprStrict: share(p.irrelevant, strict),
    tprInclusive: share(p.meaningful, inclusive),
    fprInclusive: share(p.irrelevant, inclusive),
  };
}

/**
 * Bootstrap over perturbations of a figure of the curve, each class resampled within itself.
 * @param figure e.g. `auc`, or `(l, s) => tprAtFprStep(rocCurve(l, s), 0.1)`. Costs and errors as `bootstrap`.
 */
export function rocBootstrap(
  labels: readonly number[],
  scores: ArrayLike<number>,
  figure: (labels: readonly number[], scores: readonly number[]) => number,
  options: { draws: number; rng: Rng; confidence?: number },
): BootstrapResult {
  requireClasses(labels, scores);
  const classes = [0, 1].map((label) => labels.flatMap((value, i) => (value === label ? [i] : [])));
  function* resamples() {
    for (let draw = 0; draw < options.draws; draw++) {
      yield classes.flatMap((items) => items.map(() => items[options.rng.below(items.length)]!));
    }
  }
  return bootstrap({
    units: labels.length,
    statistic: (indices) => {
      const items = Array.from(indices);
      const own = items.map((i) => labels[i]!);
      // The jackknife may empty a class of one.
      if (!own.includes(0) || !own.includes(1)) return null;
      return figure(
        own,
        items.map((i) => scores[i]!),
      );
    },
    resamples: resamples(),
    ...(options.confidence === undefined ? {} : { confidence: options.confidence }),
  });
}

function requireClasses(labels: readonly number[], scores: ArrayLike<number>) {
  requireSameLength('labels', labels, 'scores', scores);
  requireFinite('scores', scores);
  let positives = 0;
  labels.forEach((label, i) => {
    if (label !== 0 && label !== 1) throw new RangeError(`labels[${i}] must be 0 or 1, got ${label}`);
    positives += label;
  });
  const negatives = labels.length - positives;
  if (positives === 0 || negatives === 0) throw new RangeError('labels must hold both classes, 0 and 1');
  return { positives, negatives };
}
