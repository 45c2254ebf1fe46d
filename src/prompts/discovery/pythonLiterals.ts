/** The text of Python's string literals and of what is commonly done to them where they stand. */
import { cleanPython, dedentPython } from './dedent';
import { holeOf } from './holeNames';
import { createTextBuilder, joinMapped, sliceMapped, trimMapped, type MappedText } from './mappedText';
import { readFormat } from './readFormat';
import { calleeName, namedChildren, type SyntaxNode } from './syntax';

interface Reading {
  source: string;
  /** The literal that a name of the file stands for. */
  resolve(name: string): MappedText | null;
}

const KEEPS_TEXT = new Set(['replace', 'format_map', 'encode', 'substitute', 'safe_substitute']);

/** @returns null where the expression is no text that the file holds; bytes are none */
export function readPythonText(node: SyntaxNode | null, reading: Reading): MappedText | null {
  if (node === null) return null;
  switch (node.type) {
    case 'string':
      return readString(node, reading);
    case 'concatenated_string': {
      const parts = namedChildren(node).map((part) => readPythonText(part, reading));
      return parts.some((part) => part === null) ? null : joinMapped(parts as MappedText[]);
    }
    case 'parenthesized_expression':
      return readPythonText(namedChildren(node)[0] ?? null, reading);
    case 'binary_operator':
      return readOperator(node, reading);
    case 'call':
      return readCall(node, reading);
    case 'identifier':
      return reading.resolve(reading.source.slice(node.startIndex, node.endIndex));
    default:
      return null;
  }
}

function readOperator(node: SyntaxNode, reading: Reading): MappedText | null {
  const left = node.childForFieldName('left');
  const right = node.childForFieldName('right');
  if (left === null || right === null) return null;
  const sign = node.childForFieldName('operator');
  const operator = sign === null ? '' : reading.source.slice(sign.startIndex, sign.endIndex);
  if (operator === '%') {
    const text = left.type === 'identifier' ? null : readPythonText(left, reading);
    return text === null ? null : readPercent(text, right, reading.source);
  }
  if (operator !== '+') return null;
  const texts = [left, right].map((side) => readPythonText(side, reading));
  if (texts.every((text) => text === null)) return null;
  return joinMapped(texts.map((text, side) => text ?? operand(side === 0 ? left : right, reading.source)));
}

function operand(node: SyntaxNode, source: string): MappedText {
  const builder = createTextBuilder();
  const hole = holeOf(source.slice(node.startIndex, node.endIndex), 'expression');
  builder.hole(hole, `{${hole.name}}`, { start: node.startIndex, end: node.endIndex });
  return builder.done();
}

function readCall(node: SyntaxNode, reading: Reading): MappedText | null {
  const callee = node.childForFieldName('function');
  const args = node.childForFieldName('arguments');
  if (callee === null || args === null) return null;
  const given = namedChildren(args);
  const { last } = calleeName(callee, reading.source);
  if (last === 'dedent' || last === 'cleandoc') {
    const text = readPythonText(given[0] ?? null, reading);
    if (text === null) return null;
    return last === 'dedent' ? dedentPython(text) : cleanPython(text);
  }
  const object = callee.type === 'attribute' ? callee.childForFieldName('object') : null;
  if (object === null) return null;
  if (last === 'join') {
    const separator = readPythonText(object, reading);
    const list = given[0];
    if (separator === null || (list?.type !== 'list' && list?.type !== 'tuple')) return null;
    const parts = namedChildren(list);
    const texts = parts.map((part) => readPythonText(part, reading));
    if (texts.every((text) => text === null)) return null;
    return joinMapped(
      texts.map((text, index) => text ?? operand(parts[index]!, reading.source)),
      separator.text,
    );
  }
  if (object.type === 'identifier') return null;
  const text = readPythonText(object, reading);
  if (text === null) return null;
  const strips = last === 'strip' ? 'both' : last === 'lstrip' ? 'start' : last === 'rstrip' ? 'end' : null;
  if (strips !== null) return given.length === 0 ? trimMapped(text, strips) : text;
  if (last === 'format') return readFormat(text, formatField());
  return KEEPS_TEXT.has(last) ? text : null;
}

/** Fields of `str.format`: `{name}`, `{name:>8}`, `{user.name!r}`, `{0}`, and `{}`, which counts up. */
export function formatField(): (expression: string) => { name: string; expression: string } | null {
  let next = 0;
  return (expression) => {
    const field = /^[^!:]*/.exec(expression)![0].trim();
    if (field === '') return { name: `value_${next++}`, expression };
    if (/^\d+$/.test(field)) return { name: `value_${field}`, expression };
    return /^[\p{L}_][\p{L}\p{M}\p{N}_]*(?:[.[].*)?$/u.test(field)
      ? { ...holeOf(field, 'brace'), expression }
      : null;
  };
}

const PERCENT =
  /%(?:%|(?:\((?<key>[^()\n]+)\))?[#0\- +]*(?:\d+|\*)?(?:\.(?:\d+|\*))?[hlL]?[diouxXeEfFgGcrsa])/g;

/** `"…" % (a, b)`: each place is named by what is put there. */
function readPercent(text: MappedText, right: SyntaxNode, source: string): MappedText {
  const given = right.type === 'tuple' ? namedChildren(right) : [right];
  const builder = createTextBuilder();
  let done = 0;
  let next = 0;
  for (const match of text.text.matchAll(PERCENT)) {
    const start = match.index;
    const end = start + match[0].length;
    if (text.holes.some((hole) => hole.start < end && hole.end > start)) continue;
    builder.add(sliceMapped(text, done, start));
    done = end;
    const part = sliceMapped(text, start, end);
    const span = {
      start: part.pieces[0]?.source.start ?? 0,
      end: part.pieces.at(-1)?.source.end ?? 0,
    };
    if (match[0] === '%%') {
      builder.whole('%', span);
      continue;
    }
    const value = given[next++];
    const key = match.groups?.['key'];
    const expression =
      key ?? (value === undefined ? `value_${next}` : source.slice(value.startIndex, value.endIndex));
    const hole = holeOf(expression, 'percent');
    builder.hole(hole, `{${hole.name}}`, span);
  }
  builder.add(sliceMapped(text, done, text.text.length));
  return builder.done();
}

function readString(node: SyntaxNode, reading: Reading): MappedText | null {
  const { source } = reading;
  const parts = namedChildren(node);
  const open = parts[0];
  const close = parts.at(-1);
  if (open?.type !== 'string_start' || close?.type !== 'string_end') return null;
  const prefix = /^[A-Za-z]*/.exec(source.slice(open.startIndex, open.endIndex))![0].toLowerCase();
  if (prefix.includes('b')) return null;
  const how = { raw: prefix.includes('r'), format: /[ft]/.test(prefix) };
  const builder = createTextBuilder();
  let at = open.endIndex;
  for (const child of parts) {
    if (child.type !== 'interpolation') continue;
    builder.add(readEscapes(source, at, child.startIndex, how));
    at = child.endIndex;
    addInterpolation(builder, child, source);
  }
  builder.add(readEscapes(source, at, close.startIndex, how));
  return builder.done();
}

function addInterpolation(
  builder: ReturnType<typeof createTextBuilder>,
  node: SyntaxNode,
  source: string,
): void {
  const value = node.childForFieldName('expression') ?? namedChildren(node)[0] ?? null;
  const span = { start: node.startIndex, end: node.endIndex };
  if (value === null) return;
  const expression = source.slice(value.startIndex, value.endIndex);
  // `{total=}` writes `total=` before the value.
  const shown = /^\s*=(?!=)\s*/.exec(source.slice(value.endIndex, node.endIndex));
  let start = span.start;
  if (shown !== null) {
    const end = value.endIndex + shown[0].length;
    builder.verbatim(source.slice(span.start + 1, end), span.start + 1);
    start = end;
  }
  const hole = {
    ...holeOf(expression, 'brace'),
    expression: source.slice(value.startIndex, node.endIndex - 1),
  };
  builder.hole(hole, `{${hole.name}}`, { start, end: span.end });
}

const SIMPLE: Record<string, string> = {
  n: '\n',
  t: '\t',
  r: '\r',
  a: '\x07',
  b: '\b',
  f: '\f',
  v: '\v',
  '\\': '\\',
  "'": "'",
  '"': '"',
};
/** Python knows all names of Unicode; of a name that is not here the escape is kept as a variable. */
const NAMED: Record<string, string> = {
  BULLET: '•',
  'EM DASH': '—',
  'EN DASH': '–',
  'HORIZONTAL ELLIPSIS': '…',
  'RIGHTWARDS ARROW': '→',
  'NO-BREAK SPACE': '\u00A0',
  'CHECK MARK': '✓',
  'LEFT DOUBLE QUOTATION MARK': '“',
  'RIGHT DOUBLE QUOTATION MARK': '”',
  'RIGHT SINGLE QUOTATION MARK': '’',
  'DEGREE SIGN': '°',
};
const ESCAPE =
  /\r\n?|\{\{|\}\}|\\(?:(\r\n|[\n\r])|N\{([^{}\n]+)\}|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|x([0-9a-fA-F]{2})|([0-7]{1,3})|([^]))/g;

/** The language reference, 2.4.1. Unknown escapes stay as they are; line breaks are line feeds. */
function readEscapes(
  source: string,
  start: number,
  end: number,
  { raw, format }: { raw: boolean; format: boolean },
): MappedText {
  const builder = createTextBuilder();
  let done = start;
  for (const match of source.slice(start, end).matchAll(ESCAPE)) {
    const at = start + match.index;
    const span = { start: at, end: at + match[0].length };
    const [whole, continued, name, unit, point, hex, octal, other] = match;
    const isBrace = whole === '{{' || whole === '}}';
    if ((isBrace && !format) || (raw && whole.startsWith('\\'))) continue;
    if (other !== undefined && SIMPLE[other] === undefined) continue;
    builder.verbatim(source.slice(done, at), done);
    done = span.end;
    if (whole.startsWith('\r')) builder.whole('\n', span);
    else if (isBrace) builder.whole(whole[0]!, span);
    else if (continued !== undefined) continue;
    else if (name !== undefined) {
      const character = NAMED[name.toUpperCase()];
      const hole = holeOf(name, 'expression');
      if (character !== undefined) builder.whole(character, span);
      else builder.hole({ ...hole, expression: whole }, `{${hole.name}}`, span);
    } else if (unit !== undefined) builder.whole(String.fromCharCode(parseInt(unit, 16)), span);
    else if (point !== undefined) builder.whole(codePoint(parseInt(point, 16)), span);
    else if (hex !== undefined) builder.whole(String.fromCharCode(parseInt(hex, 16)), span);
    else if (octal !== undefined) builder.whole(String.fromCharCode(parseInt(octal, 8)), span);
    else builder.whole(SIMPLE[other!]!, span);
  }
  builder.verbatim(source.slice(done, end), done);
  return builder.done();
}

const codePoint = (value: number) => (value <= 0x10ffff ? String.fromCodePoint(value) : '\uFFFD');
