/** A flips run as it is shown outside the terminal: every sentence and number, as text, for Markdown and HTML. */
import type { FlipFigures, FlipsRecord } from '../contracts/flipsRecord';
import type { FlipsPanel, FlipsRow, FlipsView } from '../contracts/flipsView';
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
} from './flipsSentences';
import { countOf, formatDuration, formatInterval, formatPercent } from './format';
import { toPrintable } from './visibleText';

const LISTED_FLIPS = 100;
const REASONING_APART =
  'Changes of the prompt and of the reasoning are not compared: the scales mean different things.';

/** Safe to be shown as it is: hidden and dangerous characters are spelled out. */
export const flipsView = (record: FlipsRecord): FlipsView => printable(viewOf(record));

function printable<T>(value: T): T {
  if (typeof value === 'string') return toPrintable(value) as T;
  if (Array.isArray(value)) return value.map(printable) as T;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, printable(entry)])) as T;
}

function viewOf(record: FlipsRecord): FlipsView {
  const { source, actual, model } = record;
  return {
    version: 1,
    runId: record.id,
    // No verdict on a whole prompt: rates are for reading. Only what went wrong has a state of its own.
    state: record.state === 'complete' ? 'steady' : record.state === 'cancelled' ? 'cancelled' : 'failed',
    title: `Flip rates of ${source.path ?? 'a prompt'}`,
    explained: FLIP_RATE_EXPLAINED,
    panels: record.figures.map((figures) => panelOf(record, figures)),
    notes: [
      ...(record.figures.length === 0 ? ['No perturbation was answered, so there is no flip rate.'] : []),
      ...(record.figures.length > 1 ? [REASONING_APART] : []),
      ...record.notes,
      ...record.warnings,
      ...(record.error === null ? [] : [record.error.message]),
    ],
    facts: [
      { name: 'Model', value: `${model.id} (${model.resolved})` },
      { name: 'Who rated', value: strengthSentence(record) },
      { name: 'How answers were read', value: decodingSentence(record) },
      ...(record.aa === null ? [] : [{ name: 'Chance alone', value: aaSentence(record.aa) }]),
      { name: 'Originals', value: originalsText(record) },
      { name: 'Cost', value: `${countOf(actual.calls, 'answer')} in ${formatDuration(actual.seconds)}` },
      { name: 'Run', value: record.id },
      { name: 'To repeat it', value: record.reproduce },
    ],
  };
}

function panelOf(record: FlipsRecord, figures: FlipFigures): FlipsPanel {
  const items = itemsOf(record, figures.type);
  const flipped = items
    .filter((item) => item.before !== item.after)
    .sort((a, b) => (a.level ?? 4) - (b.level ?? 4));
  const below = [overallSentence(figures), trendSentence(figures), ...judgeErrorSentences(figures)].filter(
    (line) => line !== null,
  );
  if (figures.unrated > 0) below.push(`${countOf(figures.unrated, 'change')} without a rating, in no rate.`);
  return {
    heading: typeWords(figures.type).replace(/^./, (first) => first.toUpperCase()),
    headline: flipsHeadline(record, figures),
    rows: figures.rows.map(rowOf),
    sentences: below,
    kinds: kindsOf(items),
    flipped: flipped.slice(0, LISTED_FLIPS).map(({ id, perturbation, name, level, before, after }) => ({
      change: record.source.type === 'questions' ? id : `${name} (${perturbation})`,
      strength: level === null ? 'not rated' : `${level} ${STRENGTH_WORDS[level]!}`,
      before,
      after,
    })),
    more: flipped.length > LISTED_FLIPS ? `${LISTED_FLIPS} of ${flipped.length} are listed.` : null,
  };
}

function kindsOf(items: ReturnType<typeof itemsOf>): FlipsPanel['kinds'] {
  return [...new Set(items.map(({ kind }) => kind))].map((kind) => {
    const own = items.filter((item) => item.kind === kind);
    const flips = own.filter(({ before, after }) => before !== after).length;
    return { kind, flipped: `${flips} of ${own.length}` };
  });
}

/** `Flipped by kind: surface 2 of 13, mistake 4 of 9.`; null where nothing can be compared. */
export function kindsSentence(record: FlipsRecord, type: FlipFigures['type']): string | null {
  const kinds = kindsOf(itemsOf(record, type));
  if (kinds.length === 0) return null;
  return `Flipped by kind: ${kinds.map(({ kind, flipped }) => `${kind} ${flipped}`).join(', ')}.`;
}

function rowOf({ strength, flips, n, rate, interval, suppressed }: FlipFigures['rows'][number]): FlipsRow {
  const none = rate === null || interval === null;
  return {
    strength: `${strength} ${STRENGTH_WORDS[strength]!}`,
    flipped: n === 0 ? 'none' : `${flips} of ${n}`,
    rate: none ? '' : suppressed ? 'too few to claim anything (n < 10)' : formatPercent(rate),
    interval: none || suppressed ? '' : formatInterval(interval),
    n,
    suppressed: none || suppressed,
    drawn: none ? null : { rate, low: interval.low, high: interval.high },
  };
}

/** Changes that can be compared: they and their original have an answer. */
function itemsOf({ conditions, answers }: FlipsRecord, type: FlipFigures['type']) {
  const answerOf = new Map(
    answers.flatMap(({ conditionId, index, answer }) => (index === 0 ? [[conditionId, answer]] : [])),
  );
  const own = conditions.filter((condition) => condition.type === type);
  const original = new Map(
    own.flatMap(({ id, question, perturbation }) => (perturbation === null ? [[question, id]] : [])),
  );
  return own.flatMap(({ id, question, perturbation }) => {
    const before = answerOf.get(original.get(question) ?? '') ?? null;
    const after = answerOf.get(id) ?? null;
    if (perturbation === null || before === null || after === null) return [];
    const { kind, name, strength } = perturbation;
    return [{ id, perturbation: perturbation.id, kind, name, level: strength.level, before, after }];
  });
}

function originalsText({ originals: { answered, right, commonest } }: FlipsRecord): string {
  const parts = [`${answered} answered`];
  if (right !== null) parts.push(`${right.right} of ${right.n} right`);
  if (commonest !== null) parts.push(`most often “${commonest.answer}” (${commonest.n})`);
  return parts.join(', ');
}
