import { createTextBuilder, sliceMapped, type MappedText } from './mappedText';

/** `{{` and `}}` of a format string are braces; `{name}` takes a value. `holeFor` gives null for what is left as it is. */
export function readFormat(
  mapped: MappedText,
  holeFor: (expression: string) => { name: string; expression: string } | null,
): MappedText {
  const builder = createTextBuilder();
  let done = 0;
  const keep = (to: number) => builder.add(sliceMapped(mapped, done, to));
  const closed = mapped.holes;
  let nextHole = 0;
  for (const match of mapped.text.matchAll(/\{\{|\}\}|\{([^{}\n]*)\}/g)) {
    const start = match.index;
    const end = start + match[0].length;
    while (nextHole < closed.length && closed[nextHole]!.end <= start) nextHole++;
    if (nextHole < closed.length && closed[nextHole]!.start < end) continue;
    const brace = match[1] === undefined;
    const hole = brace ? null : holeFor(match[1]!);
    if (!brace && hole === null) continue;
    keep(start);
    done = end;
    const part = sliceMapped(mapped, start, end);
    const source = {
      start: part.pieces[0]?.source.start ?? 0,
      end: part.pieces.at(-1)?.source.end ?? 0,
    };
    if (hole === null) builder.whole(match[0][0]!, source);
    else builder.hole({ ...hole, syntax: 'brace' }, `{${hole.name}}`, source);
  }
  keep(mapped.text.length);
  return builder.done();
}
