import type { Verdict } from '../contracts/runRecord';
import { requireOpenUnit, requireWithin } from './argumentChecks';
import { isEquivalent } from './equivalence';

/** What the test against the rewordings of the baseline said. */
export type CompositeOutcome =
  { state: 'tested'; p: number } | { state: 'undecided'; explanation: string } | { state: 'notRun' };

/**
 * The verdict on an edit from the difference test (edit vs base) and the composite test (edit vs rewordings of base).
 * Not significant: `equivalent` if the effect's interval lies within the margin, else `noChangeDetected`. Difference
 * significant: `changedWithinRewordingNoise` if the composite test ran and is not significant; `changed` if it is, or did
 * not run; `undecided` if it could not decide. Significant means p ≤ alpha. The claim `changed` rejects both nulls
 * (intersection–union), so no correction between the two p-values is needed.
 * Cost: constant.
 * @param difference adjusted p of the difference test; null: nothing was tested (give the reason in `undecided`).
 * @throws RangeError on a p outside [0, 1], alpha outside (0, 1), or a margin that is not positive.
 */
export function compositeVerdict(input: {
  difference: { p: number } | { p: null; undecided: string };
  composite: CompositeOutcome;
  alpha: number;
  /** Interval of the headline effect and the margin stated before the run; null: no equivalence asked for. */
  equivalence?: { interval: { low: number; high: number }; margin: number } | null;
}): { verdict: Verdict; explanation: string } {
  const { difference, composite, alpha, equivalence = null } = input;
  requireOpenUnit('alpha', alpha);
  if (difference.p === null) return { verdict: 'undecided', explanation: difference.undecided };
  requireWithin('difference.p', difference.p, 0, 1);
  if (composite.state === 'tested') requireWithin('composite.p', composite.p, 0, 1);
  if (difference.p > alpha) {
    if (equivalence !== null && isEquivalent(equivalence.interval, equivalence.margin)) {
      const { interval, margin } = equivalence;
      return {
        verdict: 'equivalent',
        explanation: `The effect lies within the margin of ${margin} (${interval.low.toPrecision(2)} to ${interval.high.toPrecision(2)}).`,
      };
    }
    return {
      verdict: 'noChangeDetected',
      explanation: `No difference from the baseline was detected (p = ${show(difference.p)}).`,
    };
  }
  const changed = `The answers differ from the baseline's (p = ${show(difference.p)})`;
  switch (composite.state) {
    case 'notRun':
      return { verdict: 'changed', explanation: `${changed}; rewordings were not sampled for comparison.` };
    case 'undecided':
      return {
        verdict: 'undecided',
        explanation: `${changed}, but whether by more than a rewording is open: ${composite.explanation}`,
      };
    case 'tested':
      return composite.p <= alpha
        ? {
            verdict: 'changed',
            explanation: `${changed}, and by more than rewordings do (p = ${show(composite.p)}).`,
          }
        : {
            verdict: 'changedWithinRewordingNoise',
            explanation: `${changed}, but no more than rewordings do (p = ${show(composite.p)}).`,
          };
  }
}

const show = (p: number) => (p < 0.001 ? p.toExponential(1) : p.toFixed(3));
