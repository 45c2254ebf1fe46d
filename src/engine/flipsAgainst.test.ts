import { describe, expect, it } from 'vitest';
import { answer, perturbation, planOf, question } from '../../test/builders/flipsPlan';
import type { FlipsAnswer, FlipsRecord } from '../contracts/flipsRecord';
import { mcnemar } from '../stats/mcnemar';
import { compareFlips } from './flipsAgainst';

const ids = Array.from({ length: 12 }, (_, i) => `q${i}`);
const plan = planOf(
  ids.map((id) => question(id)),
  () => [perturbation(0, 'same', 'surface'), perturbation(3, 'turned')],
);
// Only what a comparison reads.
const run = (id: string, strong: number[], of = plan): FlipsRecord =>
  ({ ...of, id, answers: answersOf(strong) }) as FlipsRecord;
const answersOf = (strong: number[]): FlipsAnswer[] =>
  ids.flatMap((id, i) => [
    answer(id, 'A'),
    answer(`${id}/surface.same`, 'A'),
    answer(`${id}/mistake.turned`, strong.includes(i) ? 'B' : 'A'),
  ]);

describe('runs against each other', () => {
  it('are compared on the same items, at each strength, by the pairs that differ; Holm over all', () => {
    const comparisons = compareFlips([run('a', [0, 1, 2, 3, 4, 5, 6, 7]), run('b', [7, 8])]);
    expect(
      comparisons.map(({ strength, n, onlyFirst, onlySecond }) => [strength, n, onlyFirst, onlySecond]),
    ).toEqual([
      [0, 12, 0, 0],
      [3, 12, 7, 1],
    ]);
    expect(comparisons[1]!.p).toBe(mcnemar(7, 1).exactP);
    expect(comparisons[1]!.adjustedP).toBeCloseTo(2 * mcnemar(7, 1).exactP, 12);
  });

  it('make every pair of three', () => {
    const comparisons = compareFlips([run('a', [0]), run('b', [1]), run('c', [2])]);
    expect(new Set(comparisons.map(({ first, second }) => `${first}${second}`))).toEqual(
      new Set(['ab', 'ac', 'bc']),
    );
  });

  it('without an item in common are refused: the same id with another text is another item', () => {
    const other = planOf(
      ids.map((id) => ({ ...question(id), question: 'Another?' })),
      () => [perturbation(0, 'else', 'surface')],
    );
    expect(() => compareFlips([run('a', []), run('b', [], other)])).toThrow(/no perturbation in common/);
  });
});
