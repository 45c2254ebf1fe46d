import type { RatedPerturbation } from '../contracts/perturbationSet';
import type { Perturbation } from '../contracts/runRecord';
import { hullOf } from '../prompts/applyEdits';
import { wordEdits } from '../prompts/wordEdits';

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

/** One of a set as a check takes it: its edits are found by comparing the texts, word by word. */
export function perturbationOfSet(prompt: string, rated: RatedPerturbation): Perturbation {
  const { id, kind, name, description, expectation, text, systemLine, strength } = rated;
  const edits = wordEdits(prompt, text);
  return {
    id,
    kind,
    name,
    description,
    expectation,
    strength: { level: strength.level, source: strength.source },
    span: edits.length === 0 ? { start: 0, end: 0 } : hullOf(edits),
    sentence: null,
    edits,
    text,
    ...(systemLine === undefined ? {} : { systemLine }),
  };
}
