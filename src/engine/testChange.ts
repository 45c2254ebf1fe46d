import type { AnswerFormat } from '../answers/labels';
import type { Comparison, Perturbation, Sample } from '../contracts/runRecord';
import {
  differenceInput,
  pairsOf,
  testedComparison,
  undecidedComparison,
  type EmbeddedTexts,
} from './compare';
import { whyUndecided } from './judgeArms';
import type { Tester } from './ports';
import type { RobustnessRequest } from './robustnessRequest';

/** One change against the baseline, before the correction over all of them; `undecided` where it cannot be tested. */
export async function testChange(
  tester: Pick<Tester, 'differenceTest'>,
  perturbation: Perturbation,
  arms: {
    baseline: Sample[];
    perturbed: Sample[];
    embedded: EmbeddedTexts[];
    format: AnswerFormat;
    /** Sampling was stopped before all answers were there. */
    cut: boolean;
  },
  { options, seed }: Pick<RobustnessRequest, 'options' | 'seed'>,
  signal: AbortSignal,
): Promise<Comparison> {
  const { baseline, perturbed, embedded, format } = arms;
  const undecided = whyUndecided(baseline, perturbed, options, arms.cut);
  if (undecided !== null) return undecidedComparison(perturbation, baseline, perturbed, undecided);
  const input = differenceInput(baseline, perturbed, embedded, format, options, seed);
  const result = await tester.differenceTest(input, { signal });
  return {
    ...testedComparison(perturbation, input, result, options),
    ...pairsOf(baseline, perturbed, input),
  };
}
