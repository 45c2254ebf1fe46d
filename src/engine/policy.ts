import type { RunRecord } from '../contracts/runRecord';
import type { SuitePolicy } from '../contracts/suite';

export interface PolicyJudgement {
  outcome: 'met' | 'violated' | 'undecided';
  /** The rule that was violated, as it stands in the file; null otherwise. */
  rule: string | null;
}

/**
 * What a policy says of a finished check. A violated rule counts also where other changes could not be decided; a run that
 * could not decide, or that was stopped, is `undecided`.
 */
export function judgeByPolicy(record: RunRecord, { fail }: Pick<SuitePolicy, 'fail'>): PolicyJudgement {
  const rule = fail.find((one) => violates(record, one)) ?? null;
  if (rule !== null) return { outcome: 'violated', rule };
  return {
    outcome: record.state !== 'complete' || record.conclusion.state === 'undecided' ? 'undecided' : 'met',
    rule: null,
  };
}

function violates(record: RunRecord, rule: string): boolean {
  // Harmless changes and edits; what should change the answers breaks no rule.
  const judged = record.comparisons.filter(({ perturbationId, verdict }) => {
    const perturbation = record.perturbations.find(({ id }) => id === perturbationId);
    return verdict !== 'undecided' && perturbation?.expectation !== 'meaningful';
  });
  const moved = judged.filter(({ verdict }) => verdict === 'changed');
  if (rule === 'changed') return record.kind === 'edit' && moved.length > 0;
  if (rule === 'wobbles') return record.kind === 'robustness' && moved.length > 0;
  const [, figure, or, bound] = /^(effect|moved)\s*>(=?)\s*(\S+)$/.exec(rule) ?? [];
  const value =
    figure === 'moved'
      ? moved.length / Math.max(1, judged.length)
      : Math.max(0, ...moved.map(({ effect }) => effect?.debiased ?? 1));
  return or === '=' ? value >= Number(bound) : value > Number(bound);
}
