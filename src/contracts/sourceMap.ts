import type { Span } from './runRecord';

/**
 * A part of a prompt's text and the part of its document that it comes from. `verbatim`: the same characters, so offsets move
 * along; otherwise (an escape, an interpolation, a CRLF read as LF) it counts as a whole. Text between pieces, such as the
 * separator of a join, is written nowhere. Pieces are in the order of the text, and so nearly always of the document.
 */
export interface SourcePiece extends Span {
  source: Span;
  verbatim: boolean;
}

/**
 * Where a span of the text stands in the source: one range per stretch that is contiguous there, in order. An escape or an
 * interpolation that is touched counts as a whole. An empty span, and one of text that is written nowhere, gives the empty
 * range where it would stand.
 */
export function sourceSpans(pieces: readonly SourcePiece[], { start, end }: Span): Span[] {
  const spans: Span[] = [];
  let before: SourcePiece | null = null;
  let after: SourcePiece | null = null;
  for (const piece of pieces) {
    if (piece.start <= start) before = piece;
    else after ??= piece;
    if (piece.end <= start || piece.start >= end) continue;
    const source = piece.verbatim
      ? {
          start: piece.source.start + Math.max(0, start - piece.start),
          end: piece.source.end - Math.max(0, piece.end - end),
        }
      : piece.source;
    const last = spans.at(-1);
    if (last !== undefined && last.end === source.start) last.end = source.end;
    else if (last?.start !== source.start || last.end !== source.end) spans.push({ ...source });
  }
  if (spans.length > 0) return spans;
  const at =
    before === null
      ? (after?.source.start ?? 0)
      : start >= before.end
        ? before.source.end
        : before.verbatim
          ? before.source.start + start - before.start
          : before.source.start;
  return [{ start: at, end: at }];
}

/** Whether a document still holds every verbatim part of a text where the map says. */
export const holdsText = (pieces: readonly SourcePiece[], text: string, document: string): boolean =>
  pieces.every(
    ({ start, end, source, verbatim }) =>
      !verbatim || document.slice(source.start, source.end) === text.slice(start, end),
  );
