import type { Perturbation, Span, TextEdit } from '../contracts/runRecord';
import { applyEdits, hullOf, tightenEdit } from '../prompts/applyEdits';
import { protectedSpans, type ProtectedKind } from '../prompts/protectedSpans';
import { protectedAt, type Generator, type PromptParts } from './generator';

interface Draft {
  id: string;
  generator: Pick<Generator, 'kind' | 'name' | 'expectation' | 'level'>;
  edits: TextEdit[];
  description: string;
  sentence: Span | null;
  systemLine?: string;
  /** It is about protected parts: they are not looked after. */
  mayTouchProtected?: boolean;
}

/** Kinds that are known by their wording only: edits around them may change how they are recognised. */
const SOFT: ProtectedKind[] = ['quoted', 'answerLabel', 'label', 'reference', 'identifier', 'path'];

/**
 * Makes a perturbation of a draft, or says why it must not be used: nothing changed, it left its sentence, it touched
 * a protected part, or a protected part is no longer the same in the perturbed text.
 */
export function finishDraft(parts: PromptParts, draft: Draft): Perturbation | { reason: string } {
  const { text } = parts;
  const { id, generator, description, sentence, systemLine } = draft;
  const { kind, name, expectation, level } = generator;
  const about = {
    id,
    kind,
    name,
    description,
    expectation,
    strength:
      level === null ? { level, source: 'unrated' as const } : { level, source: 'byConstruction' as const },
  };
  if (systemLine !== undefined) {
    return { ...about, span: { start: 0, end: 0 }, sentence: null, edits: [], text, systemLine };
  }
  const edits = tightened(text, draft.edits);
  if (edits.length === 0) return { reason: 'it equals the original' };
  const { mayTouchProtected = false } = draft;
  for (const { start, end } of mayTouchProtected ? [] : edits) {
    const touched = protectedAt(parts, start, end);
    if (touched) return { reason: `it would damage a protected part (${touched.kind})` };
  }
  const span = hullOf(edits);
  if (sentence && (span.start < sentence.start || span.end > sentence.end)) {
    return { reason: 'it reaches beyond its sentence' };
  }
  const changed = applyEdits(text, edits);
  if (changed === text) return { reason: 'it equals the original' };
  if (changed.trim() === '') return { reason: 'nothing is left of the prompt' };
  if (!mayTouchProtected && !sameHardParts(parts, changed))
    return { reason: 'it would damage a protected part' };
  return {
    ...about,
    span,
    sentence: sentence && { start: sentence.start, end: sentence.end },
    edits,
    text: changed,
  };
}

/** Tightened edits; several in one word, which they are widened to, become one. */
function tightened(text: string, edits: readonly TextEdit[]): TextEdit[] {
  const raw: TextEdit[] = [];
  const result: TextEdit[] = [];
  for (const edit of edits) {
    let whole = edit;
    let tight = tightenEdit(text, whole);
    while (tight !== null && result.length > 0 && tight.start < result.at(-1)!.end) {
      const before = raw.pop()!;
      result.pop();
      whole = {
        start: before.start,
        end: whole.end,
        text: before.text + text.slice(before.end, whole.start) + whole.text,
      };
      tight = tightenEdit(text, whole);
    }
    if (tight === null) continue;
    raw.push(whole);
    result.push(tight);
  }
  return result;
}

function sameHardParts(parts: PromptParts, changed: string): boolean {
  const hard = (text: string, spans: typeof parts.guard) =>
    spans.filter(({ kind }) => !SOFT.includes(kind)).map(({ start, end }) => text.slice(start, end));
  const before = hard(parts.text, parts.guard);
  const after = hard(changed, protectedSpans(changed));
  return before.length === after.length && before.every((part, i) => part === after[i]);
}
