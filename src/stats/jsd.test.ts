import { describe, expect, it } from 'vitest';
import { binOf, binPairs, countInBins, evenEdges, jsDistance, jsDivergence } from './jsd';

describe('histograms', () => {
  it('closes the last bin, and only that', () => {
    const edges = [0, 1, 2];
    expect([0, 0.99, 1, 2, 2.01, -0.01, NaN].map((value) => binOf(value, edges))).toEqual([
      0, 0, 1, 1, -1, -1, -1,
    ]);
    expect(countInBins([0, 1, 1, 2, 5], edges)).toEqual([1, 3]);
  });

  it('compares with the edges themselves where a division would be off by one', () => {
    const edges = evenEdges(0, 0.3, 3);
    edges.forEach((edge, i) => expect(binOf(edge, edges)).toBe(Math.min(i, 2)));
  });

  it('refuses bins and bounds that make no edges', () => {
    expect(() => evenEdges(0, 1, 0)).toThrow('bins');
    expect(() => evenEdges(0, 1, 257)).toThrow('bins');
    expect(() => evenEdges(NaN, 1, 3)).toThrow('finite');
  });

  it('puts equal similarities into one bin, rounding included', () => {
    const equal = Float64Array.from({ length: 16 }, (_, i) => 0.5 + (i % 3) * 1e-16);
    expect(binPairs(equal, 4, 30)).toMatchObject({ constant: true, bins: new Uint8Array(16) });
    const broken = equal.slice().fill(NaN, 4, 5);
    expect(() => binPairs(broken, 4, 30)).toThrow('rows 1 and 0');
  });
});

describe('Jensen–Shannon', () => {
  it('is 0 for proportional counts and ln 2 for disjoint ones', () => {
    expect(jsDivergence([1, 2, 3], [10, 20, 30])).toBe(0);
    expect(jsDivergence([1, 0], [0, 7])).toBeCloseTo(Math.LN2, 15);
    expect(jsDistance([1, 0], [0, 7])).toBeCloseTo(0.8325546, 7);
  });

  it('refuses negative counts, empty and unequal histograms by name', () => {
    expect(() => jsDivergence([1, -1], [1, 1])).toThrow('counts0[1]');
    expect(() => jsDivergence([1, 1], [0, 0])).toThrow('counts1 is empty');
    expect(() => jsDivergence([1, 1], [1])).toThrow('length');
    expect(() => jsDivergence([1, NaN], [1, 1])).toThrow(RangeError);
  });
});
