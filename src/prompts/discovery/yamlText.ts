/** Where the characters of a YAML scalar stand. The value itself is the library's; here it is only laid along its source. */
import type { Scalar } from 'yaml';
import type { Span } from '../../contracts/runRecord';
import { createTextBuilder, type MappedText } from './mappedText';

/** A scalar that cannot be laid along its source (an anchor's tag, a comment in between) maps as a whole. */
export function readYamlScalar(scalar: Scalar, source: string): MappedText | null {
  if (typeof scalar.value !== 'string' || !scalar.range) return null;
  const value = scalar.value;
  const [start, end] = scalar.range;
  let mapped: MappedText | null;
  if (scalar.type === 'QUOTE_DOUBLE') mapped = readQuoted(source, { start: start + 1, end: end - 1 });
  else if (scalar.type === 'QUOTE_SINGLE') {
    mapped = layAlong(value, source, { start: start + 1, end: end - 1 }, true);
  } else if (scalar.type === 'BLOCK_LITERAL' || scalar.type === 'BLOCK_FOLDED') {
    const header = source.indexOf('\n', start);
    mapped = header < 0 ? null : layAlong(value, source, { start: header + 1, end }, false);
  } else mapped = layAlong(value, source, { start, end }, false);
  if (mapped?.text === value) return mapped;
  const builder = createTextBuilder();
  builder.whole(value, { start, end });
  return builder.done();
}

const isBlank = (character: string | undefined) =>
  character === ' ' || character === '\t' || character === '\n' || character === '\r';

/** Outside of double quotes YAML changes nothing but blanks (indentation, folding) and `''`. */
function layAlong(value: string, source: string, { start, end }: Span, quoted: boolean): MappedText | null {
  const builder = createTextBuilder();
  let at = start;
  for (let v = 0; v < value.length;) {
    let to = v;
    if (isBlank(value[v])) {
      while (to < value.length && isBlank(value[to])) to++;
      const from = at;
      while (at < end && isBlank(source[at])) at++;
      const blanks = value.slice(v, to);
      const kept = source.slice(from, at);
      if (kept === blanks) builder.verbatim(blanks, from);
      // The indentation of a text's first line goes.
      else if (v === 0 && kept.endsWith(blanks)) builder.verbatim(blanks, at - blanks.length);
      else if (at === from) builder.unwritten(blanks);
      else builder.whole(blanks, { start: from, end: at });
      v = to;
      continue;
    }
    while (at < end && isBlank(source[at])) at++;
    if (quoted && value[v] === "'" && source.startsWith("''", at)) {
      builder.whole("'", { start: at, end: at + 2 });
      at += 2;
      v++;
      continue;
    }
    while (to < value.length && !isBlank(value[to]) && !(quoted && value[to] === "'")) to++;
    const word = value.slice(v, to);
    if (to === v || at + word.length > end || !source.startsWith(word, at)) return null;
    builder.verbatim(word, at);
    at += word.length;
    v = to;
  }
  return builder.done();
}

const SIMPLE: Record<string, string> = {
  '0': '\0',
  a: '\x07',
  b: '\b',
  e: '\x1b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
  N: '\u0085',
  _: '\u00A0',
  L: '\u2028',
  P: '\u2029',
};
const PARTS =
  /\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|(\r?\n[ \t]*(?:\r?\n[ \t]*)*)|([^]))|[ \t]*((?:\r?\n[ \t]*)+)/g;

/** YAML 1.2, 7.3.1: escapes, and line breaks that fold into a space or into one less of themselves. */
function readQuoted(source: string, { start, end }: Span): MappedText {
  const builder = createTextBuilder();
  let done = start;
  for (const match of source.slice(start, end).matchAll(PARTS)) {
    const at = start + match.index;
    const span = { start: at, end: at + match[0].length };
    const [, byte, unit, point, continued, other, breaks] = match;
    builder.verbatim(source.slice(done, at), done);
    done = span.end;
    const feeds = (text: string) => text.split('\n').length - 1;
    if (continued !== undefined) {
      if (feeds(continued) > 1) builder.whole('\n'.repeat(feeds(continued) - 1), span);
    } else if (breaks !== undefined) {
      builder.whole(feeds(breaks) === 1 ? ' ' : '\n'.repeat(feeds(breaks) - 1), span);
    } else if (other !== undefined) builder.whole(SIMPLE[other] ?? other, span);
    else {
      const code = parseInt((byte ?? unit ?? point)!, 16);
      builder.whole(code <= 0x10ffff ? String.fromCodePoint(code) : '\uFFFD', span);
    }
  }
  builder.verbatim(source.slice(done, end), done);
  return builder.done();
}
