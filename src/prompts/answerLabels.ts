import type { Span } from '../contracts/runRecord';
import { findCode, findFrontMatter, markdownLines } from './markdownLines';

interface AnswerLabels {
  /** The answers that the prompt allows, as it spells them, in its order, each once. */
  labels: { text: string; span: Span }[];
  /** The words of the prompt that say so. */
  evidence: Span;
}

const LABEL = String.raw`(?:"[^"\n]{1,40}"|“[^”\n]{1,40}”|'[^'\n]{1,40}'|‘[^’\n]{1,40}’|\*\*[^*\n]{1,40}\*\*|\([A-Z]\)|[\p{L}\p{N}][\p{L}\p{N}_-]{0,30})`;
/** Two or more labels; the last comes after `or`, `and` or a slash. */
const SERIES = String.raw`(?<series>${LABEL}(?:, ?${LABEL}){0,11},? (?:or|and) ${LABEL}|${LABEL}(?: ?/ ?${LABEL}){1,11})`;
/** Two or more labels with commas only, allowed where the prompt announces a list. */
const LIST = String.raw`(?<list>${LABEL}(?:, ?${LABEL}){1,11}(?:,? (?:or|and) ${LABEL})?|${LABEL} (?:or|and) ${LABEL}|${LABEL}(?: ?/ ?${LABEL}){1,11}|${LABEL}(?: ?\| ?${LABEL}){1,11})`;
const END = String.raw`(?=\s*(?:[.!?;:)"”\n]|only\b|—|–|$|,? (?:and nothing else|depending|based|without|followed|for|to|in lower|in upper)\b))`;
const VERB = String.raw`(?:answer|reply|respond|say|output|return|print|write|choose|select|pick|classify|label|categori[sz]e|decide|determine|state|rate|assign|tell)`;

const ANNOUNCED = new RegExp(
  String.raw`\b(?:one of|either|exactly one of|allowed (?:answers|values|labels)(?: are)?|possible (?:answers|values|labels)(?: are)?|labels(?: are)?|categories(?: are)?|options(?: are)?|word|words|choose between|choose from|between)\s*(?:the following(?: \p{L}+)?|these(?: \p{L}+)?)?\s*:?\s*${LIST}${END}`,
  'giu',
);
const DIRECT = new RegExp(
  String.raw`\b(?:answer|reply|respond|say|output|return|print)(?: (?:only|just|exactly|strictly))?(?: with)?(?: (?:only|just|exactly|either|one of))?:? ${SERIES}${END}`,
  'giu',
);
const AFTER_VERB = new RegExp(
  String.raw`\b${VERB}\b[^.!?\n]{0,120}?\b(?:as|with|either|into|is|with only|as either)(?: (?:only|just|exactly))?:? ${SERIES}${END}`,
  'giu',
);
const PARENTHESIS = new RegExp(
  String.raw`\((?<series>${LABEL}(?: ?/ ?|, | or |,? or )${LABEL}(?:(?: ?/ ?|, | or |,? or )${LABEL}){0,6})\)`,
  'giu',
);
const YES_NO = /\b(?<series>yes ?\/ ?no|yes or no|true ?\/ ?false|true or false)\b/giu;

/** Words that stand in an enumeration without being an answer. */
const NO_LABEL =
  /^(?:a|an|the|it|them|this|that|these|those|you|your|and|or|not|any|all|more|less|fewer|than|two|three|so|etc|briefly|.*ly)$/i;

/**
 * The fixed answers that a prompt asks for: `Answer Yes or No`, `as positive, negative or neutral`,
 * `one of: a, b, c`, `(yes/no)`, or options lettered from A. English wordings. The last such place counts, as
 * instructions about the answer stand near the end; lettered options win over `Yes or No` inside an option.
 * Null when there is none. Deliberately narrow: a missed label costs a statistic, an invented one costs trust.
 */
export function findAnswerLabels(text: string): AnswerLabels | null {
  return letteredOptions(text) ?? namedLabels(text);
}

function namedLabels(text: string): AnswerLabels | null {
  const closed: Span[] = findCode(text, markdownLines(text)).filter(({ fenced }) => fenced);
  const frontMatter = findFrontMatter(text);
  if (frontMatter) closed.push(frontMatter.span);
  let best: AnswerLabels | null = null;
  for (const pattern of [PARENTHESIS, YES_NO, AFTER_VERB, DIRECT, ANNOUNCED]) {
    for (const match of text.matchAll(pattern)) {
      if (closed.some(({ start, end }) => match.index < end && match.index >= start)) continue;
      const series = (match.groups!['series'] ?? match.groups!['list'])!;
      const at = match.index + match[0].indexOf(series, match[0].length - series.length - 2);
      const labels = labelsIn(series, at);
      const letters = labels.every((label) => label.text.length === 1);
      if (labels.length < 2 || (!letters && labels.some((label) => NO_LABEL.test(label.text)))) continue;
      if (pattern === PARENTHESIS && !asksFor(text, match.index, match.index + match[0].length)) continue;
      const evidence = { start: match.index, end: match.index + match[0].length };
      if (!best || at >= best.labels[0]!.span.start) best = { labels, evidence };
    }
  }
  return best;
}

/** A parenthesis lists answers only after a question or a request for an answer: not in `Pipe (head/tail)`. */
function asksFor(text: string, start: number, end: number): boolean {
  const before = text.slice(Math.max(0, start - 120), start);
  const sentence = before.slice(before.search(/[^.!?\n]*$/));
  return (
    new RegExp(String.raw`\b(?:${VERB}|answers?|labels?|verdict|one word)\b`, 'i').test(sentence) ||
    /^\s*\?/.test(text.slice(end))
  );
}

function labelsIn(series: string, offset: number): AnswerLabels['labels'] {
  const labels: AnswerLabels['labels'] = [];
  for (const match of series.matchAll(new RegExp(LABEL, 'gu'))) {
    const raw = match[0];
    if (/^(?:or|and)$/i.test(raw)) continue;
    const bare = raw.replace(/^(?:\*\*|["“'‘(])|(?:\*\*|["”'’)])$/gu, '').replace(/[.,]$/, '');
    const start = offset + match.index + raw.indexOf(bare);
    if (bare === '' || labels.some(({ text }) => text.toLowerCase() === bare.toLowerCase())) continue;
    labels.push({ text: bare, span: { start, end: start + bare.length } });
  }
  return labels;
}

/** Lines `A) …`, `(A) …`, `A. …` or `A: …` that count up from A, at least two, at most eight. The last such run. */
function letteredOptions(text: string): AnswerLabels | null {
  let run: { text: string; span: Span; lineEnd: number }[] = [];
  let best: typeof run = [];
  for (const line of markdownLines(text)) {
    if (line.kind === 'blank') continue;
    const content = text.slice(line.start, line.end);
    const option = line.kind === 'code' ? null : /^[ \t]*(?:[-*+] +)?\(?([A-H])[).:] +\S/.exec(content);
    if (!option) {
      run = [];
      continue;
    }
    const letter = option[1]!;
    if (letter === 'A') run = [];
    if (letter.charCodeAt(0) - 65 !== run.length) {
      run = [];
      continue;
    }
    const start = line.start + content.indexOf(letter);
    run.push({ text: letter, span: { start, end: start + 1 }, lineEnd: line.end });
    if (run.length >= 2) best = [...run];
  }
  if (best.length < 2) return null;
  return {
    labels: best.map(({ text: label, span }) => ({ text: label, span })),
    evidence: { start: best[0]!.span.start, end: best.at(-1)!.lineEnd },
  };
}
