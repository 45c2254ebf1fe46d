import type { AnswerFormat } from '../answers/labels';
import type { Comparison, Perturbation, RunOptions, RunRecord, Sample } from '../contracts/runRecord';
import { isEquivalent } from '../stats/equivalence';
import { adjustPValues } from '../stats/multiplicity';
import { describeFailures, usable } from './judgeArms';

/** Above this share of unknown tokens the embedder says little, and the report must say that. */
const BLIND_SHARE = 0.2;
const CUT_SHARE = 0.2;
/** An unchanged prompt that differs from itself at this p is a fault of the instrument, rather than chance. */
const REPEAT_ALARM_P = 0.01;

/**
 * Corrects the p-values over the perturbations of this check and gives each its verdict. Comparisons that could not be
 * tested have no p and do not count in the correction: what kept them from it (failures, cancelling) does not look at the
 * answers that are compared. A comparison whose smallest possible p cannot pass the correction is `undecided`: a test that
 * could not have found anything must not call a prompt steady.
 */
export function decide(
  comparisons: Comparison[],
  options: Pick<RunOptions, 'alpha' | 'multiplicity' | 'equivalenceMargin'>,
): Comparison[] {
  const adjusted = adjustPValues(
    comparisons.map((comparison) => comparison.p ?? Number.NaN),
    options.multiplicity,
  );
  const tested = comparisons.filter((comparison) => comparison.p !== null).length;
  return comparisons.map((comparison, i) => {
    if (comparison.p === null) return comparison;
    const adjustedP = adjusted[i]!;
    const floor = comparison.pFloor ?? 0;
    const needed = levelNeeded(options, tested);
    if (adjustedP > options.alpha && floor > needed) {
      const explanation = `${comparison.n0} and ${comparison.n1} answers cannot give a p-value under ${Number(floor.toPrecision(2))}, and ${tested === 1 ? 'one comparison needs' : `${tested} comparisons need`} ${Number(needed.toPrecision(2))}: ask for more answers.`;
      return {
        ...comparison,
        adjustedP,
        verdict: 'undecided',
        undecided: { reason: 'tooFewSamples', explanation },
      };
    }
    if (adjustedP <= options.alpha) return { ...comparison, adjustedP, verdict: 'changed' };
    const { effect } = comparison;
    const same =
      options.equivalenceMargin !== null &&
      effect !== null &&
      // Answers that are all equal have an interval without width, which n of them do not prove.
      effect.interval.low < effect.interval.high &&
      isEquivalent(effect.interval, options.equivalenceMargin);
    return { ...comparison, adjustedP, verdict: same ? 'equivalent' : 'noChangeDetected' };
  });
}

/** The largest p with which a comparison can still be rejected, if all others come out as clear as can be. */
function levelNeeded(
  { alpha, multiplicity }: Pick<RunOptions, 'alpha' | 'multiplicity'>,
  tested: number,
): number {
  switch (multiplicity) {
    // Step-down: the smallest of them all must pass first.
    case 'bonferroni':
    case 'holm':
      return alpha / tested;
    // Step-up: all of them together may pass at the level itself.
    case 'hochberg':
    case 'bh':
      return alpha;
    case 'by':
      return (
        alpha / Array.from({ length: tested }, (_, i) => 1 / (i + 1)).reduce((sum, term) => sum + term, 0)
      );
  }
}

/**
 * The check as a whole. `wobbles`: a change that should not matter moved the answers. `steady`: none did and all
 * were tested. Changes that should matter do not count against the prompt.
 */
export function conclude(run: {
  comparisons: Comparison[];
  perturbations: Perturbation[];
  baseline: Sample[];
  embedding: RunRecord['embedding'];
  format: AnswerFormat;
  stopped: 'cancelled' | 'failed' | 'budget' | null;
  /** Answers of batches that were cut in the middle: kept, not tested. */
  untested: number;
  /** Answers that came after the last look that was made. */
  early?: number;
  /** p of the unchanged prompt against itself; null without a second arm. */
  repeatP: number | null;
  /** Decides alone, in place of the family. */
  statistic?: RunOptions['statistic'];
  /** Why the measurement cannot be trusted. */
  problems: string[];
}): RunRecord['conclusion'] {
  const irrelevant = new Set(
    run.perturbations.filter((entry) => entry.expectation === 'irrelevant').map((entry) => entry.id),
  );
  const counted = run.comparisons.filter((comparison) => irrelevant.has(comparison.perturbationId));
  const wobbles = counted.some((comparison) => comparison.verdict === 'changed');
  const open = counted.length === 0 || counted.some((comparison) => comparison.verdict === 'undecided');
  return { state: wobbles ? 'wobbles' : open ? 'undecided' : 'steady', warnings: warningsOf(run) };
}

function warningsOf(run: Parameters<typeof conclude>[0]): string[] {
  const warnings: string[] = [...run.problems];
  if (run.stopped === 'budget')
    warnings.push('Stopped at the cap that was set: only what was received is tested.');
  if (run.stopped === 'cancelled') warnings.push('Stopped before the end: only what was received is tested.');
  if (run.stopped === 'failed')
    warnings.push('The model stopped answering: only what was received is tested.');
  if (run.untested > 0) {
    warnings.push(
      `${run.untested} ${run.untested === 1 ? 'answer is' : 'answers are'} kept, but not tested: the others of the same batch were cut off, and those that end first are not like the rest.`,
    );
  }
  if (run.early !== undefined && run.early > 0) {
    warnings.push(
      `${run.early} ${run.early === 1 ? 'answer is' : 'answers are'} kept, but not tested: the run stopped before their look, and where it stopped must not choose what is tested.`,
    );
  }
  if (run.repeatP !== null && run.repeatP <= REPEAT_ALARM_P) {
    warnings.push(
      `Two samples of the unchanged prompt differ (p = ${Number(run.repeatP.toPrecision(2))}): the model or its server changed during the run. Run it again before you believe a change.`,
    );
  }
  const compromised = run.comparisons.filter((comparison) => comparison.undecided?.reason === 'compromised');
  if (compromised.length > 0 && run.problems.length === 0) {
    warnings.push(
      `${compromised.length} of ${run.comparisons.length} comparisons cannot be trusted, as too many answers failed. Failed for the original prompt: ${describeFailures(run.baseline)}.`,
    );
  }
  if (run.embedding !== null && run.embedding.unknown > BLIND_SHARE) {
    warnings.push(
      `The sentence encoder does not know ${percent(run.embedding.unknown)} of the answers' words (it reads English). Trust the exact-text member more than the others.`,
    );
  }
  if (run.embedding !== null && run.embedding.truncated > CUT_SHARE) {
    warnings.push(
      `${percent(run.embedding.truncated)} of the answers are longer than the sentence encoder reads (256 tokens); only their beginning is compared.`,
    );
  }
  const ok = usable(run.baseline);
  if (ok.length > 1 && new Set(ok.map((sample) => sample.text)).size === 1) {
    warnings.push(
      'The model gave the same answer every time. More samples add nothing; more inputs (cases) would.',
    );
  }
  if (run.statistic !== undefined)
    warnings.push(
      `One published statistic decides here (${run.statistic}), not the family: another one may decide otherwise on the same answers.`,
    );
  return warnings;
}

const percent = (share: number): string => `${Math.round(share * 100)}%`;
