import { describe, expect, it } from 'vitest';
import { minimumDetectable } from './minimumDetectable';
import { usualBaseline } from './usualBaseline';

const cosines = (k: number, seed: number): number[] => {
  const { dim, ...first } = usualBaseline(k, seed).embeddings[0]!;
  const vectors = Float64Array.from(first.vectors);
  const row = (i: number) => vectors.subarray(i * dim, (i + 1) * dim);
  const dot = (a: Float64Array, b: Float64Array) => a.reduce((sum, value, d) => sum + value * b[d]!, 0);
  const norms = Array.from({ length: k }, (_, i) => Math.sqrt(dot(row(i), row(i))));
  return norms.flatMap((norm, i) =>
    norms.slice(0, i).map((other, j) => dot(row(i), row(j)) / (norm * other)),
  );
};
const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;

describe('answers that nobody has asked for yet', () => {
  it('have cosines of about 0.8, with the spread that is said', () => {
    const all = cosines(60, 3);
    expect(mean(all)).toBeCloseTo(0.8, 1);
    const sd = Math.sqrt(mean(all.map((cosine) => (cosine - mean(all)) ** 2)));
    expect(sd).toBeGreaterThan(0.03);
    expect(sd).toBeLessThan(0.06);
  });

  it('are the same for the same seed', () => {
    expect(usualBaseline(8, 1)).toEqual(usualBaseline(8, 1));
    expect(usualBaseline(8, 1)).not.toEqual(usualBaseline(8, 2));
    expect(() => usualBaseline(0, 1)).toThrow('k');
  });

  it('give a plan that finds less with fewer answers and more comparisons', () => {
    const shareOf = (k: number, comparisons: number) =>
      minimumDetectable({
        ...usualBaseline(k, 1),
        ...{ bins: 30, permutations: 1_999, bootstrapDraws: 0, confidence: 0.95, seed: 1, comparisons },
        alpha: 0.05,
      })!.share!;
    expect(shareOf(8, 1)).toBeGreaterThan(shareOf(24, 1));
    expect(shareOf(24, 20)).toBeGreaterThan(shareOf(24, 1));
  });
});
