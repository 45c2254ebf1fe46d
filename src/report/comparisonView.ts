/** One comparison of the run as a row of the report. */
import type { ComparisonView, MemberView } from '../contracts/reportView';
import type { Comparison, MemberResult, Perturbation, RunRecord, Sample } from '../contracts/runRecord';
import { formatInterval, formatNumber, formatP } from './format';
import { countOutcomes } from './outcomes';
import { sizeOf } from './sizes';
import { promptDiff } from './promptDiff';
import {
  agreementSentence,
  comparisonSentence,
  expectationWords,
  kindWords,
  memberName,
  permutationSentence,
  strengthText,
  verdictWords,
} from './sentences';
import { toPrintable, toVisibleText } from './visibleText';

/** Distinct answers shown per comparison, and characters of each. */
const MAX_ANSWERS = 6;
const MAX_ANSWER_CHARS = 300;

interface Arms {
  baseline: readonly Sample[];
  perturbed: readonly Sample[];
  conditionId: string;
}

export function comparisonView(
  comparison: Comparison,
  perturbation: Perturbation,
  arms: Arms,
  record: RunRecord,
  name: string,
): ComparisonView {
  const { effect } = comparison;
  return {
    perturbationId: perturbation.id,
    conditionId: arms.conditionId,
    name,
    description: toPrintable(perturbation.description),
    kind: perturbation.kind,
    kindText: kindWords[perturbation.kind],
    expectation: perturbation.expectation,
    expectationText: perturbation.kind === 'edit' ? null : expectationWords[perturbation.expectation],
    sizeText: sizeOf(comparison),
    strength: perturbation.strength.level,
    strengthText: strengthText(perturbation),
    span: perturbation.span,
    verdict: comparison.verdict,
    verdictText: verdictWords[comparison.verdict],
    sentence: toPrintable(comparisonSentence(comparison, perturbation, record)),
    undecidedText: comparison.undecided && toPrintable(comparison.undecided.explanation),
    n0: comparison.n0,
    n1: comparison.n1,
    effect: effect && {
      raw: effect.raw,
      debiased: effect.debiased,
      low: effect.interval.low,
      high: effect.interval.high,
      level: effect.interval.level,
      rawText: formatNumber(effect.raw),
      text: formatNumber(effect.debiased),
      intervalText: formatInterval(effect.interval),
    },
    p: comparison.p,
    pText: formatP(comparison.p),
    adjustedP: comparison.adjustedP,
    adjustedPText: formatP(comparison.adjustedP),
    diff: promptDiff(record.prompt.text, perturbation.edits),
    members: comparison.members.map((member) => memberView(member, record.options.alpha)),
    agreementText: agreementSentence(comparison),
    permutationText: permutationSentence(comparison, record),
    histogram: comparison.histogram,
    nullHistogram: comparison.nullHistogram,
    pairs: comparison.pairs === undefined ? null : pairsView(comparison.pairs),
    ...answersOf(arms),
    outcomes: countOutcomes(arms.perturbed),
  };
}

function pairsView({ nearest, furthest }: NonNullable<Comparison['pairs']>): ComparisonView['pairs'] {
  const view = ({ baseline, perturbed, similarity }: typeof nearest) => ({
    baseline,
    perturbed,
    similarityText: formatNumber(similarity),
  });
  return { nearest: view(nearest), furthest: view(furthest) };
}

function memberView(member: MemberResult, alpha: number): MemberView {
  return {
    id: member.id,
    name: memberName(member.id),
    statistic: { value: member.statistic, text: formatNumber(member.statistic, 3) },
    z: { value: member.z, text: formatNumber(member.z, 1) },
    p: { value: member.p, text: formatP(member.p) },
    adjustedP: { value: member.adjustedP, text: formatP(member.adjustedP) },
    agrees: member.dropped === null && member.adjustedP <= alpha,
    dropped: member.dropped,
  };
}

/** Distinct answers, most frequent first, those that differ most between the arms before equally frequent ones. */
function answersOf({ baseline, perturbed }: Arms): Pick<ComparisonView, 'answers' | 'otherAnswers'> {
  const counts = new Map<string, { baseline: number; perturbed: number }>();
  const add = (samples: readonly Sample[], arm: 'baseline' | 'perturbed') => {
    for (const { outcome, text } of samples) {
      if (outcome !== 'ok') continue;
      const answer = text.trim();
      const entry = counts.get(answer) ?? { baseline: 0, perturbed: 0 };
      entry[arm]++;
      counts.set(answer, entry);
    }
  };
  add(baseline, 'baseline');
  add(perturbed, 'perturbed');
  const sorted = [...counts].sort(
    ([, a], [, b]) =>
      b.baseline + b.perturbed - (a.baseline + a.perturbed) ||
      Math.abs(b.baseline - b.perturbed) - Math.abs(a.baseline - a.perturbed),
  );
  const rest = sorted.slice(MAX_ANSWERS);
  return {
    answers: sorted
      .slice(0, MAX_ANSWERS)
      .map(([text, count]) => ({ text: toVisibleText(text, MAX_ANSWER_CHARS), ...count })),
    otherAnswers: {
      distinct: rest.length,
      baseline: rest.reduce((sum, [, count]) => sum + count.baseline, 0),
      perturbed: rest.reduce((sum, [, count]) => sum + count.perturbed, 0),
    },
  };
}
