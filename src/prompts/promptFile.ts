import { parse } from 'yaml';
import type { Span } from '../contracts/runRecord';
import { UserError } from '../contracts/userError';
import { findFrontMatter, markdownLines, type Line } from './markdownLines';

interface PromptInFile {
  /** Exactly `content.slice(range.start, range.end)`: what is sent, less its variables. */
  text: string;
  range: Span;
  /** Values that the file itself gives for its variables. */
  variables: Record<string, string>;
}

/**
 * The prompt of a prompt file: its body without a byte order mark, YAML front matter and surrounding blank space.
 * Front matter is taken off in Markdown, `.prompt` and `.prompty` files; other files are a prompt as a whole.
 * Values come from the front matter: `sample:` (.prompty), `input.default:` (.prompt), `inputs.<name>.sample` or
 * `.default`; only plain scalars. Front matter that is not valid YAML is taken off as well and gives no values.
 */
export function promptFromFile(content: string, path: string): PromptInFile {
  const frontMatter = /\.(?:md|markdown|prompt|prompty)$/i.test(path) ? findFrontMatter(content) : null;
  const bodyStart = frontMatter?.span.end ?? 0;
  return {
    ...trimmed(content, bodyStart, content.length),
    variables: frontMatter ? sampleValues(content.slice(frontMatter.yaml.start, frontMatter.yaml.end)) : {},
  };
}

/**
 * The part of a file that FILE:LINE means (`line` counts from 1). In a file with Markdown headings: the section,
 * from its heading to the next heading of the same or a higher level. Otherwise: the paragraph, between blank
 * lines. Headings and blank lines inside code fences do not count. A blank line means the paragraph below it, or
 * the one above at the end of the file. A line of the front matter means the whole prompt.
 * @throws UserError `usage` when the file has no such line, `emptyPrompt` when there is nothing to select.
 */
export function selectAt(content: string, line: number, path = 'prompt.md'): PromptInFile {
  const whole = promptFromFile(content, path);
  const lines = markdownLines(content);
  const count = content.endsWith('\n') ? lines.length - 1 : lines.length;
  if (!Number.isInteger(line) || line < 1 || line > count) {
    throw new UserError(
      'usage',
      `There is no line ${line}: the file has ${count} line${count === 1 ? '' : 's'}.`,
      `Name a line from 1 to ${count}.`,
    );
  }
  const at = lines[line - 1]!;
  if (at.end < whole.range.start || whole.text === '') return whole;
  const inPrompt = lines.filter(({ start, end }) => end >= whole.range.start && start < whole.range.end);
  const index = Math.min(
    inPrompt.length - 1,
    inPrompt.findIndex(({ start }) => start >= at.start),
  );
  const part = inPrompt.some(({ kind }) => kind === 'heading')
    ? sectionAt(content, inPrompt, index < 0 ? inPrompt.length - 1 : index)
    : paragraphAt(inPrompt, index < 0 ? inPrompt.length - 1 : index);
  return { ...trimmed(content, part.start, part.end), variables: whole.variables };
}

function sectionAt(content: string, lines: Line[], index: number): Span {
  const level = (line: Line) => content.slice(line.start, line.end).trimStart().search(/[^#]/);
  let first = index;
  while (first > 0 && lines[first]!.kind !== 'heading') first--;
  const opensWithHeading = lines[first]!.kind === 'heading';
  const own = opensWithHeading ? level(lines[first]!) : 7;
  let last = first;
  while (lines[last + 1] && !(lines[last + 1]!.kind === 'heading' && level(lines[last + 1]!) <= own)) last++;
  return { start: lines[first]!.start, end: lines[last]!.end };
}

function paragraphAt(lines: Line[], index: number): Span {
  let at = index;
  while (lines[at]?.kind === 'blank') at++;
  if (!lines[at]) for (at = index; at > 0 && lines[at]!.kind === 'blank';) at--;
  let first = at;
  while (first > 0 && lines[first - 1]!.kind !== 'blank') first--;
  let last = at;
  while (lines[last + 1] && lines[last + 1]!.kind !== 'blank') last++;
  return { start: lines[first]!.start, end: lines[last]!.end };
}

function trimmed(content: string, from: number, to: number): { text: string; range: Span } {
  const raw = content.slice(from, to);
  const start = from + (raw.length - raw.trimStart().length);
  const text = raw.trim();
  return { text, range: { start, end: start + text.length } };
}

/** Front matter of prompts has a few lines; the YAML parser's time grows with the square of some texts. */
const LONGEST_YAML = 20_000;

function sampleValues(yaml: string): Record<string, string> {
  if (yaml.length > LONGEST_YAML) return {};
  let data: unknown;
  try {
    data = parse(yaml, { logLevel: 'silent', maxAliasCount: 100 });
  } catch {
    return {};
  }
  const root = asRecord(data);
  const values: Record<string, string> = {};
  const take = (name: string, value: unknown) => {
    if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') {
      values[name] = String(value);
    }
  };
  for (const [name, value] of Object.entries(asRecord(root['inputs']))) {
    take(name, asRecord(value)['default']);
    take(name, asRecord(value)['sample']);
  }
  for (const [name, value] of Object.entries(asRecord(asRecord(root['input'])['default']))) take(name, value);
  for (const [name, value] of Object.entries(asRecord(root['sample']))) take(name, value);
  return values;
}

const asRecord = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : {};
