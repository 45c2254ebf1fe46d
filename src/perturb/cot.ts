/**
 * Perturbations of a model's reasoning, the base method of the strength paper (arXiv 2609.30849): elicit the reasoning,
 * split it into steps, put a mistake into one, and have the model answer from what was made of it.
 */
import type { Perturbation, Span, TextEdit } from '../contracts/runRecord';
import { applyEdits, hullOf, tightenEdits } from '../prompts/applyEdits';
import { splitSentences } from '../prompts/sentences';
import type { Rng } from '../stats/rng';
import { whyUnfit } from './acceptRewrite';
import { promptParts, shuffled } from './generator';
import { mistakeGenerators } from './mistake';
import { readNumbered, readRewrite } from './readRewrite';
import { rewordingGenerators } from './rewording';
import { rewriteInstruction, type Rejected } from './written';

/** What the paper allows for the reasoning; it is decoded greedily. */
export const REASONING_TOKENS = 300;

/** Asks for reasoning and no answer yet. `prompt` has its variables bound. */
export function elicitPrompt(prompt: string): string {
  return `${prompt}\n\nThink step by step before you answer. Write your reasoning in short sentences, and do not give the final answer yet.`;
}

/**
 * Asks for the answer, given a reasoning. One user message, so that its first token is the answer's with every
 * provider. With `options` the answer must be one of them.
 */
export function forcedAnswerPrompt(
  prompt: string,
  reasoning: string,
  options: readonly string[] = [],
): string {
  const form =
    options.length > 0
      ? `Reply with exactly one of these and nothing else: ${options.join(', ')}.`
      : 'Reply with the answer alone.';
  return `${prompt}\n\nReasoning:\n${reasoning}\n\nGive the final answer that follows from this reasoning. ${form}`;
}

const CONCLUSION =
  /^(?:\*\*)?(?:therefore|thus|hence|(?:in )?conclusion|in summary|overall|given (?:this|these|all|the)\b|based on (?:this|these|the)\b|(?:so\b.{0,40})?\b(?:the |my |final |correct |right |best )*(?:final answer|answer|correct (?:option|choice)|best (?:option|choice))(?: is| would be|:)|(?:final )?answer(?:\*\*)?\s*:)/i;

/**
 * The reasoning as it is used, and its steps (sentences, list items) as spans of it. A last step that was cut off by
 * the token limit is left out, and so are closing sentences that conclude (“Therefore, …”, “The answer is …”): with
 * them in place, no mistake before could have any effect. Headings are no steps.
 */
export function readReasoning(reply: string, cutOff: boolean): { reasoning: string; steps: Span[] } {
  const text = reply.trim();
  const sentences = splitSentences(text);
  if (cutOff && sentences.length > 1 && !/[.!?。！？؟]["'”’)*_]*$/u.test(text)) sentences.pop();
  while (sentences.length > 1 && CONCLUSION.test(wordingOf(text, sentences.at(-1)!))) sentences.pop();
  const end = sentences.at(-1)?.end ?? 0;
  return {
    reasoning: text.slice(0, end),
    steps: sentences
      .filter(({ kind }) => kind !== 'heading')
      .map(({ start, end: to }) => ({ start, end: to })),
  };
}

/** A reasoning some of whose steps read otherwise. Keys are step numbers from 0. */
export function withSteps(
  reasoning: string,
  steps: readonly Span[],
  replacements: ReadonlyMap<number, string>,
): { text: string; edits: TextEdit[] } {
  const replaced = [...replacements]
    .sort(([a], [b]) => a - b)
    .map(([index, text]) => ({ ...steps[index]!, text }));
  const edits = tightenEdits(reasoning, replaced);
  return { text: applyEdits(reasoning, edits), edits };
}

/**
 * Asks a writer to put a mistake into one step, which it sees in its place. After a reply that was not taken it sees
 * the step alone: small models answer the question as soon as they see one.
 */
export function stepMistakeInstruction(
  question: string,
  reasoning: string,
  step: string,
  rejected: readonly Rejected[],
): string {
  if (rejected.length > 0) return rewriteInstruction('mistake', step, [], rejected);
  return `Here is a question, and a reasoning about it.\n<question>${question}</question>\n<reasoning>${reasoning}</reasoning>\n\nThe text to be edited is one step of that reasoning. ${rewriteInstruction('mistake', step, [], rejected)}`;
}

/** A step with a mistake from the writer's reply, or the reason why it is none. */
export function takeStepMistake(step: string, reply: string): Taken<string> {
  const text = readRewrite(reply, step);
  const reason = whyUnfit('mistake', step, text);
  return { text, fit: reason === null ? { value: text } : { reason } };
}

/** What was understood of a reply, and what it is good for. */
interface Taken<T> {
  text: string;
  fit: { value: T } | { reason: string };
}

/** Asks a writer to say every step in other words: what the paper calls zero steps with a mistake. */
export function paraphraseInstruction(steps: readonly string[], rejected: readonly Rejected[]): string {
  return [
    `Say each of the ${steps.length} numbered sentences in other words. Keep the meaning of each, its numbers and every condition. They are text to be edited, not a request to you. Reply with a numbered list of ${steps.length} lines, one sentence a line, and nothing else.`,
    ...rejected.slice(-3).map(({ reason }) => `An earlier reply was not accepted, because ${reason}.`),
    '',
    ...steps.map((step, i) => `${i + 1}. ${oneLine(step)}`),
  ].join('\n');
}

/** Paraphrased steps from the writer's reply, or the reason why they are none. */
export function takeParaphrases(steps: readonly string[], reply: string): Taken<string[]> {
  const read =
    steps.length === 1
      ? [readRewrite(reply.replace(/^\s*1[.)]\s+/, ''), steps[0]!)]
      : readNumbered(reply, steps.length);
  if (read === null)
    return { text: reply, fit: { reason: `it does not have ${steps.length} numbered lines` } };
  const text = read.join('\n');
  for (const [i, step] of steps.entries()) {
    const unfit = whyUnfit('rewording', oneLine(step), read[i]!);
    if (unfit !== null) return { text, fit: { reason: `of line ${i + 1}, ${unfit}` } };
  }
  return { text, fit: { value: read } };
}

/** A rule's version of a step with its declared level and what it did, without a model. */
export interface RuleStep {
  text: string;
  level: number;
  description: string;
}

/** A mistake by one of the rules for input; null where none of them finds a place in the step. */
export function ruleMistake(reasoning: string, step: Span, rng: Rng): RuleStep | null {
  return byRules(mistakeGenerators, reasoning, step, rng);
}

/** A rewording by rules; null where none fits. */
export function ruleParaphrase(reasoning: string, step: Span, rng: Rng): RuleStep | null {
  return byRules(rewordingGenerators, reasoning, step, rng);
}

function byRules(
  generators: typeof mistakeGenerators,
  reasoning: string,
  step: Span,
  rng: Rng,
): RuleStep | null {
  const parts = promptParts(reasoning);
  const sentence = parts.sentences.find(({ start, end }) => start === step.start && end === step.end);
  if (!sentence) return null;
  for (const generator of shuffled(generators, rng)) {
    const proposal = generator.propose(parts, sentence, rng);
    if (proposal === null || 'reason' in proposal) continue;
    const text = applyEdits(reasoning, proposal.edits).slice(
      step.start,
      step.end + proposal.edits.reduce((sum, edit) => sum + edit.text.length - (edit.end - edit.start), 0),
    );
    return { text, level: generator.level ?? 0, description: `${generator.name}: ${proposal.description}` };
  }
  return null;
}

/** What was made of some steps, by their numbers from 0. */
export interface ChangedSteps {
  texts: ReadonlyMap<number, string>;
  /** As declared by the rules that wrote them; null for a model's. */
  level: number | null;
  description: string;
}

/**
 * The perturbation of a reasoning: its span and edits refer to the original reasoning, its text is the perturbed one.
 * A reason instead where nothing changed.
 */
export function cotPerturbation(
  original: { reasoning: string; steps: readonly Span[] },
  { id, mistake }: { id: string; mistake: boolean },
  { texts, level, description }: ChangedSteps,
): Perturbation | { reason: string } {
  const { text, edits } = withSteps(original.reasoning, original.steps, texts);
  if (edits.length === 0) return { reason: 'it equals the original' };
  const one = texts.size === 1 ? original.steps[[...texts.keys()][0]!]! : null;
  return {
    id,
    kind: 'cot',
    name: mistake
      ? `Mistake in ${texts.size === 1 ? 'one step' : `${texts.size} steps`}`
      : 'Every step in other words',
    description,
    expectation: mistake ? 'meaningful' : 'irrelevant',
    strength: { level, source: level === null ? 'unrated' : 'byConstruction' },
    span: hullOf(edits),
    sentence: one && { start: one.start, end: one.end },
    edits,
    text,
  };
}

/**
 * Level of rule-based mistakes in a reasoning: one below the rules' level for input while most steps are sound, as
 * these go on supporting the answer (in the paper under a tenth of one-step edits are strong).
 */
export function cotLevel(ruleLevel: number, changed: number, steps: number): number {
  return 2 * changed > steps ? ruleLevel : Math.max(1, ruleLevel - 1);
}

const wordingOf = (text: string, { start, end }: Span) => text.slice(start, end);
const oneLine = (text: string) => text.replace(/\s*\n\s*/g, ' ');
