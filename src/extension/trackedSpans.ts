/** Ranges of a document that follow its edits. No import of `vscode`; offsets in UTF-16 code units. */
import type { Perturbation, RunRecord, Span } from '../contracts/runRecord';
import { holdsText, sourceSpans, type SourcePiece } from '../contracts/sourceMap';

/** One replacement as VS Code reports it: offsets before the change. */
export interface TextChange {
  rangeOffset: number;
  rangeLength: number;
  text: string;
}

/**
 * Moves a range along with changes elsewhere.
 * @param changes of one event: they refer to the same text and do not overlap
 * @returns null when the range's own text was changed
 */
export function follow(span: Span, changes: readonly TextChange[]): Span | null {
  let shift = 0;
  for (const { rangeOffset, rangeLength, text } of changes) {
    const changeEnd = rangeOffset + rangeLength;
    if (changeEnd <= span.start) shift += text.length - rangeLength;
    else if (rangeOffset < span.end) return null;
  }
  return { start: span.start + shift, end: span.end + shift };
}

/** A range whose words may have changed since they were checked. */
export interface WordSpan extends Span {
  /** The words no longer stand there. */
  stale: boolean;
}

/**
 * Moves a range along with changes also of its own words: it grows over what was typed and stays stale until the words stand in
 * it again, by undo or by hand.
 * @param words what stood there when it was checked
 * @param textNow the whole text after the changes; asked for only where the range was touched
 */
export function followWords(
  span: WordSpan,
  words: string,
  changes: readonly TextChange[],
  textNow: () => string,
): WordSpan {
  const moved = span.stale ? null : follow(span, changes);
  if (moved !== null) return { ...moved, stale: false };
  let { start, end } = span;
  let touched = !span.stale;
  // From the last to the first, so that the offsets of one still hold for those before it.
  for (const { rangeOffset, rangeLength, text } of changes.toSorted(
    (a, b) => b.rangeOffset - a.rangeOffset,
  )) {
    const changeEnd = rangeOffset + rangeLength;
    const shift = text.length - rangeLength;
    if (changeEnd < start) {
      start += shift;
      end += shift;
    } else if (rangeOffset <= end) {
      touched = true;
      start = Math.min(start, rangeOffset);
      end = Math.max(end, changeEnd) + shift;
    }
  }
  if (!touched) return { start, end, stale: true };
  const at = textNow().slice(start, end).indexOf(words);
  return at === -1
    ? { start, end, stale: true }
    : { start: start + at, end: start + at + words.length, stale: false };
}

/**
 * What to underline for a perturbation: the range that it edits, or what that range stands in when there is nothing to see:
 * its sentence, else the first line that is not blank.
 */
export function visibleSpan({ span, sentence }: Perturbation, text: string): Span {
  for (const candidate of [span, sentence]) {
    if (candidate !== null && text.slice(candidate.start, candidate.end).trim() !== '') return candidate;
  }
  const line = /[^\s][^\r\n]*/.exec(text);
  return line === null
    ? { start: 0, end: text.length }
    : { start: line.index, end: line.index + line[0].trimEnd().length };
}

/**
 * Where a prompt stands in a document now: at its old place, else where its text stands once.
 * @returns null when the text is not there, or more than once
 */
export function locatePrompt(documentText: string, promptText: string, oldOffset: number): number | null {
  if (promptText === '') return null;
  if (documentText.startsWith(promptText, oldOffset)) return oldOffset;
  const first = documentText.indexOf(promptText);
  return first !== -1 && documentText.indexOf(promptText, first + 1) === -1 ? first : null;
}

/**
 * Where spans of a checked prompt stand in its document now: one range each, or several where the source has something between.
 * @returns null when the prompt is not there any more, word for word
 */
export function placesOf(
  documentText: string,
  { text, source }: Pick<RunRecord['prompt'], 'text' | 'source'>,
): ((span: Span) => Span[]) | null {
  if (source?.map !== undefined) {
    const map = mapNow(documentText, text, source.map);
    return map === null ? null : (span) => sourceSpans(map, span);
  }
  const offset = locatePrompt(documentText, text, source?.range.start ?? 0);
  return offset === null ? null : ({ start, end }) => [{ start: start + offset, end: end + offset }];
}

/** The map where the text is, at its old place or moved as a whole; its longest verbatim part tells how far. */
function mapNow(documentText: string, text: string, map: SourcePiece[]): SourcePiece[] | null {
  if (holdsText(map, text, documentText)) return map;
  const longest = map
    .filter(({ verbatim }) => verbatim)
    .toSorted((a, b) => b.end - b.start - (a.end - a.start))[0];
  if (longest === undefined) return null;
  const offset = locatePrompt(documentText, text.slice(longest.start, longest.end), longest.source.start);
  if (offset === null) return null;
  const shift = offset - longest.source.start;
  const moved = map.map((piece) => ({
    ...piece,
    source: { start: piece.source.start + shift, end: piece.source.end + shift },
  }));
  return holdsText(moved, text, documentText) ? moved : null;
}

/** All ranges moved along, or null when the text of one was changed. */
export function followAll(spans: readonly Span[], changes: readonly TextChange[]): Span[] | null {
  const moved = spans.map((span) => follow(span, changes));
  return moved.includes(null) ? null : (moved as Span[]);
}
