/** What became of the changes of one kind, as a test's result. No import of `vscode`. */
import type { Comparison, Perturbation, PerturbationKind, RunRecord } from '../contracts/runRecord';
import { comparisonSentence } from '../report/sentences';

/** Kinds of change that a check tries unless it is told otherwise, in the words of the Test Explorer. */
export const TEST_KINDS = {
  surface: 'Spacing, case and typing',
  rewording: 'Rewordings',
  persona: 'Personas',
} as const satisfies Partial<Record<PerturbationKind, string>>;
export type TestKind = keyof typeof TEST_KINDS;

export interface KindResult {
  /** `skipped`: no change of this kind could be tried, or none was decided. */
  state: 'passed' | 'failed' | 'skipped';
  /** One sentence per change that moved the answers. */
  failures: { perturbation: Perturbation; message: string }[];
  /** Why nothing could be decided, one sentence per change. */
  notes: string[];
}

export function kindResult(record: RunRecord, kind: TestKind): KindResult {
  const of: { comparison: Comparison; perturbation: Perturbation }[] = record.comparisons.flatMap(
    (comparison) => {
      const perturbation = record.perturbations.find(({ id }) => id === comparison.perturbationId);
      return perturbation?.kind === kind ? [{ comparison, perturbation }] : [];
    },
  );
  const moved = of.filter(
    ({ comparison, perturbation }) =>
      comparison.verdict === 'changed' && perturbation.expectation === 'irrelevant',
  );
  const undecided = of.filter(({ comparison }) => comparison.verdict === 'undecided');
  const say = ({ comparison, perturbation }: (typeof of)[number]) =>
    comparisonSentence(comparison, perturbation, record);
  return {
    state: moved.length > 0 ? 'failed' : undecided.length === of.length ? 'skipped' : 'passed',
    failures: moved.map((entry) => ({ perturbation: entry.perturbation, message: say(entry) })),
    notes: undecided.map(say),
  };
}
