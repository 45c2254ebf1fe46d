import type { Span } from '../contracts/runRecord';
import { UserError } from '../contracts/userError';
import { findCode, findFrontMatter, markdownLines } from './markdownLines';

/** `mustache`: {{x}} or {{{x}}}; `brace`: {x}; `dollar`: ${x} and the prompt-file form ${input:x}. */
type VariableSyntax = 'mustache' | 'brace' | 'dollar';

interface PromptVariable {
  name: string;
  /** Every place it stands, braces included, in order. */
  spans: Span[];
  /** That of its first place. */
  syntax: VariableSyntax;
}

interface Occurrence extends Span {
  name: string;
  syntax: VariableSyntax;
  /** Written with a backslash before it: literal text, not a variable. */
  escaped: boolean;
}

const NAME = String.raw`[\p{L}_][\p{L}\p{M}\p{N}_]*`;
const PATTERN = new RegExp(
  [
    String.raw`\{\{\{\s*(?<triple>${NAME}(?:[.-]${NAME})*)\s*\}\}\}`,
    String.raw`\{\{\s*(?<double>${NAME}(?:[.-]${NAME})*)\s*\}\}`,
    String.raw`\$\{\s*(?:input:)?(?<dollar>${NAME}(?:[.-]${NAME})*)(?::[^{}\n]*)?\s*\}`,
    String.raw`\{(?<brace>${NAME}(?:\.${NAME})*)\}`,
  ].join('|'),
  'gu',
);

/**
 * Variables of a prompt in order of first appearance. Nothing inside fenced or inline code or front matter counts
 * (but `${input:x}` in inline code does), nor do JSON braces, LaTeX arguments (`\frac{x}`, `x_{i}`), URL or path templates (`/users/{id}`), or anything
 * escaped with a backslash (`\{{x}}`). Linear in the length of the text.
 */
export function findVariables(text: string): PromptVariable[] {
  const byName = new Map<string, PromptVariable>();
  for (const { name, syntax, escaped, start, end } of occurrences(text)) {
    if (escaped) continue;
    const known = byName.get(name);
    if (known) known.spans.push({ start, end });
    else byName.set(name, { name, spans: [{ start, end }], syntax });
  }
  return [...byName.values()];
}

interface BoundPrompt {
  text: string;
  /** Where each value went, in order: its place in the template and in the rendered text. */
  map: { name: string; template: Span; rendered: Span }[];
}

/**
 * Renders a prompt. Values are data: braces in them are never read again. A backslash before a variable is dropped,
 * so that `\{{x}}` is sent as `{{x}}`. Values without a variable are ignored.
 * @throws UserError `unboundVariables`, naming each variable that has no value.
 */
export function bindVariables(text: string, values: Readonly<Record<string, string>>): BoundPrompt {
  const unbound = findVariables(text).filter(({ name }) => !Object.hasOwn(values, name));
  if (unbound.length > 0) {
    const names = unbound.map(({ name }) => name);
    throw new UserError(
      'unboundVariables',
      `${names.length === 1 ? 'This variable of the prompt has' : 'These variables of the prompt have'} no value: ${names.join(', ')}. A model would be asked about the placeholder instead of your data.`,
      `Give ${names.length === 1 ? 'it' : 'each'} a value, on the command line with ${names.map((name) => `--var ${name}=…`).join(' ')}. Literal braces are written with a backslash: \\{{x}}.`,
    );
  }
  let rendered = '';
  let done = 0;
  const map: BoundPrompt['map'] = [];
  for (const { name, escaped, start, end } of occurrences(text)) {
    if (escaped) {
      rendered += text.slice(done, start - 1);
      done = start;
      continue;
    }
    rendered += text.slice(done, start);
    const value = values[name]!;
    map.push({
      name,
      template: { start, end },
      rendered: { start: rendered.length, end: rendered.length + value.length },
    });
    rendered += value;
    done = end;
  }
  return { text: rendered + text.slice(done), map };
}

function occurrences(text: string): Occurrence[] {
  if (!text.includes('{')) return [];
  const closed: (Span & { fenced: boolean })[] = findCode(text, markdownLines(text));
  const frontMatter = findFrontMatter(text);
  if (frontMatter) closed.unshift({ ...frontMatter.span, fenced: true });
  const found: Occurrence[] = [];
  let nextClosed = 0;
  for (const match of text.matchAll(PATTERN)) {
    const start = match.index;
    const end = start + match[0].length;
    while (nextClosed < closed.length && closed[nextClosed]!.end <= start) nextClosed++;
    const code = closed[nextClosed];
    // `${input:x}` is a prompt file's own form, which editors fill in inside of inline code too.
    const isInput = code?.fenced === false && match[0].startsWith('${input:');
    if (code && code.start < end && !isInput) continue;
    const groups = match.groups!;
    const syntax = groups['dollar'] ? 'dollar' : groups['brace'] ? 'brace' : 'mustache';
    if (syntax === 'brace' && isNotation(text, start)) continue;
    const name = (groups['triple'] ?? groups['double'] ?? groups['dollar'] ?? groups['brace'])!;
    found.push({ name, syntax, start, end, escaped: text[start - 1] === '\\' });
  }
  return found;
}

/** LaTeX arguments, and the placeholders of a URL or an absolute path that the prompt talks about. */
function isNotation(text: string, start: number): boolean {
  const before = text.slice(Math.max(0, start - 200), start);
  return /[_^]$|\\[A-Za-z]+(?:\{[^{}]*\})*$|(?:^|[\s("'<])(?:\/|[a-z][a-z0-9+.-]*:\/\/)\S*$/i.test(before);
}
