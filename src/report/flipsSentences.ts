/** The sentences of a flips run, for people. */
import type { FlipFigures, FlipRateFigure, FlipsRecord } from '../contracts/flipsRecord';
import { formatInterval, formatNumber, formatPClause, formatPercent } from './format';

export const STRENGTH_WORDS = ['negligible', 'weak', 'moderate', 'strong'] as const;

export const FLIP_RATE_EXPLAINED =
  'Flip rate: the share of changes of one strength that change the answer. The interval says where the true rate lies, with 95% confidence. A good prompt has a low rate at 0, where the question stays the same, and a high one at 3, where it does not.';

const TYPE_WORDS = { input: 'changes of the prompt', cot: 'changes of the reasoning' } as const;
export const typeWords = (type: FlipFigures['type']): string => TYPE_WORDS[type];

/** What stands above the table of one type. */
export function flipsHeadline(record: FlipsRecord, figures: FlipFigures): string {
  const said = [claim(figures, 0, 'negligible'), claim(figures, 3, 'strong')].filter((part) => part !== null);
  const done =
    record.state === 'complete' ? '' : record.state === 'cancelled' ? 'Stopped: ' : 'The model failed: ';
  if (said.length === 0) {
    const n = figures.rows.reduce((sum, row) => sum + row.n, 0);
    return `${done === '' ? 'Too' : `${done}too`} little to claim anything: only ${n} rated ${n === 1 ? 'change' : 'changes'} in all, under 10 of each end of the scale.`;
  }
  return `${done}${said.join('; ')} change the answer.`;
}

function claim(figures: FlipFigures, strength: 0 | 3, word: string): string | null {
  const { rate, suppressed } = figures.rows[strength]!;
  return rate === null || suppressed
    ? null
    : `${formatPercent(rate)} of the ${word} ${typeWords(figures.type)}`;
}

export function overallSentence({ overall }: FlipFigures): string | null {
  if (overall === null) return null;
  if (overall.suppressed)
    return 'Strong against negligible: not compared, one of them has fewer than 10 items.';
  const interval = overall.interval === null ? '' : ` (95% CI ${formatInterval(overall.interval)})`;
  const how =
    overall.method === 'newcombe'
      ? "Newcombe's interval"
      : 'bootstrap over questions, as they have several changes';
  return `Strong minus negligible: ${formatNumber(overall.difference)}${interval}, ${how}.`;
}

/** The trend within questions where there is one: it does not take the changes of one question as independent. */
export function trendSentence({ trend, trendWithin, rows }: FlipFigures): string | null {
  const shown = trendWithin ?? trend;
  if (shown === null) return null;
  if (rows.reduce((sum, row) => sum + row.n, 0) < 10) return null;
  const test = trendWithin === null ? 'Cochran–Armitage' : 'Cochran–Armitage within each question';
  return `Does the rate rise with strength? ${formatPClause('p', shown.pIncrease)} (${test}, ${shown.method}): how often chance alone would make it rise this much.`;
}

/** Who says how strong the changes are; by construction, where nobody judged. */
export function strengthSentence({ conditions }: FlipsRecord): string {
  const count = (source: string) =>
    conditions.filter(({ perturbation }) => perturbation?.strength.source === source).length;
  const parts = [
    [count('judge'), 'rated by a judge'],
    [count('user'), 'labelled by you'],
    [
      count('byConstruction'),
      'declared by the rule that made the change (by construction; nobody judged it)',
    ],
    [count('unrated'), 'without a rating'],
  ] as const;
  const said = parts.filter(([n]) => n > 0).map(([n, words]) => `${n} ${words}`);
  return `Strength: ${said.length === 0 ? 'nothing was changed' : said.join(', ')}.`;
}

/** What the judge's errors could do to the rates; none where no judge rated. */
export function judgeErrorSentences({ confusion, corrected, rows }: FlipFigures): string[] {
  const said: string[] = [];
  if (confusion?.responsive && !rows[3]!.suppressed) {
    const { low, high } = confusion.responsive;
    said.push(
      `If the judge took ${formatPercent(confusion.share)} of the moderate changes for strong ones and the other way round, the rate at 3 would lie between ${formatPercent(low)} and ${formatPercent(high)} (the two that people confuse most).`,
    );
  }
  if (corrected !== null) {
    const rates = corrected.rates.flatMap((rate, strength) => {
      const interval = corrected.intervals[strength];
      return rate === null || !interval
        ? []
        : [`${strength}: ${formatPercent(rate)} (${formatInterval(interval)})`];
    });
    said.push(
      `With the judge's errors taken out, as your ${corrected.labels} labels show them: ${rates.join(', ')}. 95% CI over changes and labels.`,
    );
  }
  return said;
}

export function aaSentence(aa: FlipRateFigure): string {
  if (aa.rate === null || aa.interval === null)
    return 'No original was answered twice, so nobody knows how often chance alone flips an answer.';
  const share = `Asked the same again, the answer differs in ${aa.flips} of ${aa.n}`;
  return aa.suppressed
    ? `${share}; that is too few to claim anything (A/A flip rate).`
    : `${share}: ${formatPercent(aa.rate)} (95% CI ${formatInterval(aa.interval)}). That much is chance, not the change (A/A flip rate).`;
}

/** How the answers were read. */
export function decodingSentence({ decoding, outside, options }: FlipsRecord): string {
  if (decoding === 'probabilities') {
    return `Answer: the option with the highest probability as first word, all its spellings together. ${formatPercent(outside ?? 0)} of the probability was on no option.`;
  }
  return options.temperature > 0
    ? `Answer: read from text sampled at temperature ${options.temperature}.`
    : 'Answer: read from the most probable text.';
}
