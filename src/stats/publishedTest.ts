/** The published single-statistic test with the paper's own options, so that its tables can be reproduced. */
import type { PublishedStatistic } from '../contracts/testOptions';
import { requireInteger } from './argumentChecks';
import { checkArms } from './arms';
import { testFamily } from './familyTest';
import { binPairs } from './jsd';
import { manhattanDistances, pairMatrices, unitRows, type PairMatrices } from './matrices';
import type { Member } from './permutationEngine';
import { randomSplits } from './splits';

interface PublishedTestInput {
  n0: number;
  n1: number;
  dim: number;
  /** (n0+n1) × dim, row-major, the baseline first. */
  vectors: Float32Array | Float64Array;
  statistic: PublishedStatistic;
  /** The paper's B. */
  permutations?: number;
  bins?: number;
  /** Comparisons of the study, for Bonferroni (the paper's choice). */
  comparisons?: number;
  seed: number;
}

interface PublishedTestResult {
  statistic: number;
  /** (1 + count) / (1 + B); the authors' first code could give 0. */
  p: number;
  /** Bonferroni: p · comparisons, at most 1. */
  adjustedP: number;
  permutations: number;
}

/**
 * Null hypothesis: both arms draw from one distribution. Assumes exchangeable outputs. Monte Carlo throughout, as in the
 * paper (random splits, B = 1,000), on shared histogram edges and permuted outputs. p is at least 1/(1 + B), whatever
 * the sample size. Another statistic may decide otherwise on the same data: that is why it is not the default verdict.
 * Cost (n0+n1)²·dim / 2 + B × min(n0, n1)² / 2. @throws RangeError for wrong arguments, arms below 2, bad vectors.
 * Source: arXiv 2506.07947, Algorithm 1 and Tables 2 and 4.
 */
export function publishedTest(input: PublishedTestInput): PublishedTestResult {
  const { n0, n1, dim, vectors, statistic, bins = 30, permutations = 1000, comparisons = 1 } = input;
  checkArms(n0, n1, undefined, 2);
  requireInteger('permutations', permutations, 1);
  requireInteger('comparisons', comparisons, 1);
  const matrices = pairMatrices(unitRows(vectors, n0 + n1, dim), n0 + n1, dim);
  const member = publishedMember(statistic, matrices, bins, () => manhattanDistances(vectors, n0 + n1, dim));
  const splits = randomSplits(n0, n1, permutations, input.seed);
  const { observed, p } = testFamily({ members: [member], splits });
  return {
    statistic: observed[0]!,
    p: p[0]!,
    adjustedP: Math.min(1, p[0]! * comparisons),
    permutations,
  };
}

/**
 * The one member of a published test. Energy distances see, in this order, only shifts of the centre, any change of the
 * distribution, any change.
 * @param manhattan distances of the vectors as given; asked for by `published-energy-l1` only
 * Cost: n². @throws RangeError for bins outside 1 … 256.
 */
export function publishedMember(
  statistic: PublishedStatistic,
  { n, similarity, distance }: PairMatrices,
  bins: number,
  manhattan: () => Float64Array,
): Member {
  switch (statistic) {
    case 'published-jsd':
      return {
        id: statistic,
        kind: 'jsd',
        bins: binPairs(similarity, n, bins).bins,
        binCount: bins,
      };
    case 'published-energy-cosine':
      return { id: statistic, kind: 'energy', matrix: similarity.map((cosine) => 1 - cosine) };
    case 'published-energy-euclidean':
      return { id: statistic, kind: 'energy', matrix: distance };
    case 'published-energy-l1':
      return { id: statistic, kind: 'energy', matrix: manhattan() };
  }
}
