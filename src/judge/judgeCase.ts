import type { RatedPerturbation } from '../contracts/perturbationSet';
import type { PerturbationKind } from '../contracts/runRecord';
import type { JudgeCase } from './judgePrompt';
import type { PerturbationType } from './rubric';

/** A line of the system message is read before the prompt. */
const asSent = ({ text, systemLine }: Pick<RatedPerturbation, 'text' | 'systemLine'>) =>
  systemLine === undefined ? text : `${systemLine}\n\n${text}`;

export const typeOf = (kind: PerturbationKind): PerturbationType => (kind === 'cot' ? 'cot' : 'input');

/**
 * What the judge is shown of a perturbation.
 * @param bind puts the values of variables in, so that the judge reads what the model under test reads
 * @returns null for a `cot` perturbation where the original reasoning is not known: there is nothing to compare with
 */
export function judgeCase(
  perturbation: Pick<RatedPerturbation, 'kind' | 'text' | 'systemLine'>,
  texts: { prompt: string; reasoning: string | null },
  bind: (text: string) => string,
): JudgeCase | null {
  const question = bind(texts.prompt);
  if (typeOf(perturbation.kind) === 'input')
    return { type: 'input', question, original: question, perturbed: bind(asSent(perturbation)) };
  return texts.reasoning === null
    ? null
    : { type: 'cot', question, original: texts.reasoning, perturbed: perturbation.text };
}
