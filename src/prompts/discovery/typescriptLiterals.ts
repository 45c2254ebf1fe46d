/** The text of string and template literals of JavaScript and TypeScript, as the engine would make it. */
import { dedentScript } from './dedent';
import { holeOf } from './holeNames';
import { createTextBuilder, joinMapped, trimMapped, type MappedText } from './mappedText';
import { calleeName, namedChildren, type SyntaxNode } from './syntax';

interface Reading {
  source: string;
  /** The literal that a name of the file stands for. */
  resolve(name: string): MappedText | null;
}

const DEDENT_TAGS = /^(?:dedent|outdent|stripIndent|stripIndents|endent|heredoc|ts_?dent)$/i;
/** Tags whose texts are another language's. */
const OTHER_LANGUAGES =
  /^(?:css|html|svg|sql|gql|graphql|keyframes|injectGlobal|glsl|regex|xml|styled\b.*)$/i;
const KEEPS_TEXT = new Set(['replace', 'replaceAll', 'concat', 'normalize', 'toString']);

/** @returns null where the expression is no text that the file holds */
export function readScriptText(node: SyntaxNode | null, reading: Reading): MappedText | null {
  if (node === null) return null;
  switch (node.type) {
    case 'string':
      return readQuoted(reading.source, node.startIndex + 1, node.endIndex - 1);
    case 'template_string':
      return readTemplate(node, reading, false);
    case 'parenthesized_expression':
    case 'as_expression':
    case 'satisfies_expression':
    case 'non_null_expression':
      return readScriptText(namedChildren(node)[0] ?? null, reading);
    case 'binary_expression':
      return readSum(node, reading);
    case 'call_expression':
      return readCall(node, reading);
    case 'identifier':
      return reading.resolve(reading.source.slice(node.startIndex, node.endIndex));
    default:
      return null;
  }
}

function readSum(node: SyntaxNode, reading: Reading): MappedText | null {
  const left = node.childForFieldName('left');
  const right = node.childForFieldName('right');
  if (left === null || right === null) return null;
  const operator = node.childForFieldName('operator');
  if (operator === null || reading.source.slice(operator.startIndex, operator.endIndex) !== '+') return null;
  const texts = [left, right].map((side) => readScriptText(side, reading));
  if (texts.every((text) => text === null)) return null;
  return joinMapped(texts.map((text, side) => text ?? operand(side === 0 ? left : right, reading.source)));
}

function operand(node: SyntaxNode, source: string): MappedText {
  const builder = createTextBuilder();
  const hole = holeOf(source.slice(node.startIndex, node.endIndex), 'expression');
  builder.hole(hole, `\${${hole.name}}`, { start: node.startIndex, end: node.endIndex });
  return builder.done();
}

function readCall(node: SyntaxNode, reading: Reading): MappedText | null {
  const callee = node.childForFieldName('function');
  const args = node.childForFieldName('arguments');
  if (callee === null || args === null) return null;
  const { last, whole } = calleeName(callee, reading.source);
  if (args.type === 'template_string') {
    if (OTHER_LANGUAGES.test(whole)) return null;
    const text = readTemplate(args, reading, whole === 'String.raw');
    return DEDENT_TAGS.test(last) ? dedentScript(text) : text;
  }
  const given = namedChildren(args);
  if (callee.type === 'identifier') {
    return DEDENT_TAGS.test(last) && given.length === 1
      ? mapNull(readScriptText(given[0]!, reading), dedentScript)
      : null;
  }
  const object = callee.childForFieldName('object');
  if (object === null) return null;
  if (last === 'join') {
    if (object.type !== 'array') return null;
    const separator = given[0] === undefined ? { text: ',' } : readScriptText(given[0], reading);
    const parts = namedChildren(object).map(
      (part) => readScriptText(part, reading) ?? operand(part, reading.source),
    );
    const anyText = namedChildren(object).some((part) => readScriptText(part, reading) !== null);
    return separator === null || !anyText ? null : joinMapped(parts, separator.text);
  }
  if (object.type === 'identifier') return null;
  if (last === 'trim') return mapNull(readScriptText(object, reading), (text) => trimMapped(text));
  if (last === 'trimStart')
    return mapNull(readScriptText(object, reading), (text) => trimMapped(text, 'start'));
  if (last === 'trimEnd') return mapNull(readScriptText(object, reading), (text) => trimMapped(text, 'end'));
  return KEEPS_TEXT.has(last) ? readScriptText(object, reading) : null;
}

const mapNull = (text: MappedText | null, change: (text: MappedText) => MappedText) =>
  text === null ? null : change(text);

function readTemplate(node: SyntaxNode, reading: Reading, raw: boolean): MappedText {
  const { source } = reading;
  const builder = createTextBuilder();
  let at = node.startIndex + 1;
  for (const child of namedChildren(node)) {
    if (child.type !== 'template_substitution') continue;
    builder.add(readEscapes(source, at, child.startIndex, raw));
    at = child.endIndex;
    const inner = namedChildren(child)[0] ?? null;
    const literal = inner?.type === 'identifier' ? null : readScriptText(inner, reading);
    if (literal !== null) builder.add(literal);
    else {
      const hole = holeOf(source.slice(child.startIndex + 2, child.endIndex - 1), 'dollar');
      builder.hole(hole, `\${${hole.name}}`, { start: child.startIndex, end: child.endIndex });
    }
  }
  builder.add(readEscapes(source, at, node.endIndex - 1, raw));
  return builder.done();
}

const readQuoted = (source: string, start: number, end: number) => readEscapes(source, start, end, false);

const SIMPLE: Record<string, string> = { n: '\n', t: '\t', r: '\r', b: '\b', f: '\f', v: '\v' };
const ESCAPE =
  /\r\n?|\\(?:u\{([0-9a-fA-F]+)\}|u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2})|([0-3][0-7]{0,2}|[4-7][0-7]?)|(\r\n|[\n\r\u2028\u2029])|([^]))/g;

/** ECMA-262, 12.9.4 and B.1.2 (old octal escapes); a line break in a template is a line feed, however the file has it. */
function readEscapes(source: string, start: number, end: number, raw: boolean): MappedText {
  const builder = createTextBuilder();
  let done = start;
  for (const match of source.slice(start, end).matchAll(ESCAPE)) {
    const at = start + match.index;
    const span = { start: at, end: at + match[0].length };
    const [whole, point, unit, hex, octal, continued, other] = match;
    if (raw && whole.startsWith('\\')) continue;
    builder.verbatim(source.slice(done, at), done);
    done = span.end;
    if (whole.startsWith('\r')) builder.whole('\n', span);
    else if (point !== undefined) builder.whole(codePoint(parseInt(point, 16)), span);
    else if (unit !== undefined) builder.whole(String.fromCharCode(parseInt(unit, 16)), span);
    else if (hex !== undefined) builder.whole(String.fromCharCode(parseInt(hex, 16)), span);
    else if (octal !== undefined) builder.whole(String.fromCharCode(parseInt(octal, 8)), span);
    else if (continued === undefined) builder.whole(SIMPLE[other!] ?? other!, span);
  }
  builder.verbatim(source.slice(done, end), done);
  return builder.done();
}

const codePoint = (value: number) => (value <= 0x10ffff ? String.fromCodePoint(value) : '\uFFFD');
