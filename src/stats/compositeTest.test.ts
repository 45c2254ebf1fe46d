import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compositeTest, type CompositeTestInput } from './compositeTest';
import { drawNormal } from './draws';
import { createRng, type Rng } from './rng';

const DIM = 8;
/** One query's answers around `centre`, as unit vectors. */
function answersAround(rng: Rng, count: number, centre: number): number[] {
  return Array.from({ length: count }, () => {
    const row = Array.from(
      { length: DIM },
      (_, d) => drawNormal(rng) * 0.5 + (d === 0 ? 1 : 0) + (d === 1 ? centre : 0),
    );
    const length = Math.hypot(...row);
    return row.map((value) => value / length);
  }).flat();
}
const freeText = (rng: Rng, centres: number[], each: number): CompositeTestInput => ({
  outputs: centres.map(() => each),
  embeddings: [
    {
      embedder: 'toy',
      dim: DIM,
      vectors: Float32Array.from(centres.flatMap((centre) => answersAround(rng, each, centre))),
    },
  ],
  texts: centres.flatMap((_, query) => Array.from({ length: each }, (__, i) => `${query}-${i}`)),
  alpha: 0.05,
});
const nineteen = (centre: number) => [...Array<number>(19).fill(0), centre];

describe('compositeTest', () => {
  it('is exact: over all choices of the edited query, at most alpha of them reject', () => {
    fc.assert(
      fc.property(
        fc.array(fc.array(fc.constantFrom('a', 'b', 'c'), { minLength: 5, maxLength: 5 }), {
          minLength: 20,
          maxLength: 24,
        }),
        (queries) => {
          const rejecting = queries.filter((edited, j) => {
            const texts = [...queries.filter((_, i) => i !== j), edited].flat();
            const outputs = queries.map(() => 5);
            return compositeTest({ outputs, embeddings: [], texts, labels: texts, alpha: 0.05 }).p <= 0.05;
          });
          expect(rejecting.length).toBeLessThanOrEqual(0.05 * queries.length);
        },
      ),
    );
  });

  it('rejects in at most alpha of draws from one family, with two measures as well', () => {
    const rng = createRng(5, 'size');
    const draws = 400;
    let rejected = 0;
    for (let i = 0; i < draws; i++) {
      // Rewordings differ among themselves, and the edit is one more.
      const centres = Array.from({ length: 20 }, () => drawNormal(rng) * 0.3);
      const input = freeText(rng, centres, 6);
      input.labels = centres.flatMap((centre) =>
        Array.from({ length: 6 }, () => (drawNormal(rng) < centre ? 'Yes' : 'No')),
      );
      if (compositeTest(input).p <= 0.05) rejected++;
    }
    // Binomial(400, .05): 32 or more happens once in 1,000 seeds.
    expect(rejected).toBeLessThan(32);
    expect(rejected).toBeGreaterThan(4);
  });

  it('finds an edit that stands apart in one measure, though another is on top in the other', () => {
    const rng = createRng(2, 'apart');
    const input = freeText(rng, nineteen(3), 8);
    // In the labels a third of the rewordings are stranger: by the largest of ranks the edit would tie with them.
    input.labels = input.texts.map((_, i) => (i % 24 === 0 ? 'Yes' : 'No'));
    const result = compositeTest(input);
    expect(result.p).toBe(1 / 20);
    expect(result.measures.find(({ id }) => id === 'toy/energy')?.rank).toBe(1);
    expect(result.measures.find(({ id }) => id === 'label')?.rank).toBeGreaterThan(1);
    expect(result.scores.every((score) => score < result.testScore)).toBe(true);
  });

  it('sees a change of text that the encoder is blind to, where texts repeat', () => {
    const texts = nineteen(0).flatMap((_, query) =>
      Array.from({ length: 4 }, () => (query === 19 ? 'No' : 'Yes')),
    );
    const blind = new Float32Array(texts.length * 2).fill(Math.SQRT1_2);
    const result = compositeTest({
      outputs: nineteen(0).map(() => 4),
      embeddings: [{ embedder: 'blind', dim: 2, vectors: blind }],
      texts,
      alpha: 0.05,
    });
    expect(result.measures.map(({ id }) => id)).toEqual(['string']);
    expect(result.p).toBe(1 / 20);
  });

  it('says p = 1 where all queries answer alike', () => {
    const texts = Array<string>(80).fill('Yes');
    const result = compositeTest({ outputs: nineteen(0).map(() => 4), embeddings: [], texts, alpha: 0.05 });
    expect(result).toMatchObject({ state: 'tested', p: 1, measures: [] });
  });

  it('is undecided with fewer rewordings than alpha needs', () => {
    const result = compositeTest(freeText(createRng(1, 'few'), [0, 0, 0, 9], 5));
    expect(result.state).toBe('undecided');
    expect(result.explanation).toContain('at least 19');
  });

  it.each<[string, Partial<CompositeTestInput>]>([
    ['no rewording', { outputs: [4] }],
    ['a query without answers', { outputs: [4, 0] }],
    ['texts that do not fit', { texts: ['a'] }],
    ['labels that do not fit', { labels: ['a'] }],
    ['a level of 0', { alpha: 0 }],
  ])('refuses %s', (_, wrong) => {
    expect(() => compositeTest({ ...freeText(createRng(1, 'wrong'), nineteen(0), 2), ...wrong })).toThrow(
      RangeError,
    );
  });
});
