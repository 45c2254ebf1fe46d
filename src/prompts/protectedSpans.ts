import type { Span } from '../contracts/runRecord';
import { findAnswerLabels } from './answerLabels';
import { findCode, findFrontMatter, markdownLines, type Line } from './markdownLines';
import { findVariables } from './variables';

export type ProtectedKind =
  | 'variable'
  | 'template'
  | 'code'
  | 'frontMatter'
  | 'json'
  | 'tag'
  | 'url'
  | 'email'
  | 'path'
  | 'identifier'
  | 'reference'
  | 'table'
  | 'delimiter'
  | 'label'
  | 'quoted'
  | 'answerLabel';

export interface ProtectedSpan extends Span {
  kind: ProtectedKind;
}

/** Patterns of one line. Every repetition is bounded, so that hostile text stays linear. */
const INLINE: [ProtectedKind, RegExp][] = [
  [
    'template',
    /\{\{[^{}\n]{1,200}\}\}|\{%[^\n]{1,200}?%\}|<%[^\n]{1,200}?%>|\[\/?INST\]|<<\/?SYS>>|<\|[\w ]{1,40}\|>/g,
  ],
  ['tag', /<\/?[A-Za-z][\w:.-]{0,60}(?:\s[^<>\n]{0,300})?\/?>|<!--[^\n]{0,500}?-->/g],
  ['url', /(?<![a-z0-9+.-])[a-z][a-z0-9+.-]{0,15}:\/\/[^\s<>"'`]{1,2000}|\bwww\.[^\s<>"'`]{1,2000}/gi],
  ['email', /[\w.+-]{1,64}@[\w-]{1,64}(?:\.[\w-]{1,64}){1,6}/g],
  [
    'path',
    /(?<![\w/])(?:~|\.{1,2})?\/[\w.@-]{1,100}(?:\/[\w.@*-]{0,100}){0,30}|\b[A-Za-z]:\\[^\s"'<>|]{1,300}/g,
  ],
  [
    'path',
    /(?<![\w/.-])[\w.*-]{0,80}(?:\/[\w.*-]{1,80}){0,20}\.(?:md|txt|ts|tsx|js|mjs|cjs|json|jsonl|ya?ml|toml|py|cs|java|go|rs|rb|php|sh|sql|html|css|csv|xml|pdf|png|jpg|vue|env|prompt|prompty)\b/g,
  ],
  [
    'identifier',
    /\b[A-Za-z0-9]{1,60}(?:_[A-Za-z0-9]{1,60}){1,12}\b|\b[a-z]{1,40}[A-Z][A-Za-z0-9]{0,60}\b|\b[A-Za-z_][\w.]{0,60}\(\)/g,
  ],
  ['reference', /(?<![\w&#/])[#@][A-Za-z][\w:./-]{0,80}|\]\([^)\n]{0,500}\)|\[[A-Z][A-Z0-9 _-]{1,60}\]/g],
  ['json', /"[^"\n]{1,80}"\s{0,4}:/g],
  ['quoted', /"[^"\n]{1,80}"|“[^”\n]{1,80}”|(?<=[\s(:])'[^'\n]{1,40}'(?=[\s.,;:!?)]|$)/g],
];

const ROLE_LABEL =
  /^[ \t]*(?:[-*+] +)?(?:\*\*|__)?(?:Q|A|User|Assistant|Human|AI|Bot|System|Developer|Tool|Final answer|Few[- ]shot examples?|Example input|Example output|Expected output|\p{Lu}[\p{Ll}\p{Lu}]{0,20}(?: \d{1,3})?|[\p{Lo}]{1,6})(?:\*\*|__)?[:：](?:\*\*|__)?(?!\/\/)/iu;
const CASED_LABEL = /^[ \t]*(?:[-*+] +)?(?:\*\*|__)?(?:\p{Lu}|\p{Lo}|(?:system|user|assistant|human)\s*:)/u;

/**
 * What no perturbation may touch, sorted by start, without overlaps (the outermost part wins): variables and template
 * tags, code, front matter, JSON, XML/HTML tags, URLs, e-mail addresses, paths, identifiers, references, tables,
 * delimiters, labels such as `Q:` and `User:`, the words inside quotation marks and the answers the prompt allows.
 */
export function protectedSpans(text: string): ProtectedSpan[] {
  const lines = markdownLines(text);
  const spans: ProtectedSpan[] = [];
  const add = (kind: ProtectedKind, start: number, end: number) => {
    if (end > start) spans.push({ kind, start, end });
  };
  const frontMatter = findFrontMatter(text);
  if (frontMatter) add('frontMatter', 0, trimEnd(text, frontMatter.span.end));
  for (const { start, end } of findCode(text, lines)) add('code', start, end);
  for (const variable of findVariables(text)) {
    for (const { start, end } of variable.spans) add('variable', start, end);
  }
  for (const { start, end } of jsonBlocks(text)) add('json', start, end);
  for (const label of findAnswerLabels(text)?.labels ?? [])
    add('answerLabel', label.span.start, label.span.end);
  for (const line of lines) addLine(text, line, add);
  return outermost(spans);
}

function addLine(
  text: string,
  line: Line,
  add: (kind: ProtectedKind, start: number, end: number) => void,
): void {
  const { start, end, kind } = line;
  if (kind === 'blank' || kind === 'code' || kind === 'frontMatter') return;
  if (kind === 'rule') return add('delimiter', start, end);
  if (kind === 'table') return add('table', start, end);
  if (kind === 'tag') return add('tag', start, end);
  const content = text.slice(start, end);
  if (kind === 'heading') {
    add('delimiter', start + content.indexOf('#'), line.contentStart);
  } else if (kind === 'listItem' && !/[-*+•]/.test(text.slice(start, line.contentStart))) {
    add('delimiter', start, line.contentStart - 1);
  }
  const label = CASED_LABEL.test(content) ? ROLE_LABEL.exec(content) : null;
  if (label) add('label', start + label[0].search(/\S/), start + label[0].length);
  for (const [protectedKind, pattern] of INLINE) {
    for (const match of content.matchAll(pattern)) {
      const found = protectedKind === 'url' ? match[0].replace(/[.,;:!?)\]}*]+$/, '') : match[0];
      // The marks themselves are surface; what they quote is not.
      const inset = protectedKind === 'quoted' ? 1 : 0;
      add(protectedKind, start + match.index + inset, start + match.index + found.length - inset);
    }
  }
}

/** Balanced `{"…}` and `[{…]` outside fences, quotes respected. Gives up after 20,000 characters without an end. */
function jsonBlocks(text: string): Span[] {
  const spans: Span[] = [];
  const opening = /\{(?=\s{0,40}")|\[(?=\s{0,40}(?:[{"[]|-?\d))/g;
  for (let open = opening.exec(text); open; open = opening.exec(text)) {
    const end = closingBracket(text, open.index, Math.min(text.length, open.index + 20_000));
    // One that never closes makes every later attempt hopeless; keys are still protected one by one.
    if (end === null) break;
    spans.push({ start: open.index, end });
    opening.lastIndex = end;
  }
  return spans;
}

function closingBracket(text: string, from: number, limit: number): number | null {
  let depth = 0;
  let quoted = false;
  for (let i = from; i < limit; i++) {
    const character = text[i];
    if (quoted) {
      if (character === '\\') i++;
      else if (character === '"' || character === '\n') quoted = false;
    } else if (character === '"') quoted = true;
    else if (character === '{' || character === '[') depth++;
    else if ((character === '}' || character === ']') && --depth === 0) return i + 1;
  }
  return null;
}

function outermost(spans: ProtectedSpan[]): ProtectedSpan[] {
  spans.sort((a, b) => a.start - b.start || b.end - a.end);
  const kept: ProtectedSpan[] = [];
  for (const span of spans) {
    const last = kept.at(-1);
    if (!last || span.start >= last.end) kept.push({ ...span });
    // Quotation marks that pair across another part (`{"a": 1} and "b`) quote nothing.
    else if (span.end > last.end && span.kind !== 'quoted') last.end = span.end;
  }
  return kept;
}

const trimEnd = (text: string, end: number) => text.slice(0, end).trimEnd().length;
