/** Answers of two conditions as plain text, side by side. No import of `vscode`. What a model said is hostile text. */
import type { RunRecord, Sample } from '../contracts/runRecord';
import { countOf } from '../report/format';
import { outcomeWords } from '../report/sentences';
import { toPrintable } from '../report/visibleText';

interface DistinctAnswer {
  text: string;
  count: number;
}

/** Two columns fit the width of VS Code's hover. */
const COLUMN_CHARACTERS = 26;
const MAX_LINES = 12;

/** The answer that tells the two conditions apart best: the largest difference between its shares. */
function tellingAnswers(record: RunRecord, perturbationId: string) {
  const before = samplesOf(record, null);
  const after = samplesOf(record, perturbationId);
  return {
    before: mostTelling(before, after),
    after: mostTelling(after, before),
    n0: before.length,
    n1: after.length,
  };
}

/** Two columns in one block of text, 55 characters wide, at most 12 lines of each answer. */
export function sideBySide(record: RunRecord, perturbationId: string): string {
  const { before, after, n0, n1 } = tellingAnswers(record, perturbationId);
  const left = column('YOUR WORDING', before, n0);
  const right = column('WITH THE CHANGE', after, n1);
  const lines = Math.max(left.length, right.length);
  return Array.from({ length: lines }, (_, i) => `${pad(left[i] ?? '')} │ ${right[i] ?? ''}`.trimEnd()).join(
    '\n',
  );
}

/** Every distinct answer of both conditions, most frequent first, with its count. */
export function answersDocument(record: RunRecord, perturbationId: string): string {
  const perturbation = record.perturbations.find(({ id }) => id === perturbationId);
  const section = (title: string, samples: Sample[]) => [
    `${title}: ${countOf(samples.length, 'answer')} of ${record.model.id}`,
    ...distinct(samples).map(
      ({ text, count }) => `── ${count} of ${samples.length} ──\n${toPrintable(text)}`,
    ),
  ];
  return [
    ...(perturbation === undefined ? [] : [`${perturbation.name}: ${perturbation.description}`]),
    ...section('YOUR WORDING', samplesOf(record, null)),
    '',
    ...section('WITH THE CHANGE', samplesOf(record, perturbationId)),
    '',
  ].join('\n\n');
}

function samplesOf(record: RunRecord, perturbationId: string | null): Sample[] {
  const condition = record.conditions.find((entry) =>
    perturbationId === null ? entry.role === 'baseline' : entry.perturbationId === perturbationId,
  );
  return record.samples.filter(
    ({ conditionId, outcome }) => conditionId === condition?.id && outcome !== 'cancelled',
  );
}

/** An answer's text; what came instead of one is named, so that it is counted and not lost. */
const shownText = ({ outcome, text }: Sample) =>
  outcome === 'ok' ? text : `[${outcomeWords[outcome]}] ${text}`;

function distinct(samples: Sample[]): DistinctAnswer[] {
  const counts = new Map<string, number>();
  for (const sample of samples) counts.set(shownText(sample), (counts.get(shownText(sample)) ?? 0) + 1);
  return [...counts].map(([text, count]) => ({ text, count })).sort((a, b) => b.count - a.count);
}

function mostTelling(samples: Sample[], others: Sample[]): DistinctAnswer | null {
  const elsewhere = new Map(distinct(others).map(({ text, count }) => [text, count / others.length]));
  let best: { answer: DistinctAnswer; difference: number } | null = null;
  for (const answer of distinct(samples)) {
    const difference = answer.count / samples.length - (elsewhere.get(answer.text) ?? 0);
    if (best === null || difference > best.difference) best = { answer, difference };
  }
  return best?.answer ?? null;
}

function column(title: string, answer: DistinctAnswer | null, total: number): string[] {
  if (answer === null) return [title, '(no answers)'];
  const lines = wrap(toPrintable(answer.text));
  const cut = lines.length > MAX_LINES;
  return [
    title,
    `${answer.count} of ${countOf(total, 'answer')}:`,
    ...lines.slice(0, MAX_LINES),
    ...(cut ? ['…'] : []),
  ];
}

const pad = (line: string) => line + ' '.repeat(Math.max(0, COLUMN_CHARACTERS - [...line].length));

/** Lines of at most COLUMN_CHARACTERS characters, broken at spaces where there are any. */
function wrap(text: string): string[] {
  const lines: string[] = [];
  for (const paragraph of text.replaceAll('\t', '  ').split('\n')) {
    let rest = [...paragraph];
    while (rest.length > COLUMN_CHARACTERS) {
      const space = rest.lastIndexOf(' ', COLUMN_CHARACTERS);
      const end = space > 0 ? space : COLUMN_CHARACTERS;
      lines.push(rest.slice(0, end).join(''));
      rest = rest.slice(space > 0 ? end + 1 : end);
    }
    lines.push(rest.join(''));
  }
  return lines;
}

/** A Markdown code block that no content can end: its fence is longer than any run of backticks inside. */
export function codeBlock(text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}text\n${text}\n${fence}`;
}
