import type { Span } from '../contracts/runRecord';
import { markdownLines, type Line } from './markdownLines';

export interface Sentence extends Span {
  kind: 'prose' | 'heading' | 'listItem';
}

const segmenter = new Intl.Segmenter('en', { granularity: 'sentence' });
const HAS_WORDS = /[\p{L}\p{N}\p{Extended_Pictographic}]/u;
const ABBREVIATION =
  /(?:^|[\s(])(?:e\.g|i\.e|etc|vs|cf|approx|Dr|Mr|Mrs|Ms|Prof|St|Fig|Eq|Sec|Vol|Inc|Ltd)\.\s*$/;
/** `No. 5`, but `Answer Yes or No. Write it down.` */
const NUMBER_SIGN = /(?:^|[\s(])No\.\s*$/;

/**
 * Sentences, headings and list items of a prompt in order, without their Markdown marks and surrounding space.
 * Front matter, code fences, tables, rules and lines of only tags are no sentences. A line break ends a sentence
 * unless the next line goes on in lower case (text wrapped at a column). Any script: boundaries inside a line are
 * those of Unicode (UAX 29), less common English abbreviations.
 */
export function splitSentences(text: string): Sentence[] {
  const sentences: Sentence[] = [];
  const lines = markdownLines(text);
  for (let i = 0; i < lines.length;) {
    const line = lines[i]!;
    if (line.kind !== 'text' && line.kind !== 'heading' && line.kind !== 'listItem') {
      i++;
      continue;
    }
    let last = i;
    while (line.kind !== 'heading' && goesOn(text, lines[last]!, lines[last + 1])) last++;
    const kind = line.kind === 'text' ? 'prose' : line.kind;
    for (const span of sentencesWithin(text, line.contentStart, lines[last]!.end)) {
      sentences.push({ ...span, kind });
    }
    i = last + 1;
  }
  return sentences;
}

function goesOn(text: string, line: Line, next: Line | undefined): boolean {
  if (next?.kind !== 'text') return false;
  return (
    !/[.!?:;。！？：；…|]["'”’)\]*_]*\s*$/u.test(text.slice(line.start, line.end)) &&
    /^\p{Ll}/u.test(text.slice(next.contentStart, next.contentStart + 2))
  );
}

function sentencesWithin(text: string, start: number, end: number): Span[] {
  const block = text.slice(start, end).replace(/[\r\n]/g, ' ');
  const spans: Span[] = [];
  let open: number | null = null;
  for (const { index, segment } of segmentsOf(block)) {
    open ??= index;
    const close = index + segment.length;
    if (close < block.length && runsOn(block, open, close)) continue;
    // Unicode leaves closing Markdown marks to the next sentence: `**Stop.** Go.`
    const previous = spans.at(-1);
    const marks = /^(?:\*{1,3}|_{1,3})(?=\s)/.exec(block.slice(open, close))?.[0].length ?? 0;
    if (marks > 0 && previous?.end === start + open) {
      previous.end += marks;
      open += marks;
    }
    const raw = block.slice(open, close);
    const trimmed = raw.trim();
    const offset = start + open + (raw.length - raw.trimStart().length);
    if (HAS_WORDS.test(trimmed)) spans.push({ start: offset, end: offset + trimmed.length });
    open = null;
  }
  return spans;
}

/** The segmenter's time grows with the square of its text: a long block is given to it in pieces. */
const PIECE_CHARACTERS = 4_000;

function* segmentsOf(block: string): Generator<{ index: number; segment: string }> {
  for (let at = 0; at < block.length;) {
    const cutsPair = /[\uD800-\uDBFF]/.test(block[at + PIECE_CHARACTERS - 1] ?? '');
    const piece = block.slice(at, at + PIECE_CHARACTERS - (cutsPair ? 1 : 0));
    const found = [...segmenter.segment(piece)];
    // What the end of a piece has cut is read again with what follows it.
    if (at + piece.length < block.length && found.length > 1) found.pop();
    for (const { index, segment } of found) yield { index: at + index, segment };
    const last = found.at(-1)!;
    at += last.index + last.segment.length;
  }
}

/** An abbreviation, a number sign before its number, or an ASCII mark with no space behind it: `**.NET**`. */
function runsOn(block: string, open: number, close: number): boolean {
  const end = block.slice(Math.max(open, close - 12), close);
  if (ABBREVIATION.test(end)) return true;
  if (NUMBER_SIGN.test(end) && /^[\p{N}#]/u.test(block.slice(close).trimStart())) return true;
  return /[.?!]/.test(block[close - 1]!) && /[\p{L}\p{N}]/u.test(block[close]!);
}
