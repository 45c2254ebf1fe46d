import type { Perturbation } from '../contracts/runRecord';
import { applyEdits, hullOf } from '../prompts/applyEdits';
import type { Rng } from '../stats/rng';
import { shuffled } from './generator';
import { generatePerturbations } from './generate';

/** Singles looked at: enough to choose from, few enough for prompts of 10,000 words. */
const LEAST_SINGLES = 80;
const SINGLES_PER_MEMBER = 4;

/**
 * A family of harmless rewordings of one prompt, all distinct: the null set of the composite test (methods.md section 2).
 * In order: `own` (e.g. written by a model), rewordings by rule, pairs of them in different places, then surface changes
 * of strength 0 in turn with pairs of a rewording and a surface change. The same seed gives the same family.
 * @returns at most `size` members; fewer where the prompt gives occasion for no more
 */
export function rewordingFamily(
  text: string,
  { rng, size, own = [] }: { rng: Rng; size: number; own?: readonly Perturbation[] },
): Perturbation[] {
  const singles = generatePerturbations(text, {
    rng,
    kinds: ['rewording', 'surface'],
    limit: Math.max(LEAST_SINGLES, SINGLES_PER_MEMBER * size),
  }).perturbations.filter(
    ({ strength, expectation, edits }) =>
      expectation === 'irrelevant' && strength.level === 0 && edits.length > 0,
  );
  const rewordings = singles.filter(({ kind }) => kind === 'rewording');
  const surface = shuffled(
    singles.filter(({ kind }) => kind === 'surface'),
    rng,
  );
  const byRule = shuffled(rewordings, rng);
  const pairs = (first: readonly Perturbation[], second: readonly Perturbation[]) =>
    shuffled(
      first.flatMap((a) => second.flatMap((b) => bothOf(text, a, b) ?? [])),
      rng,
    );
  const sameKind = byRule.flatMap((first, i) => pairs([first], byRule.slice(i + 1)));
  const members = new Map<string, Perturbation>();
  const candidates = [
    ...own,
    ...byRule,
    ...sameKind,
    ...inTurn(surface, pairs(byRule.slice(0, size), surface)),
  ];
  for (const member of candidates) {
    if (members.size >= size) break;
    if (member.text !== text && !members.has(member.text)) members.set(member.text, member);
  }
  // Prompts without any rewording by rule: two surface changes at once are still a harmless change.
  if (members.size < size) {
    for (const member of surface.flatMap((first, i) => pairs([first], surface.slice(i + 1)))) {
      if (members.size >= size) break;
      if (!members.has(member.text)) members.set(member.text, member);
    }
  }
  return [...members.values()];
}

/** Both changes at once; null where they touch the same place. */
function bothOf(text: string, first: Perturbation, second: Perturbation): Perturbation | null {
  const edits = [...first.edits, ...second.edits].sort((a, b) => a.start - b.start || a.end - b.end);
  const apart = edits.every((edit, i) => i === 0 || edits[i - 1]!.end < edit.start);
  if (!apart) return null;
  return {
    ...first,
    id: `${first.id}+${second.id}`,
    name: `${first.name} and ${second.name.charAt(0).toLowerCase()}${second.name.slice(1)}`,
    description: `${first.description} ${second.description}`,
    span: hullOf(edits),
    sentence: null,
    edits,
    text: applyEdits(text, edits),
  };
}

function inTurn<T>(first: readonly T[], second: readonly T[]): T[] {
  const longer = Math.max(first.length, second.length);
  return Array.from({ length: longer }, (_, i) => [first[i], second[i]])
    .flat()
    .filter((one) => one !== undefined);
}
