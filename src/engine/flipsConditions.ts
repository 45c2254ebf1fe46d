import { inferAnswerFormat } from '../answers/labels';
import type { FlipsCondition, FlipsPlan, FlipsQuestion } from '../contracts/flipsRecord';
import type { Question, RatedPerturbation } from '../contracts/perturbationSet';
import type { Perturbation, PerturbationKind } from '../contracts/runRecord';
import { UserError } from '../contracts/userError';
import { generatePerturbations } from '../perturb/generate';
import { shuffled } from '../perturb/generator';
import { questionPrompt } from '../prompts/questionSet';
import { bindVariables } from '../prompts/variables';
import { createRng } from '../stats/rng';

export type FlipsConditions = Pick<FlipsPlan, 'questions' | 'conditions' | 'notes'>;
/** What a flips run needs to know of a perturbation. Its text replaces the question, or the whole prompt. */
export type FlipsPerturbation = Pick<Perturbation, 'id' | 'kind' | 'name' | 'strength' | 'text'>;

/** So many proposals of a kind are made for a question, of which one per strength is taken. */
const PROPOSALS = 24;

/**
 * Originals and perturbations of a multiple-choice set. Only the question is perturbed, never its options or the
 * instruction how to answer.
 * @param perturb the perturbations of one question; `ruleBased` makes them without a model
 */
export function questionSetConditions(
  questions: readonly Question[],
  perturb: (question: Question) => FlipsPerturbation[],
): FlipsConditions {
  const conditions: FlipsCondition[] = [];
  let without = 0;
  for (const question of questions) {
    const base = { question: question.id, type: 'input' as const };
    conditions.push({
      ...base,
      id: question.id,
      perturbation: null,
      prompt: questionPrompt(question),
    });
    const perturbations = perturb(question);
    if (perturbations.length === 0) without++;
    for (const { id, kind, name, strength, text } of perturbations) {
      conditions.push({
        ...base,
        id: `${question.id}/${id}`,
        perturbation: { id, kind, name, strength },
        prompt: questionPrompt({ ...question, question: text }),
      });
    }
  }
  return {
    questions: questions.map((question) => ({
      id: question.id,
      format: {
        kind: 'options',
        options: question.options.map(({ label }) => label),
        evidence: 'the options of the set',
      },
      right: question.answer,
    })),
    conditions,
    notes:
      without === 0
        ? []
        : [`No rule found anything to change in ${without} of ${questions.length} questions.`],
  };
}

/** For each kind one perturbation of every wanted strength that the rules can make of the question, chosen by seed. */
export function ruleBased({
  kinds,
  levels,
  seed,
}: {
  kinds: readonly PerturbationKind[];
  levels: readonly number[];
  seed: number;
}): (question: Question) => FlipsPerturbation[] {
  return (question) => {
    const rng = createRng(seed, `question ${question.id}`);
    return kinds.flatMap((kind) => {
      const { perturbations } = generatePerturbations(question.question, {
        rng,
        kinds: [kind],
        limit: PROPOSALS,
        perSentence: PROPOSALS,
        includeMeaningful: true,
      });
      const mixed = shuffled(perturbations, rng);
      return levels.flatMap((level) => mixed.find(({ strength }) => strength.level === level) ?? []);
    });
  };
}

/**
 * Original and perturbations of one prompt. Perturbed reasoning (`cot`) is put after the prompt and compared with the
 * unperturbed reasoning in the same place.
 * @param given.options answers that the prompt allows, where the person names them
 * @param given.reasoning what the `cot` perturbations are versions of
 * @throws UserError `usage` when the prompt does not tell what its answers are, or there is nothing to compare
 */
export function promptConditions(given: {
  text: string;
  variables: Record<string, string>;
  perturbations: readonly (FlipsPerturbation & Pick<Partial<RatedPerturbation>, 'use'>)[];
  options: string[] | null;
  reasoning: string | null;
}): FlipsConditions {
  const bind = (text: string) => bindVariables(text, given.variables).text;
  const used = given.perturbations.filter(({ use }) => use !== false);
  const steps = used.filter(({ kind }) => kind === 'cot');
  const askable = given.reasoning === null ? used.filter(({ kind }) => kind !== 'cot') : used;
  if (askable.length === 0) {
    throw new UserError(
      'usage',
      'There is no perturbation to ask.',
      'Put some into the set, or set `use: true` on those that are there.',
    );
  }
  const prompt = bind(given.text);
  const reasoned = (reasoning: string) => `${prompt}\n\n${reasoning}\n\n${FORCED_ANSWER}`;
  const question = PROMPT;
  const original = (type: FlipsCondition['type'], id: string, text: string): FlipsCondition => ({
    id,
    question,
    type,
    perturbation: null,
    prompt: text,
  });
  const cot = askable.some(({ kind }) => kind === 'cot');
  const input = askable.some(({ kind }) => kind !== 'cot');
  return {
    questions: [{ id: question, format: formatOf(given.text, given.options), right: null }],
    conditions: [
      ...(input ? [original('input', 'original', prompt)] : []),
      ...(cot ? [original('cot', 'original reasoning', reasoned(given.reasoning!))] : []),
      ...askable.map(({ id, kind, name, strength, text }): FlipsCondition => ({
        id: `perturbation ${id}`,
        question,
        type: kind === 'cot' ? 'cot' : 'input',
        perturbation: { id, kind, name, strength: { level: strength.level, source: strength.source } },
        prompt: kind === 'cot' ? reasoned(text) : bind(text),
      })),
    ],
    notes:
      given.reasoning === null && steps.length > 0
        ? [`${steps.length} perturbations of the reasoning are left out: the set lacks the original reasoning.`]
        : [],
  };
}

const PROMPT = 'prompt';
const FORCED_ANSWER = 'Therefore, the answer is:';

function formatOf(text: string, options: string[] | null): FlipsQuestion['format'] {
  if (options !== null) return { kind: 'options', options, evidence: 'named with --options' };
  const { kind, evidence, ...found } = inferAnswerFormat(text);
  if (kind === 'freeText') {
    throw new UserError(
      'usage',
      'The prompt does not say which answers it allows, so nobody can tell when one flips.',
      "Say so in the prompt ('Answer Yes or No.'), or name them: --options Yes,No.",
    );
  }
  return { kind, options: found.options ?? [], evidence };
}
