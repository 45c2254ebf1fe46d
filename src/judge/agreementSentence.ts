import type { JudgeAgreement } from './judgeAgreement';

/** Human readers among themselves (arXiv 2609.30849). */
const HUMAN_KAPPA = { input: 0.855, cot: 0.649 };
const FEWEST_LABELS = 10;

export const agreementHead = ({ judge, type, items }: JudgeAgreement): string =>
  `${judge} against your labels, ${type} perturbations: ${items} rated by both`;

/** Kappa in words, or what it still needs. */
export function agreementFigure({
  items,
  type,
  kappa,
  interval,
  agreed,
  suppressed,
}: JudgeAgreement): string {
  if (suppressed)
    return `Kappa is shown from ${FEWEST_LABELS} labels on; ${FEWEST_LABELS - items} more are needed.`;
  if (kappa === null) return 'Kappa is not defined: judge and labels all name one level.';
  const range =
    interval === null ? '' : `, 95% interval ${interval.low.toFixed(2)} to ${interval.high.toFixed(2)}`;
  return `Linear-weighted kappa ${kappa.toFixed(2)}${range}. The same level on ${Math.round(agreed * 100)}%. People among themselves reached ${HUMAN_KAPPA[type]}.`;
}
