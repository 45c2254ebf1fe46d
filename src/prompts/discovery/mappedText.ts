/** Text together with where every character of it stands in its source. Everything here is linear in pieces. */
import type { FoundVariableSyntax } from '../../contracts/foundPrompt';
import type { Span } from '../../contracts/runRecord';
import { sourceSpans, type SourcePiece } from '../../contracts/sourceMap';

/** A place where a value goes. */
export interface Hole extends Span {
  name: string;
  expression: string;
  syntax: FoundVariableSyntax;
}

export interface MappedText {
  text: string;
  pieces: SourcePiece[];
  holes: Hole[];
}

/** Puts a mapped text together from left to right. */
export function createTextBuilder() {
  let text = '';
  const pieces: SourcePiece[] = [];
  const holes: Hole[] = [];
  const append = (added: string, source: Span, verbatim: boolean) => {
    if (added === '') return;
    const last = pieces.at(-1);
    const start = text.length;
    text += added;
    if (verbatim && last?.verbatim && last.end === start && last.source.end === source.start) {
      last.end = text.length;
      last.source.end = source.end;
    } else pieces.push({ start, end: text.length, source: { ...source }, verbatim });
  };
  return {
    /** Characters as the source has them. */
    verbatim: (added: string, sourceStart: number) =>
      append(added, { start: sourceStart, end: sourceStart + added.length }, true),
    /** Characters that stand for something else in the source. */
    whole: (added: string, source: Span) => append(added, source, false),
    /** Characters that stand nowhere. */
    unwritten: (added: string) => {
      text += added;
    },
    hole: (hole: Omit<Hole, keyof Span>, written: string, source: Span) => {
      const start = text.length;
      append(written, source, false);
      holes.push({ ...hole, start, end: text.length });
    },
    add: (part: MappedText) => {
      const shift = text.length;
      text += part.text;
      for (const piece of part.pieces) {
        const last = pieces.at(-1);
        const start = piece.start + shift;
        if (
          last?.verbatim &&
          piece.verbatim &&
          last.end === start &&
          last.source.end === piece.source.start
        ) {
          last.end = piece.end + shift;
          last.source.end = piece.source.end;
        } else pieces.push({ ...piece, start, end: piece.end + shift, source: { ...piece.source } });
      }
      for (const hole of part.holes)
        holes.push({ ...hole, start: hole.start + shift, end: hole.end + shift });
    },
    done: (): MappedText => ({ text, pieces, holes }),
  };
}

export function sliceMapped({ text, pieces, holes }: MappedText, start: number, end: number): MappedText {
  return {
    text: text.slice(start, end),
    pieces: pieces
      .filter((piece) => piece.end > start && piece.start < end)
      .map((piece) => {
        const from = Math.max(start, piece.start);
        const to = Math.min(end, piece.end);
        const source = piece.verbatim
          ? {
              start: piece.source.start + from - piece.start,
              end: piece.source.start + to - piece.start,
            }
          : piece.source;
        return { start: from - start, end: to - start, source, verbatim: piece.verbatim };
      }),
    holes: holes
      .filter((hole) => hole.start >= start && hole.end <= end)
      .map((hole) => ({ ...hole, start: hole.start - start, end: hole.end - start })),
  };
}

export function joinMapped(parts: readonly MappedText[], separator = ''): MappedText {
  const builder = createTextBuilder();
  parts.forEach((part, index) => {
    if (index > 0) builder.unwritten(separator);
    builder.add(part);
  });
  return builder.done();
}

export function trimMapped(mapped: MappedText, sides: 'both' | 'start' | 'end' = 'both'): MappedText {
  const { text } = mapped;
  const start = sides === 'end' ? 0 : text.length - text.trimStart().length;
  const end = sides === 'start' ? text.length : Math.max(start, text.trimEnd().length);
  return sliceMapped(mapped, start, end);
}

/** The same text where `inner` was read out of the text of `outer`: its pieces then point into the source of `outer`. */
export function composeMapped(inner: MappedText, outer: Pick<MappedText, 'pieces'>): MappedText {
  const builder = createTextBuilder();
  let done = 0;
  for (const piece of inner.pieces) {
    builder.unwritten(inner.text.slice(done, piece.start));
    done = piece.end;
    if (!piece.verbatim) {
      const spans = sourceSpans(outer.pieces, piece.source);
      const first = spans[0] ?? { start: 0, end: 0 };
      builder.whole(inner.text.slice(piece.start, piece.end), {
        start: first.start,
        end: (spans.at(-1) ?? first).end,
      });
      continue;
    }
    let at = piece.start;
    const { start, end } = piece.source;
    for (const part of outer.pieces) {
      if (part.end <= start || part.start >= end) continue;
      const from = Math.max(start, part.start);
      const to = Math.min(end, part.end);
      const textFrom = piece.start + from - start;
      builder.unwritten(inner.text.slice(at, textFrom));
      at = textFrom + to - from;
      const characters = inner.text.slice(textFrom, at);
      if (part.verbatim) builder.verbatim(characters, part.source.start + from - part.start);
      else builder.whole(characters, part.source);
    }
    builder.unwritten(inner.text.slice(at, piece.end));
  }
  builder.unwritten(inner.text.slice(done));
  return { ...builder.done(), holes: inner.holes };
}
