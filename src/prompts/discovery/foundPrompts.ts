/** Turns texts that were found into prompts: variables, identity, order. */
import type { FoundBecause, FoundPrompt, FoundVariable, PromptHost } from '../../contracts/foundPrompt';
import type { Span } from '../../contracts/runRecord';
import { findVariables } from '../variables';
import type { Hole, MappedText } from './mappedText';

/** A text that counts as a prompt, before it has an identity. */
export interface Candidate {
  mapped: MappedText;
  /** Names around and of it, outermost first. */
  symbol: string[];
  because: FoundBecause;
  role: 'system' | 'user' | null;
  /** Of the whole expression in the document. */
  span: Span;
  values?: Record<string, string>;
  cell?: number;
}

/** What says most about a text that was found in several ways. */
const SURENESS: Record<FoundBecause, number> = { name: 0, call: 1, comment: 2, file: 3 };

interface Place {
  path: string;
  source: string;
  host: PromptHost;
}

/** Prompts in the order of the document; one that was found in several ways counts once. */
export function toFoundPrompts(
  candidates: readonly Candidate[],
  { path, source, host }: Place,
): FoundPrompt[] {
  const byStart = new Map<number, Candidate>();
  for (const candidate of candidates) {
    const before = byStart.get(candidate.span.start);
    if (before === undefined || SURENESS[candidate.because] > SURENESS[before.because]) {
      byStart.set(candidate.span.start, { ...candidate, role: candidate.role ?? before?.role ?? null });
    }
  }
  const ordered = [...byStart.values()].sort((a, b) => a.span.start - b.span.start);
  const lineOf = createLineCounter(source);
  const seen = new Map<string, number>();
  return ordered.map(({ mapped, symbol, because, role, span, values, cell }) => {
    const base = symbol.filter((part) => part !== '').join('.');
    const count = (seen.get(base) ?? 0) + 1;
    seen.set(base, count);
    const unique = count === 1 ? base : `${base}~${count}`;
    return {
      id: unique === '' ? path : `${path}#${unique}`,
      path,
      symbol: unique,
      name: unique === '' ? (path.split('/').at(-1) ?? path) : unique.split('.').at(-1)!,
      host,
      because,
      role,
      line: lineOf(mapped.pieces[0]?.source.start ?? span.start),
      cell: cell ?? null,
      text: mapped.text,
      variables: variablesOf(mapped, host === 'promptfoo' ? 'mustache' : 'all'),
      values: values ?? {},
      sourceMap: mapped.pieces,
      span,
    };
  });
}

/** Lines of ascending offsets, in one pass. */
function createLineCounter(source: string): (offset: number) => number {
  let at = 0;
  let line = 1;
  return (offset) => {
    if (offset < at) {
      at = 0;
      line = 1;
    }
    for (; at < offset; at++) if (source.charCodeAt(at) === 10) line++;
    return line;
  };
}

/**
 * Where the language puts values in itself (interpolations), a lone `{x}` is text; elsewhere it is read as in prompt files.
 * `{{x}}` is a variable in both.
 */
function variablesOf({ text, holes }: MappedText, syntaxes: 'all' | 'mustache' = 'all'): FoundVariable[] {
  const places: Hole[] = [...holes];
  for (const { name, spans, syntax } of findVariables(text)) {
    if (syntax !== 'mustache' && (holes.length > 0 || syntaxes === 'mustache')) continue;
    for (const span of spans) {
      if (holes.some((hole) => hole.start < span.end && hole.end > span.start)) continue;
      places.push({ name, expression: name, syntax, ...span });
    }
  }
  places.sort((a, b) => a.start - b.start);
  const byName = new Map<string, FoundVariable>();
  for (const { name, expression, syntax, start, end } of places) {
    const known = byName.get(name);
    if (known) known.spans.push({ start, end });
    else byName.set(name, { name, expression, syntax, spans: [{ start, end }] });
  }
  return [...byName.values()];
}
