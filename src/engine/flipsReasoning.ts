import type { FlipsCondition, FlipsPlan, FlipsQuestion, FlipsReasoned } from '../contracts/flipsRecord';
import { forcedAnswerPrompt } from '../perturb/cot';
import { mixSeed } from '../stats/rng';
import { cotPerturbations } from './cotPerturbations';
import type { FlipsHooks } from './events';
import type { Model } from './ports';

/**
 * Asks the model for its reasoning about every question that has none yet, and has rules perturb it. Each question is
 * kept before the next is asked. One call of at most 300 tokens a question.
 * @param reasoned what was kept in earlier sessions; grows
 * @throws UserError when the model fails, or the signal's reason when it is stopped
 */
export async function reasonAboutQuestions(
  deps: { model: Model; keep: (reasoned: FlipsReasoned) => Promise<void> },
  plan: FlipsPlan,
  reasoned: FlipsReasoned[],
  hooks: FlipsHooks,
): Promise<void> {
  const wanted = plan.reasoning;
  if (wanted === undefined) return;
  const done = new Set(reasoned.map(({ question }) => question));
  const questions = new Map(plan.questions.map((question) => [question.id, question]));
  for (const { question: id, prompt } of wanted.of) {
    if (done.has(id)) continue;
    hooks.onEvent?.({ type: 'reasoning', done: reasoned.length, total: wanted.of.length });
    const made = await cotPerturbations(
      { model: deps.model, writer: null },
      {
        prompt,
        system: plan.options.system,
        limit: wanted.perQuestion,
        steps: wanted.steps,
        seed: mixSeed(plan.seed, `reasoning ${id}`),
      },
      {
        signal: hooks.signal,
        onEvent: (event) => {
          if (event.type === 'warning') hooks.onEvent?.(event);
        },
      },
    );
    const entry: FlipsReasoned = {
      question: id,
      reasoning: made.reasoning,
      conditions: conditionsOf(questions.get(id)!, prompt, made),
    };
    await deps.keep(entry);
    reasoned.push(entry);
  }
}

function conditionsOf(
  { id, extractor }: FlipsQuestion,
  prompt: string,
  made: Awaited<ReturnType<typeof cotPerturbations>>,
): FlipsCondition[] {
  if (made.perturbations.length === 0) return [];
  const base = { question: id, type: 'cot' as const };
  const options = 'options' in extractor ? extractor.options : [];
  const forced = (reasoning: string) => forcedAnswerPrompt(prompt, reasoning, options);
  return [
    { ...base, id: `${id}/reasoning`, perturbation: null, prompt: forced(made.reasoning) },
    ...made.perturbations.map(({ perturbation }): FlipsCondition => ({
      ...base,
      id: `${id}/${perturbation.id}`,
      perturbation: {
        id: perturbation.id,
        kind: perturbation.kind,
        name: perturbation.name,
        strength: { level: perturbation.strength.level, source: perturbation.strength.source },
      },
      prompt: forced(perturbation.text),
    })),
  ];
}

/** The plan with the conditions that came of the reasoning, in the plan's order of questions. */
export function withReasoning(plan: FlipsPlan, reasoned: readonly FlipsReasoned[]): FlipsPlan {
  if (plan.reasoning === undefined) return plan;
  const byQuestion = new Map(reasoned.map((entry) => [entry.question, entry]));
  const entries = plan.reasoning.of.flatMap(({ question }) => byQuestion.get(question) ?? []);
  const without = entries.filter(({ conditions }) => conditions.length === 0).length;
  return {
    ...plan,
    conditions: [...plan.conditions, ...entries.flatMap(({ conditions }) => conditions)],
    notes:
      without === 0
        ? plan.notes
        : [
            ...plan.notes,
            plan.source.type === 'prompt'
              ? 'The model gave no reasoning of which a step could be changed.'
              : `The reasoning about ${without} of ${entries.length} questions has no step that the rules could change.`,
          ],
  };
}
