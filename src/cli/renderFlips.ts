import type { FlipFigures, FlipsPlan, FlipsRecord } from '../contracts/flipsRecord';
import { describeExtractor } from '../answers/extractor';
import type { FlipsComparison } from '../engine/flipsAgainst';
import {
  aaSentence,
  decodingSentence,
  FLIP_RATE_EXPLAINED,
  flipsHeadline,
  judgeErrorSentences,
  overallSentence,
  strengthSentence,
  STRENGTH_WORDS,
  trendSentence,
  typeWords,
} from '../report/flipsSentences';
import { countOf, formatDuration, formatInterval, formatP, formatPercent } from '../report/format';
import { kindsSentence } from '../report/flipsView';
import { toPrintable } from '../report/visibleText';
import type { Terminal } from './terminal';
import { keptClause, wrap } from './words';

const STRENGTH_WIDTH = 16;
const COUNT_WIDTH = 14;

/** What will be asked, before it is. */
export function renderFlipsPlan(plan: FlipsPlan, cachedCalls: number, terminal: Terminal): string {
  const originals = plan.conditions.filter(({ perturbation }) => perturbation === null).length;
  const calls = plan.conditions.length + (plan.options.temperature > 0 ? originals : 0);
  const perturbations = plan.conditions.length - originals;
  const what = plan.source.type === 'questions' ? countOf(plan.questions.length, 'question') : 'one prompt';
  const levels = [0, 1, 2, 3]
    .map((level) => plan.conditions.filter((entry) => entry.perturbation?.strength.level === level).length)
    .flatMap((n, level) => (n === 0 ? [] : [`${n} of strength ${level}`]));
  const lines = [
    `Plan: ${what}, ${countOf(perturbations, 'change')}${levels.length === 0 ? '' : ` (${levels.join(', ')})`}, ${countOf(calls, 'answer')} from ${toPrintable(plan.modelId)}${keptClause({ calls, cachedCalls })}`,
    // Of a set every question has its own options.
    ...(plan.source.type === 'prompt'
      ? [`Answer: ${toPrintable(describeExtractor(plan.questions[0]!.extractor))}`]
      : []),
    ...(plan.reasoning === undefined
      ? []
      : [
          `Reasoning: ${countOf(plan.reasoning.of.length, 'call')} of up to 300 tokens first, then ${plan.reasoning.perQuestion + 1} more answers each at most, from the unchanged and the changed reasoning`,
        ]),
    ...plan.notes.map((note) => `Note: ${toPrintable(note)}`),
    `If it stops: evenkeel flips --resume ${plan.id}`,
  ];
  return lines.map((line) => terminal.colors.dim(wrap(line, terminal.columns, '      '))).join('\n');
}

/** Every condition with its text, for --dry-run. */
export function renderFlipsConditions(plan: FlipsPlan, terminal: Terminal): string {
  return plan.conditions
    .map(({ id, perturbation, prompt }) => {
      const level = perturbation === null ? ' ' : (perturbation.strength.level ?? '?');
      return `${level}  ${terminal.colors.bold(toPrintable(id))}\n${wrap(`   ${toPrintable(prompt.replaceAll('\n', ' ⏎ '))}`, terminal.columns, '   ')}`;
    })
    .join('\n');
}

/** The flip rates as they stand in a terminal, 80 columns wide; input and reasoning each on their own. */
export function renderFlips(record: FlipsRecord, terminal: Terminal): string {
  const { dim, yellow } = terminal.colors;
  const say = (text: string) => wrap(text, terminal.columns);
  const lines: string[] = [];
  if (record.figures.length === 0) lines.push(say('No perturbation was answered, so there is no flip rate.'));
  for (const figures of record.figures) lines.push(...tableOf(record, figures, terminal), '');
  if (record.figures.length > 1) {
    lines.push(
      say('Changes of the prompt and of the reasoning are not compared: the scales mean different things.'),
    );
  }
  if (record.aa !== null) lines.push(say(aaSentence(record.aa)));
  lines.push(...originalLines(record).map(say));
  lines.push(
    dim(say(FLIP_RATE_EXPLAINED)),
    dim(say(strengthSentence(record))),
    dim(say(decodingSentence(record))),
  );
  for (const warning of [...record.notes, ...record.warnings]) {
    lines.push(yellow(wrap(`Note: ${toPrintable(warning)}`, terminal.columns, '      ')));
  }
  if (record.error !== null) {
    lines.push(yellow(wrap(`Note: ${toPrintable(record.error.message)}`, terminal.columns, '      ')));
  }
  lines.push(
    '',
    dim(
      say(
        `${countOf(record.actual.calls, 'answer')} in ${formatDuration(record.actual.seconds)}, seed ${record.seed}, run ${record.id}`,
      ),
    ),
  );
  return lines.join('\n');
}

function tableOf(record: FlipsRecord, figures: FlipFigures, terminal: Terminal): string[] {
  const { bold, dim } = terminal.colors;
  const rows = figures.rows.map(({ strength, flips, n, rate, interval, suppressed }) => {
    const name = `  ${strength} ${STRENGTH_WORDS[strength]}`.padEnd(STRENGTH_WIDTH);
    if (rate === null || interval === null) return dim(`${name}none`);
    const count = `${flips} of ${n}`.padEnd(COUNT_WIDTH);
    if (suppressed) return dim(`${name}${count}too few to claim anything (n < 10)`);
    return `${name}${count}${formatPercent(rate).padEnd(8)}${formatInterval(interval)}`;
  });
  const below = [
    overallSentence(figures),
    trendSentence(figures),
    ...judgeErrorSentences(figures),
    kindsSentence(record, figures.type),
  ].filter((line) => line !== null);
  if (figures.unrated > 0) below.push(`${countOf(figures.unrated, 'change')} without a rating, in no rate.`);
  return [
    bold(wrap(flipsHeadline(record, figures), terminal.columns)),
    '',
    dim(
      `  ${'strength'.padEnd(STRENGTH_WIDTH - 2)}${'flipped'.padEnd(COUNT_WIDTH)}${'rate'.padEnd(8)}95% CI    (${typeWords(figures.type)})`,
    ),
    ...rows,
    '',
    ...below.map((line) => wrap(line, terminal.columns)),
  ];
}

function originalLines({ originals, source, answers, conditions }: FlipsRecord): string[] {
  if (source.type === 'prompt') {
    const original = conditions.find(({ perturbation }) => perturbation === null);
    const answer = answers.find(({ conditionId }) => conditionId === original?.id)?.answer ?? null;
    return answer === null ? [] : [`Answer to the original: ${toPrintable(answer)}.`];
  }
  const { right, answered } = originals;
  return right === null
    ? [`${countOf(answered, 'original')} answered.`]
    : [`${countOf(answered, 'original')} answered, ${right.right} of them right.`];
}

/** Runs side by side, at each strength. */
export function renderFlipsComparisons(
  comparisons: readonly FlipsComparison[],
  nameOf: (runId: string) => string,
  terminal: Terminal,
): string {
  const { dim } = terminal.colors;
  const rows = comparisons.map(({ first, second, strength, n, flips, p, adjustedP, type }) =>
    wrap(
      `  ${toPrintable(nameOf(first))} against ${toPrintable(nameOf(second))}, ${typeWords(type)} of strength ${strength}: ${flips.first} and ${flips.second} of ${n} flipped. ${n < 10 ? 'Too few to claim anything.' : `p ${formatP(p)}, adjusted ${formatP(adjustedP)}.`}`,
      terminal.columns,
      '    ',
    ),
  );
  const explained =
    "McNemar's exact test on the changes that both were asked: only those count that flip one and not the other. Adjusted (Holm) for the number of comparisons.";
  return ['', 'Against other runs:', ...rows, dim(wrap(explained, terminal.columns))].join('\n');
}
