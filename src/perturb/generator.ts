import type { Expectation, PerturbationKind, Span, TextEdit } from '../contracts/runRecord';
import { protectedSpans, type ProtectedSpan } from '../prompts/protectedSpans';
import { splitSentences, type Sentence } from '../prompts/sentences';
import type { Rng } from '../stats/rng';

/** What every generator needs to know about a prompt; made once per prompt. */
export interface PromptParts {
  text: string;
  sentences: Sentence[];
  guard: ProtectedSpan[];
  /** It is written in English, as far as its common words tell. */
  english: boolean;
}

/** What a generator would change. `reason` instead: it could, but it must not. Null: the text gives no occasion. */
export type Proposal =
  | {
      edits: TextEdit[];
      description: string;
      sentence?: Span | null;
      /** Goes into the system message instead of the prompt; there are no edits then. */
      systemLine?: string;
      /** It is about protected parts and may change them. */
      mayTouchProtected?: boolean;
    }
  | { reason: string }
  | null;

interface GeneratorBase {
  /** `<kind>.<what>`; a perturbation of sentence i is called `<id>@i`. */
  id: string;
  kind: PerturbationKind;
  /** Short name that people read. */
  name: string;
  expectation: Expectation;
  /** Strength by construction, 0 to 3 (methods.md section 3); null where a model or a person wrote it. */
  level: 0 | 1 | 2 | 3 | null;
  /** What it leaves as it is, besides the protected parts that every generator leaves. */
  preserves: string;
  /** Not part of a default check: taken only where its kind is asked for by name. */
  onRequest?: boolean;
}

/** A place of the text and what is to stand there. */
export interface Replacement extends Span {
  text: string;
}

export interface PromptGenerator extends GeneratorBase {
  scope: 'prompt';
  propose(parts: PromptParts, rng: Rng): Proposal;
}

/** Its edits stay inside the sentence that it is given. */
export interface SentenceGenerator extends GeneratorBase {
  scope: 'sentence';
  propose(parts: PromptParts, sentence: Sentence, rng: Rng): Proposal;
}

export type Generator = PromptGenerator | SentenceGenerator;

export function promptParts(text: string): PromptParts {
  return {
    text,
    sentences: splitSentences(text),
    guard: protectedSpans(text),
    english: englishWords(text.slice(0, 5_000)) >= 2,
  };
}

/** The first protected span that the range overlaps; an empty range overlaps only what it would split. */
export function protectedAt(parts: PromptParts, start: number, end: number): ProtectedSpan | null {
  const { guard } = parts;
  let low = 0;
  let high = guard.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (guard[middle]!.end <= start) low = middle + 1;
    else high = middle;
  }
  const span = guard[low];
  return span && (span.start < end || (start === end && span.start < start)) ? span : null;
}

/** Matches of a global pattern inside a span whose whole match may be edited, with offsets in the text. */
export function freeMatches(
  parts: PromptParts,
  span: Span,
  pattern: RegExp,
): { start: number; end: number; match: RegExpExecArray }[] {
  return [...parts.text.slice(span.start, span.end).matchAll(pattern)]
    .map((match) => ({
      start: span.start + match.index,
      end: span.start + match.index + match[0].length,
      match,
    }))
    .filter(({ start, end }) => protectedAt(parts, start, end) === null);
}

/** `A: Yes` in a few-shot prompt: what the model is shown as an answer. */
export function isExampleAnswer(parts: PromptParts, sentence: Span): boolean {
  const lineStart = parts.text.lastIndexOf('\n', sentence.start - 1) + 1;
  const line = parts.text.slice(lineStart, sentence.end);
  return /^[ \t]*(?:[-*+] +)?(?:\*\*|__)?(?:A|answer|assistant|AI|bot|(?:expected |example )?output|response|label)(?:\*\*|__)?[:：]/i.test(
    line,
  );
}

/** One of the items, or undefined when there are none. */
export const pick = <T>(items: readonly T[], rng: Rng): T | undefined =>
  items.length === 0 ? undefined : items[rng.below(items.length)];

/** Fisher–Yates; the argument stays as it is. */
export function shuffled<T>(items: readonly T[], rng: Rng): T[] {
  const result = [...items];
  for (let i = result.length - 1; i > 0; i--) {
    const j = rng.below(i + 1);
    [result[i], result[j]] = [result[j]!, result[i]!];
  }
  return result;
}

/** With a capital where the model has one. */
export const withCaseOf = (model: string, text: string): string =>
  /^\p{Lu}/u.test(model) ? text[0]!.toUpperCase() + text.slice(1) : text;

const ENGLISH =
  /\b(?:the|and|of|to|with|is|are|you|your|this|that|following|each|from|if|not|it|its|be|by|as|in|for|one|only|all|any|what|which|when|whether|answer|question|sentence|word|words|yes|please|do|using|into|about)\b/gi;

/** How many different common English words the text holds. */
export const englishWords = (text: string): number =>
  new Set((text.match(ENGLISH) ?? []).map((word) => word.toLowerCase())).size;
