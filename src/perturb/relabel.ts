import type { PerturbationStrength } from '../contracts/perturbationSet';

/**
 * The middle rating; of an even number the lower of the two middle ones, as no rating lies between two levels.
 * @throws RangeError without ratings
 */
export function medianLevel(ratings: readonly number[]): number {
  if (ratings.length === 0) throw new RangeError('ratings must not be empty');
  return [...ratings].sort((a, b) => a - b)[(ratings.length - 1) >> 1]!;
}

/**
 * The strength after a person has been at it. `relabel`, or a level that is not what the named source gave, is the
 * person's; the judge's own level is kept in `judged`. A level that is taken away is `unrated`, never 0.
 */
export function relabelled(strength: PerturbationStrength, relabel: number | null): PerturbationStrength {
  const { level, source, ratings, declared } = strength;
  const judged = strength.judged ?? (ratings.length === 0 ? null : medianLevel(ratings));
  if (relabel !== null) return { ...strength, level: relabel, source: 'user', judged };
  if (level === null) return source === 'unrated' ? strength : { ...strength, source: 'unrated' };
  const given = source === 'judge' ? judged : source === 'byConstruction' ? declared : null;
  const edited = source === 'unrated' || (given !== null && level !== given);
  return edited ? { ...strength, source: 'user', judged } : strength;
}
