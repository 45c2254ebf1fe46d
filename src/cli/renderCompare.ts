import type { ComparePlan, CompareRecord } from '../contracts/compareRecord';
import {
  behaviourSentence,
  compareHeadline,
  flipsPairSentence,
  PAIRS_EXPLAINED,
  qualityText,
  rateText,
  SHIFT_EXPLAINED,
  steadinessSentence,
} from '../report/compareSentences';
import { sizeText, weightsText } from '../report/compareView';
import { countOf, formatDuration, formatInterval, formatNumber } from '../report/format';
import { shortened } from '../report/modelMatrixSvg';
import { toPrintable } from '../report/visibleText';
import type { Terminal } from './terminal';
import { wrap } from './words';

const MODEL_WIDTH = 31;

/** What will be asked, before it is. */
export function renderComparePlan(plan: ComparePlan, terminal: Terminal): string {
  const changes = plan.prompts.reduce((sum, { perturbations }) => sum + perturbations.length, 0);
  const lines = [
    `Plan: ${countOf(plan.models.length, 'model')} one after the other, ${countOf(plan.prompts.length, 'prompt')}, ${countOf(changes, 'change')}, ${countOf(plan.options.samples, 'answer')} each`,
    ...plan.models.map(({ modelId, sizeBytes, runs }) => {
      const calls = runs.reduce((sum, run) => sum + run.plan.calls, 0);
      const kept = runs.reduce((sum, run) => sum + (run.plan.cachedCalls ?? 0), 0);
      const times = runs.map((run) => run.plan.seconds);
      const seconds = times.includes(null) ? null : (times as number[]).reduce((sum, time) => sum + time, 0);
      const prices = runs.map((run) => run.plan.priceUsd);
      const price = prices.includes(null)
        ? 'price unknown'
        : `$${(prices as number[]).reduce((sum, one) => sum + one, 0).toFixed(2)}`;
      const parts = [
        countOf(calls, 'answer'),
        ...(kept > 0 ? [`${kept} of them kept`] : []),
        seconds === null ? 'time unknown' : `about ${formatDuration(seconds)}`,
        price,
        ...(sizeBytes === null ? [] : [sizeText(sizeBytes)]),
      ];
      return `      ${toPrintable(modelId)}: ${parts.join(', ')}`;
    }),
    `If it stops: evenkeel compare --resume ${plan.id}`,
  ];
  return lines.map((line) => terminal.colors.dim(wrap(line, terminal.columns, '        '))).join('\n');
}

/** Every change with its text, for --dry-run. */
export function renderComparedChanges(plan: ComparePlan, terminal: Terminal): string {
  return plan.prompts
    .flatMap(({ perturbations }) => perturbations)
    .map(
      ({ id, text }) =>
        `${terminal.colors.bold(toPrintable(id))}\n${wrap(`   ${toPrintable(text.replaceAll('\n', ' ⏎ '))}`, terminal.columns, '   ')}`,
    )
    .join('\n');
}

/** The comparison as it stands in a terminal, 80 columns wide. */
export function renderCompare(record: CompareRecord, terminal: Terminal): string {
  const { bold, dim, yellow } = terminal.colors;
  const say = (text: string, indent = '') => wrap(toPrintable(text), terminal.columns, indent);
  const lines = [bold(say(compareHeadline(record))), '', ...tableOf(record, terminal), ''];
  for (const pair of record.pairs) {
    const names = [pair.first, pair.second].map((m) => record.models[m]!.modelId);
    lines.push(bold(say(names.join(' and '))));
    const sentences = [
      steadinessSentence(record, pair),
      flipsPairSentence(record, pair),
      behaviourSentence(record, pair),
    ];
    for (const sentence of sentences)
      if (sentence !== null) lines.push(`  ${wrap(toPrintable(sentence), terminal.columns - 2, '    ')}`);
  }
  lines.push('', dim(say(SHIFT_EXPLAINED)), dim(say(PAIRS_EXPLAINED)));
  for (const warning of record.warnings) lines.push(yellow(say(`Note: ${warning}`, '      ')));
  lines.push('', dim(say(`seed ${record.seed}, comparison ${record.id}`)));
  return lines.join('\n');
}

function tableOf({ models }: CompareRecord, { colors }: Terminal): string[] {
  const order = models
    .map((model, m) => ({ model, m }))
    .sort((a, b) => (a.model.rank ?? Infinity) - (b.model.rank ?? Infinity) || a.m - b.m);
  const head = `  rank  ${'model'.padEnd(MODEL_WIDTH)}shift  ${'CI'.padEnd(16)}${'flips'.padEnd(9)}changed`;
  const rows = order.flatMap(({ model }) => {
    const { rank, meanShift, flips, changed, speed } = model;
    const first = [
      `  ${(rank === null ? '–' : String(rank)).padEnd(6)}`,
      shortened(toPrintable(model.modelId), MODEL_WIDTH - 2).padEnd(MODEL_WIDTH),
      (meanShift === null ? 'none' : formatNumber(meanShift.mean)).padEnd(7),
      (meanShift === null ? '' : formatInterval(meanShift.interval)).padEnd(16),
      rateText(flips).padEnd(9),
      rateText(changed),
    ].join('');
    const about = [
      weightsText(model),
      speed.tokensPerSecond === null ? null : `${formatNumber(speed.tokensPerSecond, 1)} tokens/s`,
      `usable ${qualityText(model)}`,
    ].filter((part) => part !== null && part !== '');
    return [first, colors.dim(`        ${about.join('; ')}`)];
  });
  return [colors.dim(head), ...rows];
}
