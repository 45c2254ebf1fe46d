import type { Comparison, RunOptions, Sample } from '../contracts/runRecord';
import { fisherExact } from '../stats/fisher';
import { FAILURE_DIFFERENCE_P, MAX_FAILED_SHARE, MIN_USABLE_SAMPLES } from './defaults';

export type Undecided = NonNullable<Comparison['undecided']>;

/** Only answers of outcome `ok` are tested; all others are counted (methods.md 1.9). */
export const usable = (samples: Sample[]): Sample[] => samples.filter((sample) => sample.outcome === 'ok');

/** The samples of each condition. */
export function groupByCondition(samples: Sample[]): Map<string, Sample[]> {
  const groups = new Map<string, Sample[]>();
  for (const sample of samples) {
    const group = groups.get(sample.conditionId);
    if (group === undefined) groups.set(sample.conditionId, [sample]);
    else group.push(sample);
  }
  // By index, not by arrival: the same answers give the same numbers whatever the order they came in.
  for (const group of groups.values()) group.sort((a, b) => a.index - b.index);
  return groups;
}

/**
 * Whether two arms can be compared at all.
 * @returns null when they can; otherwise the reason, with the counts, in words for people
 */
export function whyUndecided(
  baseline: Sample[],
  perturbed: Sample[],
  options: RunOptions,
  cancelled: boolean,
): Undecided | null {
  const [ok0, ok1] = [usable(baseline).length, usable(perturbed).length];
  const [failed0, failed1] = [baseline.length - ok0, perturbed.length - ok1];

  if (cancelled && (baseline.length < options.samples || perturbed.length < options.samples)) {
    if (Math.min(ok0, ok1) < MIN_USABLE_SAMPLES) {
      return {
        reason: 'cancelled',
        explanation: `Stopped before there were enough answers (${ok0} and ${ok1}).`,
      };
    }
  }
  if (failed0 > MAX_FAILED_SHARE * baseline.length || failed1 > MAX_FAILED_SHARE * perturbed.length) {
    return {
      reason: 'compromised',
      explanation: `Too many answers cannot be compared: ${describeFailures(baseline)} of the original, ${describeFailures(perturbed)} of the changed prompt.`,
    };
  }
  if (Math.min(ok0, ok1) < MIN_USABLE_SAMPLES) {
    return {
      reason: 'tooFewSamples',
      explanation: `Only ${ok0} and ${ok1} usable answers; at least ${MIN_USABLE_SAMPLES} of each are needed.`,
    };
  }
  if (failed0 + failed1 > 0) {
    const p = fisherExact([
      [ok0, failed0],
      [ok1, failed1],
    ]).twoSided;
    if (p < FAILURE_DIFFERENCE_P) {
      return {
        reason: 'compromised',
        explanation: `Answers fail more often for one prompt than for the other: ${describeFailures(baseline)} against ${describeFailures(perturbed)}.`,
      };
    }
  }
  return null;
}

/** `3 of 20 (2 refused, 1 empty)`. */
export function describeFailures(samples: Sample[]): string {
  const counts = new Map<string, number>();
  for (const { outcome } of samples) {
    if (outcome !== 'ok') counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
  }
  const failed = [...counts.values()].reduce((sum, count) => sum + count, 0);
  const detail = [...counts].map(([outcome, count]) => `${count} ${OUTCOME_WORDS[outcome] ?? outcome}`);
  return `${failed} of ${samples.length}${failed > 0 ? ` (${detail.join(', ')})` : ''}`;
}

const OUTCOME_WORDS: Record<string, string> = {
  thinkingOnly: 'reasoning without an answer',
  truncated: 'cut off',
  rateLimited: 'refused by the rate limit',
  timeout: 'timed out',
  unavailable: 'server unavailable',
};
