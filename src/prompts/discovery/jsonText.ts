/** JSON with positions: `JSON.parse` says what is in a file, not where. */
import type { Span } from '../../contracts/runRecord';
import { createTextBuilder, type MappedText } from './mappedText';

export type JsonNode =
  | { kind: 'string'; span: Span }
  | { kind: 'object'; entries: { key: string; value: JsonNode }[] }
  | { kind: 'array'; items: JsonNode[] }
  | { kind: 'other'; span: Span };

const DEEPEST = 200;
const STRING = /"(?:[^"\\\u0000-\u001f]|\\.)*"/y;
const OTHER = /-?\d[\d.eE+-]*|true|false|null/y;
const BLANK = /[ \t\r\n]*/y;

/** @returns null where the text is no JSON, or nested deeper than any notebook is. Linear. */
export function parseJson(source: string): JsonNode | null {
  let at = source.startsWith('\uFEFF') ? 1 : 0;
  const match = (pattern: RegExp): Span | null => {
    pattern.lastIndex = at;
    const found = pattern.exec(source);
    if (found === null) return null;
    at += found[0].length;
    return { start: at - found[0].length, end: at };
  };
  const next = (character: string): boolean => {
    match(BLANK);
    if (source[at] !== character) return false;
    at++;
    return true;
  };
  const items = (close: string, item: () => boolean): boolean => {
    if (next(close)) return true;
    for (;;) {
      if (!item()) return false;
      if (next(close)) return true;
      if (!next(',')) return false;
    }
  };
  const value = (depth: number): JsonNode | null => {
    if (depth > DEEPEST) return null;
    if (next('{')) {
      const entries: { key: string; value: JsonNode }[] = [];
      const closed = items('}', () => {
        match(BLANK);
        const key = match(STRING);
        const held = key !== null && next(':') ? value(depth + 1) : null;
        if (held !== null) entries.push({ key: readJsonString(source, key!).text, value: held });
        return held !== null;
      });
      return closed ? { kind: 'object', entries } : null;
    }
    if (next('[')) {
      const held: JsonNode[] = [];
      const closed = items(']', () => {
        const item = value(depth + 1);
        if (item !== null) held.push(item);
        return item !== null;
      });
      return closed ? { kind: 'array', items: held } : null;
    }
    const string = match(STRING);
    if (string !== null) return { kind: 'string', span: string };
    const other = match(OTHER);
    return other === null ? null : { kind: 'other', span: other };
  };
  const root = value(0);
  match(BLANK);
  return at === source.length ? root : null;
}

export const entryOf = (node: JsonNode | null | undefined, key: string): JsonNode | null =>
  node?.kind === 'object' ? (node.entries.find((entry) => entry.key === key)?.value ?? null) : null;

const SIMPLE: Record<string, string> = { n: '\n', t: '\t', r: '\r', b: '\b', f: '\f' };

/** @param span quotation marks included */
export function readJsonString(source: string, { start, end }: Span): MappedText {
  const builder = createTextBuilder();
  let done = start + 1;
  for (const match of source.slice(start + 1, end - 1).matchAll(/\\(?:u([0-9a-fA-F]{4})|(.))/g)) {
    const at = start + 1 + match.index;
    builder.verbatim(source.slice(done, at), done);
    done = at + match[0].length;
    const [, unit, other] = match;
    const character =
      unit === undefined ? (SIMPLE[other!] ?? other!) : String.fromCharCode(parseInt(unit, 16));
    builder.whole(character, { start: at, end: done });
  }
  builder.verbatim(source.slice(done, end - 1), done);
  return builder.done();
}
