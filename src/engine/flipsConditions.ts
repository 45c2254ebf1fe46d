import { inferExtractor, regexExtractor } from '../answers/extractor';
import type { FlipsCondition, FlipsPlan, FlipsQuestion } from '../contracts/flipsRecord';
import type { Question, RatedPerturbation } from '../contracts/perturbationSet';
import type { Perturbation, PerturbationKind } from '../contracts/runRecord';
import { UserError } from '../contracts/userError';
import { forcedAnswerPrompt } from '../perturb/cot';
import { generatePerturbations } from '../perturb/generate';
import { shuffled } from '../perturb/generator';
import { questionPrompt } from '../prompts/questionSet';
import { bindVariables } from '../prompts/variables';
import { createRng } from '../stats/rng';

export type FlipsConditions = Pick<FlipsPlan, 'questions' | 'conditions' | 'notes' | 'reasoning'>;
/** What a flips run needs to know of a perturbation. Its text replaces the question, or the whole prompt. */
export type FlipsPerturbation = Pick<
  Perturbation,
  'id' | 'kind' | 'name' | 'strength' | 'text' | 'systemLine'
>;

/** So many proposals of a kind are made for a question. */
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
    for (const { id, kind, name, strength, text, systemLine } of perturbations) {
      conditions.push({
        ...base,
        id: `${question.id}/${id}`,
        perturbation: { id, kind, name, strength },
        prompt: questionPrompt({ ...question, question: text }),
        ...(systemLine === undefined ? {} : { systemLine }),
      });
    }
  }
  return {
    questions: questions.map((question) => ({
      id: question.id,
      extractor: {
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

/**
 * Of every wanted strength one perturbation that the rules can make of the question, its kind and then itself chosen
 * by seed. One, so that the items of a strength are different questions.
 */
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
    const proposals = kinds.map((kind) => {
      const { perturbations } = generatePerturbations(question.question, {
        rng,
        kinds: [kind],
        limit: PROPOSALS,
        perSentence: PROPOSALS,
        includeMeaningful: true,
      });
      return shuffled(perturbations, rng);
    });
    return levels.flatMap((level) => {
      const ofKinds = shuffled(proposals, rng).flatMap(
        (mixed) => mixed.find(({ strength }) => strength.level === level) ?? [],
      );
      return ofKinds.slice(0, 1);
    });
  };
}

/**
 * Original and perturbations of one prompt. Perturbed reasoning (`cot`) is put after the prompt and compared with the
 * unperturbed reasoning in the same place.
 * @param given.options answers that the prompt allows, where the person names them
 * @param given.pattern a regular expression that finds the answer, where the person gives one
 * @param given.cot `cot` perturbations are made of the model's own reasoning
 * @param given.reasoning what the `cot` perturbations are versions of
 * @throws UserError `usage` when the prompt does not tell what its answers are, or there is nothing to compare
 */
export function promptConditions(given: {
  text: string;
  variables: Record<string, string>;
  perturbations: readonly (FlipsPerturbation & Pick<Partial<RatedPerturbation>, 'use'>)[];
  options: string[] | null;
  pattern: string | null;
  reasoning: string | null;
  /** Reasoning is asked for and perturbed while the run goes on; so many perturbations, steps in turn. */
  cot?: { steps: number[]; perQuestion: number };
}): FlipsConditions {
  const bind = (text: string) => bindVariables(text, given.variables).text;
  const used = given.perturbations.filter(({ use }) => use !== false);
  const steps = used.filter(({ kind }) => kind === 'cot');
  const askable = given.reasoning === null ? used.filter(({ kind }) => kind !== 'cot') : used;
  if (askable.length === 0 && given.cot === undefined) {
    throw new UserError(
      'usage',
      'There is no perturbation to ask.',
      'Put some into the set, or set `use: true` on those that are there.',
    );
  }
  const prompt = bind(given.text);
  const extractor = extractorOf(given);
  const options = 'options' in extractor ? extractor.options : [];
  const reasoned = (reasoning: string) => forcedAnswerPrompt(prompt, reasoning, options);
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
    questions: [{ id: question, extractor, right: null }],
    conditions: [
      ...(input ? [original('input', 'original', prompt)] : []),
      ...(cot ? [original('cot', 'original reasoning', reasoned(given.reasoning!))] : []),
      ...askable.map(({ id, kind, name, strength, text, systemLine }): FlipsCondition => ({
        id: `perturbation ${id}`,
        question,
        type: kind === 'cot' ? 'cot' : 'input',
        perturbation: { id, kind, name, strength: strengthOf(strength) },
        prompt: kind === 'cot' ? reasoned(text) : bind(text),
        ...(systemLine === undefined ? {} : { systemLine }),
      })),
    ],
    notes:
      given.reasoning === null && steps.length > 0
        ? [
            `${steps.length} perturbations of the reasoning are left out: the set lacks the original reasoning.`,
          ]
        : [],
    ...(given.cot === undefined ? {} : { reasoning: { ...given.cot, of: [{ question, prompt }] } }),
  };
}

type Strength = NonNullable<FlipsCondition['perturbation']>['strength'];
/** Of a set's strengths what the figures need. */
const strengthOf = ({ level, source, judged }: Strength): Strength => ({
  level,
  source,
  ...(judged === undefined || judged === null ? {} : { judged }),
});

const PROMPT = 'prompt';

function extractorOf(given: {
  text: string;
  options: string[] | null;
  pattern: string | null;
}): FlipsQuestion['extractor'] {
  if (given.options !== null && given.options.length < 2)
    throw new UserError('usage', 'One answer alone cannot flip.', 'Name them all: --options Yes,No.');
  if (given.options !== null)
    return { kind: 'options', options: given.options, evidence: 'named with --options' };
  const extractor = given.pattern === null ? inferExtractor(given.text) : regexExtractor(given.pattern);
  switch (extractor.kind) {
    case 'freeText':
      throw new UserError(
        'usage',
        'The prompt does not say which answers it allows, so nobody can tell when one flips.',
        "Say so in the prompt ('Answer Yes or No.'), or name them: --options Yes,No.",
      );
    case 'yesNo':
    case 'options':
      return { kind: extractor.kind, options: extractor.options ?? [], evidence: extractor.evidence };
    case 'oneWord':
      return { kind: 'oneWord', evidence: extractor.evidence };
    default:
      return extractor;
  }
}
