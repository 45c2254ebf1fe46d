import { binPairs, countInBins, jsDistance, jsDivergence } from '../../../src/stats/jsd';
import { pairMatrices, unitRows } from '../../../src/stats/matrices';
import { compare, readMatrix, readNumber, readNumbers, type Check } from '../topic';

/** SciPy has NaN where a histogram is empty; here that is an error by name. */
const orNaN = (figure: typeof jsDistance, counts0: number[], counts1: number[]) =>
  [counts0, counts1].some((counts) => counts.every((count) => count === 0)) ? NaN : figure(counts0, counts1);

export const check: Check = (input, expected, tolerance) => {
  if ('embeddings' in input) return compare('', ofEmbeddings(input), expected, tolerance);
  const counts =
    'edges' in input
      ? {
          counts0: countInBins(readNumbers(input['p0']), readNumbers(input['edges'])),
          counts1: countInBins(readNumbers(input['p1']), readNumbers(input['edges'])),
        }
      : { counts0: readNumbers(input['counts0']), counts1: readNumbers(input['counts1']) };
  const divergence = orNaN(jsDivergence, counts.counts0, counts.counts1);
  const actual = {
    ...counts,
    jsDistanceNat: orNaN(jsDistance, counts.counts0, counts.counts1),
    jsDivergenceNat: divergence,
    jsDistanceBits: Math.sqrt(divergence / Math.LN2),
    jsDivergenceBits: divergence / Math.LN2,
  };
  return compare('', actual, expected, tolerance);
};

function ofEmbeddings(input: Parameters<Check>[0]) {
  const embeddings = readMatrix(input['embeddings']);
  const n0 = readNumber(input['n0']);
  const n = embeddings.length;
  const dim = embeddings[0]!.length;
  const { similarity } = pairMatrices(unitRows(embeddings.flat(), n, dim), n, dim);
  const { edges } = binPairs(similarity, n, readNumber(input['bins']));
  const p0: number[] = [];
  const p1: number[] = [];
  for (let i = 0; i < n0; i++) {
    for (let j = i + 1; j < n; j++) (j < n0 ? p0 : p1).push(similarity[i * n + j]!);
  }
  const counts0 = countInBins(p0, edges);
  const counts1 = countInBins(p1, edges);
  return {
    edgeMin: edges[0],
    edgeMax: edges[edges.length - 1],
    p0,
    p1,
    counts0,
    counts1,
    jsDistanceNat: orNaN(jsDistance, counts0, counts1),
  };
}
