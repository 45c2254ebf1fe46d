import type { PerturbationSet } from '../contracts/perturbationSet';
import type { Interval } from '../contracts/runRecord';
import {
  agreementTable,
  kappa,
  kappaBootstrap,
  observedAgreement,
  type AgreementTable,
} from '../stats/agreement';
import type { Rng } from '../stats/rng';
import { typeOf } from './judgeCase';
import type { PerturbationType } from './rubric';

export interface JudgeAgreement {
  judge: string;
  type: PerturbationType;
  /** Perturbations that the judge rated and a person labelled. */
  items: number;
  /** table[j][p]: the judge said j, the person p, over the whole scale 0 to 3. */
  table: AgreementTable;
  /** Share on which both say the same. */
  agreed: number;
  /** Linear-weighted; null where it is not defined (0/0: chance alone leaves no disagreement). */
  kappa: number | null;
  /** Percentile bootstrap over perturbations, 95%; null where too few draws define kappa. */
  interval: Interval | null;
  /** Fewer than 10 items: do not show kappa. */
  suppressed: boolean;
}

const SCALE = [0, 1, 2, 3];
const DRAWS = 2_000;

/**
 * How far a judge agrees with the people who relabelled its ratings, for each judge and type of perturbation; input
 * and CoT are never pooled (methods.md section 3). Sets of several prompts may be given together.
 * A judge with no relabelled rating is not listed. Cost: 2,000 bootstrap draws for each group.
 */
export function judgeAgreement(sets: readonly PerturbationSet[], rng: Rng): JudgeAgreement[] {
  const groups = new Map<
    string,
    { judge: string; type: PerturbationType; judged: number[]; user: number[] }
  >();
  for (const set of sets) {
    if (set.judge === null) continue;
    for (const { kind, strength } of set.perturbations) {
      if (strength.source !== 'user' || strength.level === null || strength.judged === null) continue;
      const type = typeOf(kind);
      const key = `${type} ${set.judge}`;
      const group = groups.get(key) ?? { judge: set.judge, type, judged: [], user: [] };
      group.judged.push(strength.judged);
      group.user.push(strength.level);
      groups.set(key, group);
    }
  }
  return [...groups.values()].map(({ judge, type, judged, user }) => {
    const table = agreementTable(judged, user, SCALE);
    const { percentile, suppressed } = kappaBootstrap(judged, user, SCALE, {
      weights: 'linear',
      draws: DRAWS,
      rng,
    });
    return {
      judge,
      type,
      items: user.length,
      table,
      agreed: observedAgreement(table),
      kappa: kappa(table, 'linear'),
      interval: percentile,
      suppressed,
    };
  });
}
