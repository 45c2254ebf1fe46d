import type { ModelIdentity } from '../contracts/runRecord';

/** Parameters below which nothing that we tried made sense as a judge (the largest tried has 1.5 billion). */
const FEWEST_PARAMETERS = 3e9;

/**
 * What a person must know before they believe this judge, as sentences: it wrote the perturbations, it is the model
 * under test, or it is too small. Models count as the same by id or by digest.
 */
export function judgeWarnings(
  judge: ModelIdentity,
  others: { writer: Who | null; underTest: Who | null },
): string[] {
  const is = (other: Who | null) =>
    other !== null && (other.id === judge.id || (judge.digest !== null && other.digest === judge.digest));
  const warnings: string[] = [];
  if (is(others.writer)) {
    warnings.push(
      `The judge ${judge.id} also wrote the perturbations: it rates its own work. Take another judge.`,
    );
  }
  if (is(others.underTest)) {
    warnings.push(
      `The judge ${judge.id} is the model under test: what it overlooks when it answers, it overlooks when it rates. Take another judge.`,
    );
  }
  const parameters = parametersOf(judge.parameterSize);
  if (parameters !== null ? parameters < FEWEST_PARAMETERS : judge.provider === 'local') {
    const size = parameters === null ? 'that runs in process' : `of ${judge.parameterSize} parameters`;
    warnings.push(
      `A model ${size} is no judge: its ratings are not to be trusted. Take a larger model by --judge, or label the perturbations yourself.`,
    );
  }
  return warnings;
}

interface Who {
  id: string;
  digest?: string | null;
}

/** `135M`, `494.03M`, `7B`, `8x7B`: parameters; null where it cannot be read. */
function parametersOf(size: string | null): number | null {
  const match = /^(?:(\d+)x)?(\d+(?:\.\d+)?)\s*([KMBT])$/i.exec(size?.trim() ?? '');
  if (match === null) return null;
  const unit = { K: 1e3, M: 1e6, B: 1e9, T: 1e12 }[match[3]!.toUpperCase()]!;
  return Number(match[1] ?? 1) * Number(match[2]) * unit;
}
