import { requireInteger, requireOpenUnit, requireWithin } from './argumentChecks';
import { normalQuantile, normalSf } from './normal';
import { minimumPermutations } from './permutationP';

/** Looks at these shares of the largest sample, unless the user chooses others. */
const DEFAULT_FRACTIONS: readonly number[] = [0.4, 0.7, 1];

export interface SpendingPlan {
  /** Level spent up to each look: α(t) = 2 − 2Φ(z_{α/2}/√t). */
  cumulative: number[];
  /** Nominal level of each look. They add up to alpha, so a union bound suffices: no assumption on dependence. */
  increments: number[];
  /** The smallest B whose p-floor reaches the look's level; null where that level is below 1e-8 and no B is practical. */
  minimumB: (number | null)[];
}

/**
 * Lan–DeMets spending of O'Brien–Fleming type (1983) over looks at the given fractions of the largest sample.
 * Cost: looks.
 * @throws RangeError unless alpha is inside (0, 1) and fractions rise strictly within (0, 1] and end at 1.
 */
export function spendingPlan(alpha: number, fractions: readonly number[] = DEFAULT_FRACTIONS): SpendingPlan {
  requireOpenUnit('alpha', alpha);
  requireFractions(fractions);
  const z = -normalQuantile(alpha / 2);
  const cumulative = fractions.map((t) => (t === 1 ? alpha : 2 * normalSf(z / Math.sqrt(t))));
  const increments = cumulative.map((spent, look) => spent - (look === 0 ? 0 : cumulative[look - 1]!));
  return {
    cumulative,
    increments,
    minimumB: increments.map((level) => (level > 1e-8 ? minimumPermutations(level) : null)),
  };
}

/**
 * Looks in samples per arm: fractions of k, rounded to the nearest integer, at least 4 and without repetition. @throws
 * RangeError if k is below 4, or as `spendingPlan`.
 */
export function lookSizes(k: number, fractions: readonly number[] = DEFAULT_FRACTIONS): number[] {
  requireInteger('k', k, 4);
  requireFractions(fractions);
  return [...new Set(fractions.map((t) => Math.max(4, Math.round(t * k))))];
}

/** A p that equals its level but for rounding reaches it. */
const TIE = 1e-12;

export interface SequentialResult {
  /** 0-based; null: no look rejected. */
  rejectAtLook: number | null;
  looksUsed: number;
  /** min over the looks made of p_i·alpha/increment_i, capped at 1: at most alpha exactly when a look rejects. */
  adjustedP: number;
}

/**
 * Decision of a group-sequential test: stop at the first look whose p is at most its increment. Valid for any dependence of
 * the looks. `p` may hold fewer looks than are planned (the run is still going).
 * Null hypothesis: that of the p-values, each super-uniform. Small samples: a look whose increment lies below the
 * floor of its p cannot reject. Cost: looks. Source: Lan and DeMets (1983); the union bound is ours.
 * @throws RangeError if there is no p, there are more p-values than looks, or a p lies outside [0, 1]; else as `spendingPlan`.
 */
export function sequentialTest(
  p: readonly number[],
  alpha: number,
  fractions: readonly number[] = DEFAULT_FRACTIONS,
): SequentialResult {
  const { increments } = spendingPlan(alpha, fractions);
  if (p.length === 0 || p.length > fractions.length) {
    throw new RangeError(`p must hold 1 to ${fractions.length} looks, got ${p.length}`);
  }
  p.forEach((value, look) => requireWithin(`p[${look}]`, value, 0, 1));
  // Below 1e-300 the increment has no digits left; such a look cannot reject.
  const rejects = (value: number, look: number) =>
    increments[look]! > 0 && value <= increments[look]! * (1 + TIE);
  const first = p.findIndex(rejects);
  const seen = first < 0 ? p : p.slice(0, first + 1);
  const scaled = seen.map((value, look) =>
    increments[look]! > 0 ? (value * alpha) / increments[look]! : Infinity,
  );
  return {
    rejectAtLook: first < 0 ? null : first,
    looksUsed: seen.length,
    adjustedP: Math.min(1, ...scaled),
  };
}

/**
 * Calls saved against a fixed design that takes all looks.
 * Cost: looks.
 * @param sizes samples per condition at each look. @param conditions conditions sampled, the baseline included.
 * @param stopProbabilities where known, the probability of stopping at each look (the last takes the rest).
 * @throws RangeError if stoppedAtLook is no look or probabilities do not fit.
 */
export function callsSaved(input: {
  sizes: readonly number[];
  conditions: number;
  stoppedAtLook: number;
  stopProbabilities?: readonly number[];
}): { actual: number; fixed: number; saved: number; expected: number | null } {
  const { sizes, conditions, stoppedAtLook, stopProbabilities } = input;
  requireInteger('conditions', conditions, 1);
  requireInteger('stoppedAtLook', stoppedAtLook, 0, sizes.length - 1);
  const fixed = sizes[sizes.length - 1]! * conditions;
  const actual = sizes[stoppedAtLook]! * conditions;
  let expected: number | null = null;
  if (stopProbabilities !== undefined) {
    if (stopProbabilities.length !== sizes.length) {
      throw new RangeError(`stopProbabilities must have one entry per look, ${sizes.length}`);
    }
    stopProbabilities.forEach((p, look) => requireWithin(`stopProbabilities[${look}]`, p, 0, 1));
    const early = stopProbabilities.slice(0, -1);
    const rest = Math.max(0, 1 - early.reduce((sum, p) => sum + p, 0));
    expected = conditions * [...early, rest].reduce((sum, p, look) => sum + p * sizes[look]!, 0);
  }
  return { actual, fixed, saved: fixed - actual, expected };
}

function requireFractions(fractions: readonly number[]): void {
  fractions.forEach((t, look) => {
    if (!(t > (look === 0 ? 0 : fractions[look - 1]!) && t <= 1)) {
      throw new RangeError(`fractions[${look}] must rise strictly within (0, 1], got ${t}`);
    }
  });
  if (fractions[fractions.length - 1] !== 1) throw new RangeError('fractions must end at 1');
}
