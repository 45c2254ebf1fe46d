import type { Effect, MemberResult } from '../contracts/runRecord';
import type { PublishedStatistic } from '../contracts/testOptions';
import { requireInteger, requireOpenUnit } from './argumentChecks';
import { checkArms } from './arms';
import {
  embedderFamily,
  labelMember,
  stringMember,
  type DroppedMember,
  type EmbedderFamily,
} from './discrepancyFamily';
import { effectInterval } from './effectInterval';
import { testFamily, type FamilyResult } from './familyTest';
import { manhattanDistances, pairMatrices, unitRows, type PairMatrices } from './matrices';
import type { PairKernel } from './pairKernel';
import type { Member } from './permutationEngine';
import { publishedMember } from './publishedTest';
import { createSplits, randomSplits, type Splits } from './splits';

/** Outputs of two conditions, pooled: rows 0 … n0−1 are the baseline, n0 … n0+n1−1 the perturbed condition. */
export interface DifferenceTestInput {
  n0: number;
  n1: number;
  /** One entry per embedder; `vectors` is (n0+n1) × dim, row-major, unit rows. */
  embeddings: { embedder: string; dim: number; vectors: Float32Array | Float64Array }[];
  /** Extracted answers, pooled like the rows; adds the `label` member. */
  labels?: string[];
  /** Output texts, pooled like the rows; adds the `string` member. */
  strings?: string[];
  /**
   * This statistic of the first embedder alone, always by Monte Carlo, as published; labels and strings then only tell
   * which outputs are equal. Missing: the whole family.
   */
  statistic?: PublishedStatistic;
  /** Monte Carlo permutations B; all splits are enumerated instead where C(n0+n1, n0) ≤ B+1. */
  permutations: number;
  /** 2 … 256. */
  bins: number;
  bootstrapDraws: number;
  /** Level of the interval of the effect, e.g. 0.95. */
  confidence: number;
  seed: number;
}

export interface DifferenceTestResult {
  /** `identical`: every output of both arms equal. `deterministic`: each arm constant, arms differ; no p claimed. */
  state: 'tested' | 'identical' | 'deterministic' | 'tooFew';
  p: number | null;
  /** Largest standardised statistic of the family. */
  statistic: number | null;
  pFloor: number | null;
  exact: boolean;
  /** Splits used, the identity not counted under Monte Carlo, counted under enumeration. */
  permutations: number;
  members: MemberResult[];
  effect: Effect | null;
  histogram: { edges: number[]; p0: number[]; p1: number[] } | null;
  nullHistogram: { edges: number[]; counts: number[]; observed: number } | null;
}

export interface TestHooks {
  /** Called every few milliseconds with the share done; may throw to stop. */
  checkpoint?: (share: number) => void;
  /** Loops to use again; one is made where none is given. */
  kernel?: PairKernel;
}

/** Below this an arm is too small to test. */
export const LEAST_SAMPLES = 4;

/**
 * Has the distribution of outputs moved? One omnibus p-value over the declared family (per embedder jsd, energy, five
 * MMDs; label; string), a step-down adjusted p per member, and the headline effect with its interval.
 *
 * Null hypothesis: both arms draw from one distribution. Assumes independent outputs within a condition; then the level
 * is exact at every sample size and for every embedder, because all members see the same permutations. Small samples:
 * `tooFew` below 4 outputs in an arm; all splits are enumerated where there are at most B + 1 of them; p is never below
 * `pFloor`. A family of which every member is constant gives p = 1. The bootstrap interval is approximate.
 * Cost: (n0+n1)²·dim per embedder, permutations × min(n0, n1)² / 2, bootstrapDraws × (n0+n1)² / 2.
 * @throws RangeError for wrong arguments, and for a vector that is short, not finite or of length 0, naming the response.
 * Source: DBPA (arXiv 2506.07947) for jsd; Székely & Rizzo (energy); Gretton et al. (MMD); Westfall & Young (maxT);
 * the joint test over standardised members is ours.
 */
export function differenceTest(input: DifferenceTestInput, hooks: TestHooks = {}): DifferenceTestResult {
  checkInput(input);
  const { n0, n1 } = input;
  const n = n0 + n1;
  const units = input.embeddings.map(({ embedder, dim, vectors }) =>
    unitRows(vectors, n, dim, (row) => responseName(row, n0, embedder)),
  );
  if (n0 < LEAST_SAMPLES || n1 < LEAST_SAMPLES) return { ...untested, state: 'tooFew' };
  const same = equality(input, units);
  if (constantArm(same, 0, n0) && constantArm(same, n0, n)) {
    return same(0, n0) ? identical(input) : { ...untested, state: 'deterministic' };
  }

  const draw = input.statistic === undefined ? createSplits : randomSplits;
  const splits = draw(n0, n1, input.permutations, input.seed);
  const matrices = units.map((unit, e) => {
    hooks.checkpoint?.(0);
    return pairMatrices(unit, n, input.embeddings[e]!.dim);
  });
  const families = matrices.map((pairs, e) =>
    embedderFamily(input.embeddings[e]!.embedder, pairs, input.bins),
  );
  const first = matrices[0];
  const members =
    input.statistic === undefined
      ? wholeFamily(input, families)
      : [publishedMemberOf(input, input.statistic, first!)];
  // H is read off the energy distance of the same matrix, which a published statistic may lack.
  const extra: Member[] =
    first === undefined
      ? []
      : [
          ...(input.statistic === undefined ? [] : [energyMember(first)]),
          { id: 'h', kind: 'inhomogeneity', matrix: first.distance },
        ];
  const tested = testFamily({ members, extra, splits, ...hooks });
  const floors = members.map((member) => floorOf(member, splits));
  return {
    state: 'tested',
    p: tested.omnibus?.p ?? 1,
    statistic: tested.omnibus?.statistic ?? 0,
    pFloor: Math.min(...floors),
    exact: tested.exact,
    permutations: tested.exact ? tested.rows : tested.rows - 1,
    members: memberResults(
      members,
      input.statistic === undefined ? families.flatMap(({ dropped }) => dropped) : [],
      tested,
      floors,
    ),
    effect: first === undefined ? null : effectOf(input, first, tested.extra.at(-1)!),
    histogram: first === undefined ? null : armHistogram(families[0]!.binned, n0, n1),
    nullHistogram: tested.omnibus?.histogram ?? null,
  };
}

function wholeFamily({ labels, strings }: DifferenceTestInput, families: EmbedderFamily[]): Member[] {
  return [
    ...families.flatMap((family) => family.members),
    ...(labels === undefined ? [] : [labelMember(labels)]),
    ...(strings === undefined ? [] : [stringMember(strings)]),
  ];
}

function publishedMemberOf(
  { n0, n1, bins, embeddings }: DifferenceTestInput,
  statistic: PublishedStatistic,
  first: PairMatrices,
): Member {
  const { embedder, dim, vectors } = embeddings[0]!;
  const member = publishedMember(statistic, first, bins, () => manhattanDistances(vectors, n0 + n1, dim));
  return { ...member, id: `${embedder}/${statistic}` };
}

const energyMember = ({ distance }: PairMatrices): Member => ({
  id: 'energy',
  kind: 'energy',
  matrix: distance,
});

const untested = {
  p: null,
  statistic: null,
  pFloor: null,
  exact: false,
  permutations: 0,
  members: [],
  effect: null,
  histogram: null,
  nullHistogram: null,
} satisfies Omit<DifferenceTestResult, 'state'>;

/** Nothing differs between any two outputs: no permutation could tell the arms apart. */
function identical({ confidence }: DifferenceTestInput): DifferenceTestResult {
  const interval = { low: 0, high: 0, level: confidence };
  return { ...untested, state: 'identical', p: 1, statistic: 0, effect: { raw: 0, debiased: 0, interval } };
}

/**
 * (raw − mean) / (1 − mean), `mean` that of H over the permutations: on average 0 where nothing changed, and 1 where raw
 * is 1. The difference alone would fall short of the population's H by a factor of about 1 − (1/n0 + 1/n1)/2, which is
 * more than the width of its interval where the arms are far apart. [ours, after the adjusted Rand index]
 */
export const correctForChance = (raw: number, mean: number): number => (raw - mean) / (1 - mean);

function effectOf(
  { n0, n1, bootstrapDraws, confidence, seed }: DifferenceTestInput,
  { distance }: PairMatrices,
  { observed, mean }: { observed: number; mean: number },
): Effect {
  const debiased = correctForChance(observed, mean);
  const interval = effectInterval({ distance, n0, n1, debiased, draws: bootstrapDraws, confidence, seed });
  return { raw: observed, debiased, interval };
}

function memberResults(
  members: Member[],
  dropped: DroppedMember[],
  tested: FamilyResult,
  floors: number[],
): MemberResult[] {
  const results = members.map((member, f): MemberResult => {
    const constant = tested.constant[f]!;
    return {
      id: member.id,
      statistic: tested.observed[f]!,
      nullMean: tested.mean[f]!,
      nullSd: constant ? 0 : tested.sd[f]!,
      z: tested.z[f]!,
      p: constant ? 1 : tested.p[f]!,
      adjustedP: constant ? 1 : (tested.omnibus?.adjustedP[f] ?? 1),
      pFloor: floors[f]!,
      dropped: constant ? 'It has the same value for every split.' : null,
    };
  });
  const silent = dropped.map(({ id, reason }): MemberResult => {
    const nothing = { statistic: 0, nullMean: 0, nullSd: 0, z: 0, p: 1, adjustedP: 1 };
    return { id, ...nothing, pFloor: floors[0]!, dropped: reason };
  });
  return [...results, ...silent];
}

/** With equal arms all members but jsd are symmetric, so every enumerated value occurs twice. */
function floorOf(member: Member, { exact, rows, n0, n1 }: Splits): number {
  return (exact && n0 === n1 && member.kind !== 'jsd' ? 2 : 1) / rows;
}

function armHistogram(
  binned: { edges: Float64Array; bins: Uint8Array; binCount: number },
  n0: number,
  n1: number,
) {
  const p0 = new Array<number>(binned.binCount).fill(0);
  const p1 = new Array<number>(binned.binCount).fill(0);
  const n = n0 + n1;
  for (let i = 0; i < n0; i++) {
    for (let j = i + 1; j < n; j++) (j < n0 ? p0 : p1)[binned.bins[i * n + j]!]!++;
  }
  return { edges: Array.from(binned.edges), p0, p1 };
}

type SameOutput = (i: number, j: number) => boolean;

/** Texts decide where they are given, as two texts may share a vector; else every vector and label together. */
function equality({ strings, labels, embeddings }: DifferenceTestInput, units: Float64Array[]): SameOutput {
  if (strings !== undefined) return (i, j) => strings[i] === strings[j];
  return (i, j) =>
    (labels === undefined || labels[i] === labels[j]) &&
    units.every((unit, e) => {
      const { dim } = embeddings[e]!;
      for (let k = 0; k < dim; k++) if (unit[i * dim + k] !== unit[j * dim + k]) return false;
      return true;
    });
}

function constantArm(same: SameOutput, from: number, to: number): boolean {
  for (let i = from + 1; i < to; i++) if (!same(from, i)) return false;
  return true;
}

/** `response 3 of the perturbed arm (minilm)`; responses count from 1, as people do. */
function responseName(row: number, n0: number, embedder: string): string {
  return row < n0
    ? `response ${row + 1} of the baseline (${embedder})`
    : `response ${row - n0 + 1} of the perturbed arm (${embedder})`;
}

function checkInput(input: DifferenceTestInput): void {
  const { n0, n1, embeddings, labels, strings } = input;
  checkArms(n0, n1, undefined, 0);
  requireInteger('permutations', input.permutations, 1);
  if (embeddings.length === 0 && labels === undefined && strings === undefined)
    throw new RangeError('embeddings, labels and strings are all missing: there is nothing to test');
  if (input.statistic !== undefined && embeddings.length === 0)
    throw new RangeError(`statistic ${input.statistic} needs embeddings`);
  for (const [name, list] of Object.entries({ labels, strings })) {
    if (list !== undefined && list.length !== n0 + n1)
      throw new RangeError(`${name} holds ${list.length} entries, n0 + n1 = ${n0 + n1} were expected`);
  }
  requireInteger('bins', input.bins, 2, 256);
  requireInteger('bootstrapDraws', input.bootstrapDraws, 0);
  requireOpenUnit('confidence', input.confidence);
}
