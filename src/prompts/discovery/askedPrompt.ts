import type { FoundPrompt } from '../../contracts/foundPrompt';
import type { Span } from '../../contracts/runRecord';
import type { SourcePiece } from '../../contracts/sourceMap';
import { findVariables } from '../variables';
import { createTextBuilder, sliceMapped } from './mappedText';

interface AskedPrompt {
  /** As checks read a prompt: `findVariables` finds in it exactly the variables of the source that have no value yet. */
  text: string;
  map: SourcePiece[];
  /** Variables that must have a value before the text can be made. */
  missing: string[];
}

/**
 * A found prompt as a prompt of its own. Source code can put values where a prompt file has none (inside code fences, in a URL):
 * those values are put in here. And it can have braces that are no variables: those get a backslash.
 * @param values of variables, by name
 */
export function askedPrompt(
  { text, sourceMap, variables }: Pick<FoundPrompt, 'text' | 'sourceMap' | 'variables'>,
  values: Readonly<Record<string, string>>,
): AskedPrompt {
  const key = ({ start, end }: Span, name: string) => `${start}:${end}:${name}`;
  const read = findVariables(text).flatMap(({ name, spans }) => spans.map((span) => ({ name, span })));
  const wanted = variables.flatMap(({ name, spans }) => spans.map((span) => ({ name, span })));
  const readKeys = new Set(read.map(({ name, span }) => key(span, name)));
  const wantedKeys = new Set(wanted.map(({ name, span }) => key(span, name)));
  const changes = [
    ...wanted
      .filter(({ name, span }) => !readKeys.has(key(span, name)))
      .map((entry) => ({ ...entry, hidden: true })),
    ...read
      .filter(({ name, span }) => !wantedKeys.has(key(span, name)))
      .map((entry) => ({ ...entry, hidden: false })),
  ].sort((a, b) => a.span.start - b.span.start);

  const mapped = { text, pieces: sourceMap, holes: [] };
  const builder = createTextBuilder();
  const missing = new Set<string>();
  let done = 0;
  for (const { name, span, hidden } of changes) {
    if (span.start < done) continue;
    builder.add(sliceMapped(mapped, done, span.start));
    done = span.start;
    if (!hidden) {
      builder.unwritten('\\');
      continue;
    }
    const value = Object.hasOwn(values, name) ? values[name] : undefined;
    if (value === undefined) {
      missing.add(name);
      continue;
    }
    const part = sliceMapped(mapped, span.start, span.end).pieces;
    builder.whole(value, { start: part[0]?.source.start ?? 0, end: part.at(-1)?.source.end ?? 0 });
    done = span.end;
  }
  builder.add(sliceMapped(mapped, done, text.length));
  const made = builder.done();
  return { text: made.text, map: made.pieces, missing: [...missing] };
}
