import type { RatedPerturbation } from '../contracts/perturbationSet';
import type { Perturbation } from '../contracts/runRecord';

/** A generated perturbation as it stands in a set: with what its rule declares, or unrated where a model wrote it. */
export function ratedPerturbation(perturbation: Perturbation): RatedPerturbation {
  const { id, kind, name, description, expectation, text, systemLine, strength } = perturbation;
  const declared = strength.source === 'byConstruction' ? strength.level : null;
  return {
    id,
    kind,
    name,
    description,
    expectation,
    text,
    ...(systemLine === undefined ? {} : { systemLine }),
    strength: {
      ...strength,
      ratings: [],
      agreement: null,
      justification:
        declared === null
          ? ''
          : `By construction: the rule ${id.split('@')[0]} declares level ${declared}; nobody has judged this text.`,
      judged: null,
      declared,
    },
    use: true,
  };
}
