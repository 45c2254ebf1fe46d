import { extractLabel, type AnswerFormat } from '../answers/labels';
import type { Comparison, Perturbation, RunOptions, Sample } from '../contracts/runRecord';
import type { DifferenceTestInput, DifferenceTestResult } from '../stats/differenceTest';
import { extremePairs } from '../stats/extremePairs';
import { BANDWIDTH_MULTIPLIERS } from '../stats/mmd';
import { mixSeed } from '../stats/rng';
import { binomialCoefficient } from '../stats/splits';
import { usable, type Undecided } from './judgeArms';

/** Vectors of the usable answers, found by text. */
export interface EmbeddedTexts {
  embedder: string;
  dim: number;
  /** Row of `vectors` for each distinct text. */
  rowOf: Map<string, number>;
  vectors: Float32Array;
}

/** An answer that the extractor could not read is an answer of its own kind. */
export const NO_LABEL = '(none)';

/** Ids of the statistics that a check tests together. Known from prompt and encoders alone, before the first answer. */
export function declaredFamily(
  embedders: string[],
  format: AnswerFormat,
  { statistic }: Pick<RunOptions, 'statistic'> = {},
): string[] {
  if (statistic !== undefined) return embedders.slice(0, 1).map((id) => `${id}/${statistic}`);
  return [
    ...embedders.flatMap((id) => [
      `${id}/jsd`,
      `${id}/energy`,
      ...BANDWIDTH_MULTIPLIERS.map((multiplier) => `${id}/mmd${multiplier}`),
    ]),
    ...(format.kind === 'freeText' ? [] : ['label']),
    'string',
  ];
}

/** The two arms as the difference test takes them; null where they cannot be compared. */
export function differenceInput(
  baseline: Sample[],
  perturbed: Sample[],
  embedded: EmbeddedTexts[],
  format: AnswerFormat,
  options: RunOptions,
  seed: number,
): DifferenceTestInput {
  const texts = [...usable(baseline), ...usable(perturbed)].map((sample) => sample.text);
  const n0 = usable(baseline).length;
  return {
    n0,
    n1: texts.length - n0,
    embeddings: embedded.map((entry) => ({
      embedder: entry.embedder,
      dim: entry.dim,
      vectors: gather(entry, texts),
    })),
    ...(format.kind === 'freeText'
      ? {}
      : { labels: texts.map((text) => extractLabel(text, format) ?? NO_LABEL) }),
    strings: texts,
    ...(options.statistic === undefined ? {} : { statistic: options.statistic }),
    permutations: options.permutations,
    bins: options.bins,
    bootstrapDraws: options.bootstrapDraws,
    confidence: 0.95,
    seed: mixSeed(seed, `test:${perturbed[0]?.conditionId ?? ''}`),
  };
}

export function gather(entry: EmbeddedTexts, texts: string[]): Float32Array {
  const vectors = new Float32Array(texts.length * entry.dim);
  texts.forEach((text, i) => {
    const row = entry.rowOf.get(text);
    if (row === undefined) throw new Error(`an answer has no vector (${entry.embedder})`);
    vectors.set(entry.vectors.subarray(row * entry.dim, (row + 1) * entry.dim), i * entry.dim);
  });
  return vectors;
}

/** A comparison before the correction over all perturbations; its verdict comes with `decide`. */
export function undecidedComparison(
  perturbation: Perturbation,
  baseline: Sample[],
  perturbed: Sample[],
  undecided: Undecided,
): Comparison {
  return {
    perturbationId: perturbation.id,
    verdict: 'undecided',
    undecided,
    deterministic: false,
    n0: usable(baseline).length,
    n1: usable(perturbed).length,
    p: null,
    adjustedP: null,
    effect: null,
    members: [],
    membersAgreeing: 0,
    permutations: 0,
    exact: false,
    pFloor: null,
    histogram: null,
    nullHistogram: null,
  };
}

/** A tested comparison before the correction over all perturbations; its verdict comes with `decide`. */
export function testedComparison(
  perturbation: Pick<Perturbation, 'id'>,
  input: DifferenceTestInput,
  result: DifferenceTestResult,
  options: Pick<RunOptions, 'alpha' | 'temperature'>,
): Comparison {
  const agreeing = result.members.filter(
    (member) => member.dropped === null && member.adjustedP <= options.alpha,
  );
  const deterministic = result.state === 'deterministic';
  // Drawn answers can be constant by luck: four heads here and four tails there are no proof.
  const parted = deterministic && options.temperature > 0 ? partedP(input) : null;
  return {
    perturbationId: perturbation.id,
    verdict: deterministic ? 'changed' : 'noChangeDetected',
    undecided: null,
    deterministic,
    n0: input.n0,
    n1: input.n1,
    p: parted ?? result.p,
    adjustedP: null,
    effect: result.effect,
    members: result.members,
    membersAgreeing: agreeing.length,
    permutations: result.permutations,
    exact: result.exact,
    pFloor: parted ?? result.pFloor,
    histogram: result.histogram,
    nullHistogram: result.nullHistogram,
  };
}

/** The pairs that a reader wants to see first, by the samples' indices; nothing without an embedder. */
export function pairsOf(
  baseline: Sample[],
  perturbed: Sample[],
  { embeddings, n0, n1 }: DifferenceTestInput,
): Pick<Comparison, 'pairs'> {
  const [first] = embeddings;
  if (first === undefined) return {};
  const [before, after] = [usable(baseline), usable(perturbed)];
  const found = extremePairs(first.vectors, first.dim, n0, n1);
  const named = (pair: (typeof found)['nearest']) => ({
    baseline: before[pair.first]!.index,
    perturbed: after[pair.second]!.index,
    similarity: pair.similarity,
  });
  return { pairs: { nearest: named(found.nearest), furthest: named(found.furthest) } };
}

/**
 * Permutation p of two constant arms that differ: the share of splits that part the answers as cleanly, which are the
 * observed one and, for equal arms, its mirror image; never below what B permutations can give.
 */
function partedP({ n0, n1, permutations }: DifferenceTestInput): number {
  return Math.max((n0 === n1 ? 2 : 1) / binomialCoefficient(n0 + n1, n0), 1 / (permutations + 1));
}
