/** Run record in, view model out. Pure: the same record always gives the same report. */
import {
  REPORT_VIEW_VERSION,
  type ComparisonView,
  type Fact,
  type ReportView,
} from '../contracts/reportView';
import type { RunRecord } from '../contracts/runRecord';
import { plainOf } from '../contracts/sampleQuery';
import { againstView } from './against';
import { changeNames } from './changeNames';
import { comparisonView } from './comparisonView';
import { editView } from './editView';
import { countOf, formatCount, formatDuration, formatPercent } from './format';
import { SHIPPED_ENCODER } from './encoderCheck';
import { glossary } from './glossary';
import { compositeSentence } from './editSentences';
import { commitText, historyOf } from './history';
import { countOutcomes } from './outcomes';
import { mapView, rocView, timelineView } from './plotsView';
import { promptPieces } from './promptPieces';
import { sequentialView } from './sequentialView';
import {
  cautionSentence,
  headline,
  mdeSentence,
  memberName,
  modelName,
  noiseFloorSentence,
} from './sentences';
import { toPrintable, toVisibleText } from './visibleText';

/** What other runs of the store add to a report. */
export interface OtherRuns {
  /** Kept runs, of which those of the same prompt and model are shown. */
  kept?: readonly RunRecord[];
  /** The run that this one is held against. */
  against?: RunRecord | undefined;
}

/**
 * Everything that the page shows except the samples, which it asks for (`sampleViews`).
 * Cost is linear in samples and prompt length; texts are clipped (visibleText.ts).
 */
export function toReportView(record: RunRecord, others: OtherRuns = {}): ReportView {
  const baseline = record.conditions.find(({ role }) => role === 'baseline');
  const source = record.prompt.source;
  return {
    version: REPORT_VIEW_VERSION,
    runId: record.id,
    title: source === null ? 'Prompt' : toPrintable(titleOf(source)),
    headline: { ...headline(record), sentence: toPrintable(headline(record).sentence) },
    nextStep: nextStep(record),
    composite: compositeSentence(record),
    caution: cautionSentence(record),
    alpha: record.options.alpha,
    facts: facts(record),
    warnings: record.conclusion.warnings.map(toPrintable),
    baselineId: baseline?.id ?? null,
    prompt: {
      path: source?.path ?? null,
      revealable: (source?.uri ?? null) !== null,
      pieces: promptPieces(record),
      variables: Object.entries(record.prompt.variables).map(([name, value]) => ({
        name,
        value: toVisibleText(value, 2_000),
      })),
      rendered:
        baseline && baseline.rendered !== record.prompt.text ? toVisibleText(baseline.rendered) : null,
    },
    comparisons: comparisonViews(record, baseline?.id),
    noiseFloor: record.noiseFloor && {
      median: record.noiseFloor.median,
      q95: record.noiseFloor.q95,
      sentence: noiseFloorSentence(record.noiseFloor),
    },
    outcomes: countOutcomes(record.samples),
    mdeSentence: mdeSentence(record),
    map: mapView(record),
    roc: rocView(record),
    sequential: sequentialView(record),
    edit: editView(record),
    timeline: timelineView(record),
    conditions: conditions(record),
    commonAnswers: commonAnswers(record),
    history: historyOf(record, others.kept ?? []),
    against: others.against === undefined ? null : againstView(record, others.against),
    method: method(record),
    options: options(record),
    reproduce: toPrintable(record.reproduce),
    glossary: [...glossary],
  };
}

const roleWords = {
  baseline: 'Baseline',
  noiseFloor: 'Baseline, asked again',
  rewording: 'Rewording',
  editedAgain: 'Edit, asked again',
};

function conditions(record: RunRecord): ReportView['conditions'] {
  const names = changeNames(record);
  const counts = new Map<string, number>();
  for (const { conditionId } of record.samples) counts.set(conditionId, (counts.get(conditionId) ?? 0) + 1);
  return record.conditions.map(({ id, role, perturbationId }) => ({
    id,
    name: role === 'perturbation' ? (names.get(perturbationId ?? '') ?? toPrintable(id)) : roleWords[role],
    samples: counts.get(id) ?? 0,
  }));
}

const MAX_COMMON_ANSWERS = 12;
const MAX_COMMON_CHARS = 200;

/** Short answers that were given more than once, the commonest first. */
function commonAnswers({ samples }: RunRecord): ReportView['commonAnswers'] {
  const counts = new Map<string, number>();
  for (const { outcome, text } of samples) {
    if (outcome !== 'ok' || text.length > MAX_COMMON_CHARS) continue;
    counts.set(text, (counts.get(text) ?? 0) + 1);
  }
  const shown = new Map<string, number>();
  for (const [text, count] of counts) {
    const plain = plainOf(toVisibleText(text)).trim();
    shown.set(plain, (shown.get(plain) ?? 0) + count);
  }
  return [...shown]
    .filter(([text, count]) => text !== '' && count > 1)
    .sort((a, b) => b[1] - a[1])
    .slice(0, MAX_COMMON_ANSWERS)
    .map(([text, count]) => ({ text, count }));
}

function comparisonViews(record: RunRecord, baselineId: string | undefined): ComparisonView[] {
  const samplesOf = (conditionId: string | undefined) =>
    record.samples.filter((sample) => sample.conditionId === conditionId);
  const baseline = samplesOf(baselineId);
  const names = changeNames(record);
  return record.comparisons
    .flatMap((comparison) => {
      const perturbation = record.perturbations.find(({ id }) => id === comparison.perturbationId);
      const condition = record.conditions.find((each) => each.perturbationId === comparison.perturbationId);
      if (!perturbation || !condition) return [];
      const arms = { baseline, perturbed: samplesOf(condition.id), conditionId: condition.id };
      const name = names.get(perturbation.id) ?? toPrintable(perturbation.name);
      return [comparisonView(comparison, perturbation, arms, record, name)];
    })
    .sort((a, b) => (b.effect?.debiased ?? -2) - (a.effect?.debiased ?? -2));
}

function nextStep(record: RunRecord): string | null {
  if (record.state === 'failed') return record.error?.hint ?? 'Run the check again.';
  if (record.error?.code === 'budgetReached') return record.error.hint;
  if (record.state === 'cancelled')
    return 'Run the same check again: it goes on from the answers that are kept.';
  return null;
}

function facts(record: RunRecord): Fact[] {
  const { model, options: chosen, actual, plan } = record;
  const size = [model.parameterSize, model.quantization].filter((part) => part !== null).join(', ');
  return [
    {
      label: 'Model',
      value: modelName(record),
      title: `${model.id}, resolved to ${model.resolved}${size === '' ? '' : ` (${size})`}`,
    },
    ...(model.digest === null
      ? []
      : [
          { label: 'Weights', value: model.digest.replace(/^sha256:/, '').slice(0, 12), title: model.digest },
        ]),
    { label: 'Answers', value: `${formatCount(chosen.samples)} per prompt` },
    {
      label: 'Level',
      value: `α = ${chosen.alpha}`,
      title: `${multiplicityWords[chosen.multiplicity]} over ${countOf(record.comparisons.length, 'change')}`,
    },
    { label: 'Took', value: formatDuration(actual.seconds), title: planned(plan.seconds) },
    {
      label: 'Calls',
      value:
        actual.calls === plan.calls
          ? formatCount(actual.calls)
          : `${formatCount(actual.calls)} of ${formatCount(plan.calls)}`,
    },
    ...(record.commit === undefined
      ? []
      : [
          {
            label: 'Commit',
            value: commitText(record) ?? '',
            title: record.commit.edited ? `${record.commit.hash}, edited since` : record.commit.hash,
          },
        ]),
    { label: 'Run', value: `${record.startedAt.slice(0, 16).replace('T', ' ')} UTC` },
  ];
}

const planned = (seconds: number | null) =>
  seconds === null ? 'No time was foretold' : `Planned: ${formatDuration(seconds)}`;

const multiplicityWords: Record<RunRecord['options']['multiplicity'], string> = {
  holm: 'Holm',
  hochberg: 'Hochberg',
  bh: 'Benjamini–Hochberg (false discovery rate)',
  by: 'Benjamini–Yekutieli (false discovery rate)',
  bonferroni: 'Bonferroni',
};

function method(record: RunRecord): ReportView['method'] {
  const { options: chosen, embedders } = record;
  const encoder = embedders.length === 0 ? 'no sentence encoder' : embedders.map(({ id }) => id).join(', ');
  return [
    {
      heading: 'Question',
      text: 'For each change of the prompt: does the model answer it from another distribution? The null hypothesis says that it does not.',
    },
    {
      heading: 'Test',
      text: `Answers of both prompts are pooled and shuffled ${formatCount(chosen.permutations)} times${decidedBy(chosen)} A change counts at p ≤ ${chosen.alpha} after ${multiplicityWords[chosen.multiplicity]} over the changes.`,
    },
    ...(record.sequential === undefined
      ? []
      : [
          {
            heading: 'Looks',
            text: `Declared before sampling: at ${record.sequential.sizes.join(', ')} answers each, at levels ${record.sequential.levels.map((level) => Number(level.toPrecision(2))).join(', ')} (Lan and DeMets, O’Brien–Fleming type; they add up to ${chosen.alpha}). A change’s p is the least of p·α/level over its looks and goes into ${multiplicityWords[chosen.multiplicity]} as it stands; a change is asked no more once its rejection is certain.`,
          },
        ]),
    {
      heading: chosen.statistic === undefined ? 'Family' : 'Statistic',
      text: `${record.family.map(memberName).join('; ')}. Declared before sampling. Encoder: ${encoder}.`,
    },
    {
      heading: 'Effect',
      text: `Energy coefficient of inhomogeneity H, corrected for chance by its mean over the permutations; approximate 95% interval from ${formatCount(chosen.bootstrapDraws)} bootstrap draws.`,
    },
    {
      heading: 'Answers compared',
      text: chosen.wholeAnswers
        ? `Whole answers of at most ${chosen.answerTokens} tokens; a longer one counts as cut off.`
        : `The first ${chosen.answerTokens} tokens of each answer.`,
    },
    ...(embedders.some(({ id }) => id === SHIPPED_ENCODER.id)
      ? [
          {
            heading: 'What the encoder is blind to',
            text: `A changed meaning in nearly the same words: of ${SHIPPED_ENCODER.changed} such pairs it puts ${SHIPPED_ENCODER.nearerThanTypicalParaphrase} closer together than a middling paraphrase (of ${SHIPPED_ENCODER.paraphrases}), and no threshold on its similarity tells them apart (at the best one ${SHIPPED_ENCODER.missed} of ${SHIPPED_ENCODER.changed} changes are missed, ${SHIPPED_ENCODER.calledDifferent} of ${SHIPPED_ENCODER.paraphrases} paraphrases called different). So none is used; extracted answers and the exact text are compared as well.`,
          },
        ]
      : []),
    ...(record.embedding
      ? [
          {
            heading: 'What the encoder saw',
            text: `${formatPercent(record.embedding.unknown)} of the tokens are unknown to it; it had to cut ${formatPercent(record.embedding.truncated)} of the answers.`,
          },
        ]
      : []),
  ];
}

const decidedBy = ({ statistic }: RunRecord['options']): string =>
  statistic === undefined
    ? ' (all splits where they are fewer). The largest standardised statistic of the family decides, so one p-value covers all of them.'
    : `, also where there are fewer splits. One statistic decides alone, as published (arXiv 2506.07947): ${memberName(statistic)}. Another one may decide otherwise.`;

function options(record: RunRecord): Fact[] {
  const { options: chosen, actual, plan } = record;
  const tokens = (count: number | null) => (count === null ? 'unknown' : formatCount(count));
  return [
    { label: 'Seed', value: String(record.seed) },
    { label: 'Temperature', value: String(chosen.temperature) },
    { label: 'Top-p', value: String(chosen.topP) },
    {
      label: 'System prompt',
      value: chosen.system === null ? 'none' : `${formatCount(chosen.system.length)} characters`,
    },
    { label: 'Prompt tokens', value: tokens(actual.promptTokens) },
    { label: 'Answer tokens', value: tokens(actual.completionTokens) },
    { label: 'Planned calls', value: formatCount(plan.calls) },
    { label: 'Planned time', value: plan.seconds === null ? 'unknown' : formatDuration(plan.seconds) },
    { label: 'Smallest possible p', value: String(Number(plan.pFloor.toPrecision(2))) },
    { label: 'Model runtime', value: record.model.runtime ?? 'unknown' },
    ...Object.entries(record.versions).map(([name, version]) => ({ label: name, value: version })),
    ...record.embedders.map(({ id, digest }) => ({
      label: `Encoder ${id}`,
      value: digest.slice(0, 12),
      title: digest,
    })),
    { label: 'Run id', value: record.id },
  ];
}

function titleOf({ path, symbol }: NonNullable<RunRecord['prompt']['source']>): string {
  const file = path.split(/[\\/]/).at(-1) ?? path;
  return symbol ? `${file}#${symbol}` : file;
}
