import type { Span } from '../contracts/runRecord';

export type LineKind =
  'frontMatter' | 'code' | 'blank' | 'heading' | 'listItem' | 'table' | 'rule' | 'tag' | 'text';

export interface Line extends Span {
  kind: LineKind;
  /** Where the words begin, after `## `, `- ` or `1. ` and indentation. */
  contentStart: number;
}

/**
 * Classifies every line of a Markdown-like prompt, in one pass. `end` excludes the line break (LF, CRLF).
 * A fence that is never closed runs to the end of the text, as in CommonMark. Indented code is not recognised:
 * in prompts indentation is nearly always a nested list.
 */
export function markdownLines(text: string): Line[] {
  const lines: Line[] = [];
  const frontMatterEnd = findFrontMatter(text)?.span.end ?? 0;
  let fence: { mark: string; length: number } | null = null;
  for (let start = 0; start <= text.length;) {
    const feed = text.indexOf('\n', start);
    const next = feed < 0 ? text.length + 1 : feed + 1;
    let end = feed < 0 ? text.length : feed;
    if (end > start && text[end - 1] === '\r') end--;
    const content = text.slice(start, end);
    const fenceMark = /^[ \t]*(?:[-*+] +|\d+[.)] +|> ?)*(`{3,}|~{3,})/.exec(content);
    let kind: LineKind;
    let indent = content.length - content.trimStart().length;
    if (start < frontMatterEnd) kind = 'frontMatter';
    else if (fence) {
      kind = 'code';
      const mark = fenceMark?.[1];
      if (mark && mark[0] === fence.mark && mark.length >= fence.length && content.trim() === mark)
        fence = null;
    } else if (fenceMark && !content.slice(fenceMark[0].length).includes('`')) {
      kind = 'code';
      fence = { mark: fenceMark[1]![0]!, length: fenceMark[1]!.length };
    } else [kind, indent] = classify(content, indent);
    lines.push({ start, end, kind, contentStart: start + indent });
    start = next;
  }
  return lines;
}

function classify(content: string, indent: number): [LineKind, number] {
  const trimmed = content.trim();
  if (trimmed === '') return ['blank', indent];
  if (/^(?:([-*_=#~+])(?:\s*\1){2,}|"{3}|'{3}|<{3,}|>{3,})$/.test(trimmed)) return ['rule', indent];
  const heading = /^\s{0,3}#{1,6}[ \t]+(?=\S)/.exec(content);
  if (heading) return ['heading', heading[0].length];
  if (/^\|.*\|$/.test(trimmed)) return ['table', indent];
  if (/^(?:<\/?[A-Za-z][^<>]*>|<!--.*-->)+$/.test(trimmed)) return ['tag', indent];
  const item =
    /^[ \t]*(?:>[ \t]?)*(?:[-*+•]|\d{1,3}[.)]|\(?[A-Za-z][.)])[ \t]+(?:\[[ xX]\][ \t]+)?(?=\S)/.exec(content);
  if (item) return ['listItem', item[0].length];
  const quote = /^[ \t]*(?:>[ \t]?)+/.exec(content);
  return ['text', quote ? quote[0].length : indent];
}

/**
 * YAML front matter at the very start (after a byte order mark): `---`, at least one `key:` line, `---`.
 * A `---` that is only a delimiter is not taken for one. Null when there is none or it is never closed.
 */
export function findFrontMatter(text: string): { span: Span; yaml: Span } | null {
  const open = /^\uFEFF?---[ \t]*\r?\n/.exec(text);
  if (!open) return null;
  const close = /^---[ \t]*(?:\r?\n|$)/m;
  const yamlStart = open[0].length;
  const found = close.exec(text.slice(yamlStart));
  if (!found) return null;
  const yaml = { start: yamlStart, end: yamlStart + found.index };
  const firstLine = /^\s*(?:#.*\r?\n\s*)*[\w"'.-]+[ \t]*:/.test(text.slice(yaml.start, yaml.end));
  if (!firstLine) return null;
  return { span: { start: 0, end: yaml.end + found[0].length }, yaml };
}

/** Fenced blocks (whole lines) and inline code, sorted. Inline code may wrap lines, but not cross a blank one. */
export function findCode(text: string, lines: Line[]): (Span & { fenced: boolean })[] {
  const spans: (Span & { fenced: boolean })[] = [];
  for (let i = 0; i < lines.length;) {
    const line = lines[i]!;
    if (line.kind === 'code') {
      let last = i;
      while (lines[last + 1]?.kind === 'code') last++;
      spans.push({ start: line.start, end: lines[last]!.end, fenced: true });
      i = last + 1;
    } else if (line.kind === 'blank' || line.kind === 'frontMatter') i++;
    else {
      let last = i;
      while (lines[last + 1] && !['code', 'blank', 'frontMatter'].includes(lines[last + 1]!.kind)) last++;
      for (const span of inlineCode(text, line.start, lines[last]!.end))
        spans.push({ ...span, fenced: false });
      i = last + 1;
    }
  }
  return spans;
}

/** CommonMark code spans: a run of n backticks up to the next run of exactly n. */
function inlineCode(text: string, start: number, end: number): Span[] {
  const runs = [...text.slice(start, end).matchAll(/`+/g)].map((run) => ({
    start: start + run.index,
    length: run[0].length,
  }));
  const spans: Span[] = [];
  for (let i = 0; i < runs.length; i++) {
    const open = runs[i]!;
    if (text[open.start - 1] === '\\') continue;
    let closing = i + 1;
    while (closing < runs.length && runs[closing]!.length !== open.length) closing++;
    const close = runs[closing];
    if (!close) continue;
    spans.push({ start: open.start, end: close.start + close.length });
    i = closing;
  }
  return spans;
}
