import { describe, expect, it } from 'vitest';
import { energyDistance } from './energy';
import { hammingKernel } from './hamming';
import { totalVariation } from './labels';
import { euclideanDistances, pairMatrices, unitRows } from './matrices';
import { gaussianKernel, medianDistance, mmd } from './mmd';

describe('two-sample distances', () => {
  it('are 0 between equal samples, H included where all is equal', () => {
    const distances = new Float64Array(16);
    expect(energyDistance(distances, 2, 2)).toMatchObject({ v: 0, u: 0, h: 0 });
    expect(mmd(new Float64Array(16).fill(1), 2, 2)).toEqual({ unbiased: 0, biased: 0 });
    expect(totalVariation(['a', 'b'], ['b', 'a'])).toBe(0);
  });

  it('H is 1 between two constant arms', () => {
    const distances = euclideanDistances(Float64Array.from([0, 0, 1, 1]), 4, 1);
    expect(energyDistance(distances, 2, 2).h).toBe(1);
  });

  it('have no unbiased value, rather than NaN, where an arm holds one output', () => {
    const distances = euclideanDistances(Float64Array.from([0, 1, 3]), 3, 1);
    expect(energyDistance(distances, 1, 2).u).toBeNull();
    expect(mmd(distances, 2, 1).unbiased).toBeNull();
  });

  it('keep their digits for near-identical vectors', () => {
    const unit = unitRows([1, 0, 1, 1e-9], 2, 2);
    const { distance, similarity } = pairMatrices(unit, 2, 2);
    expect(distance[1]! / 1e-9).toBeCloseTo(1, 6);
    expect(similarity[1]).toBe(1);
  });

  it('refuse empty arms and matrices of another size', () => {
    expect(() => energyDistance(new Float64Array(4), 0, 2)).toThrow('n0');
    expect(() => energyDistance(new Float64Array(5), 1, 1)).toThrow('(n0+n1)²');
    expect(() => mmd(new Float64Array(4), 2, 0)).toThrow('n1');
    expect(() => medianDistance([0], 1)).toThrow('n must');
    expect(() => gaussianKernel(new Float64Array(4), 0)).toThrow('sigma');
    expect(() => totalVariation([], ['a'])).toThrow('labels0');
    expect(() => totalVariation(['a'], [])).toThrow('labels1');
  });
});

describe('hammingKernel', () => {
  it('compares code points and pads to the longest', () => {
    const { kernel, paddedLength } = hammingKernel(['😀a', '😀b', '']);
    expect(paddedLength).toBe(2);
    expect(Array.from(kernel)).toEqual([1, 0.5, 0, 0.5, 1, 0, 0, 0, 1]);
  });

  it('takes empty texts and stops at the stated length', () => {
    expect(hammingKernel(['', '']).kernel).toEqual(Float64Array.from([1, 1, 1, 1]));
    expect(hammingKernel(['ab', 'ac'], 1)).toEqual({
      kernel: Float64Array.from([1, 1, 1, 1]),
      paddedLength: 1,
    });
  });
});
