import { joinMapped, sliceMapped, trimMapped, type MappedText } from './mappedText';

interface Line {
  start: number;
  end: number;
}

function linesOf(text: string): Line[] {
  const lines: Line[] = [];
  for (let start = 0; start <= text.length;) {
    const feed = text.indexOf('\n', start);
    const end = feed < 0 ? text.length : feed + 1;
    lines.push({ start, end });
    if (feed < 0) break;
    start = end;
  }
  return lines;
}

/** Python's `textwrap.dedent`: the common leading blanks of all lines with words go; lines of blanks become empty. */
export function dedentPython(mapped: MappedText): MappedText {
  const lines = linesOf(mapped.text);
  let margin: string | null = null;
  for (const { start, end } of lines) {
    const line = mapped.text.slice(start, end);
    const indent = /^[ \t]*/.exec(line)![0];
    if (line.slice(indent.length).replace(/\n$/, '') === '') continue;
    margin = margin === null ? indent : commonStart(margin, indent);
  }
  const width = margin?.length ?? 0;
  return joinMapped(
    lines.map(({ start, end }) => {
      const line = mapped.text.slice(start, end);
      if (/^[ \t]*\n?$/.test(line)) return sliceMapped(mapped, end - (line.endsWith('\n') ? 1 : 0), end);
      return sliceMapped(mapped, start + width, end);
    }),
  );
}

function commonStart(a: string, b: string): string {
  let length = 0;
  while (length < a.length && a[length] === b[length]) length++;
  return a.slice(0, length);
}

/** Python's `inspect.cleandoc`: as a docstring is read: the first line apart, blank lines around gone. */
export function cleanPython(mapped: MappedText): MappedText {
  const [first, ...rest] = linesOf(mapped.text);
  const widths = rest.flatMap(({ start, end }) => {
    const line = mapped.text.slice(start, end);
    return line.trim() === '' ? [] : [line.search(/\S/)];
  });
  const width = widths.length === 0 ? 0 : Math.min(...widths);
  const head = trimMapped(sliceMapped(mapped, first!.start, first!.end), 'start');
  const tail = rest.map(({ start, end }) => {
    const line = mapped.text.slice(start, end);
    const cut = Math.min(width, line.replace(/\n$/, '').length);
    return sliceMapped(mapped, start + cut, end);
  });
  // A first line of blanks alone loses its line break to trimming; the blank lines around go anyway.
  const whole = joinMapped([head, ...tail]);
  const start = /^\n*/.exec(whole.text)![0].length;
  const end = whole.text.length - /\n*$/.exec(whole.text)![0].length;
  return sliceMapped(whole, start, Math.max(start, end));
}

/** The `dedent` of npm and its kin: the smallest indent of the lines that have one goes, blanks around the whole go. */
export function dedentScript(mapped: MappedText): MappedText {
  const lines = linesOf(mapped.text);
  const widths = lines.flatMap(({ start, end }) => {
    const indent = /^(\s+)\S+/.exec(mapped.text.slice(start, end))?.[1];
    return indent === undefined ? [] : [indent.length];
  });
  const width = widths.length === 0 ? 0 : Math.min(...widths);
  const parts = lines.map(({ start, end }) => {
    const line = mapped.text.slice(start, end);
    if (!/^[ \t]/.test(line)) return sliceMapped(mapped, start, end);
    const cut = Math.min(width, line.replace(/\n$/, '').length);
    return sliceMapped(mapped, start + cut, end);
  });
  return trimMapped(joinMapped(parts));
}
