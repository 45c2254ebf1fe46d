/** One prompt on several variable bindings: permute within each case, add up over the cases. */
import type { DifferenceTestInput, TestHooks } from './differenceTest';
import { requireInteger } from './argumentChecks';
import { embedderFamily, labelMember, stringMember } from './discrepancyFamily';
import { testFamily, type FamilyResult } from './familyTest';
import { pairMatrices, unitRows } from './matrices';
import { adjustPValues, type MultiplicityMethod } from './multiplicity';
import { createPairKernel } from './pairKernel';
import { prepareFamily, type Member } from './permutationEngine';
import { mixSeed } from './rng';
import { pairedSplits, randomSplits, type Splits } from './splits';
import { createStepDown, STANDARDISED_TIE_TOLERANCE } from './westfallYoung';

/** Outputs of one case: as `DifferenceTestInput`, without the settings that all cases share. */
export type CaseOutputs = { id: string } & Pick<
  DifferenceTestInput,
  'n0' | 'n1' | 'embeddings' | 'labels' | 'strings'
>;

interface ManyCasesInput {
  cases: CaseOutputs[];
  /** Monte Carlo permutations B. */
  permutations: number;
  bins: number;
  seed: number;
  /** Adjustment of the p-values per case. */
  multiplicity?: MultiplicityMethod;
}

interface ManyCasesResult {
  /** One p for the prompt; null where no case could be used. */
  p: number | null;
  /** Largest standardised sum over the members. */
  statistic: number | null;
  permutations: number;
  members: { id: string; z: number; adjustedP: number }[];
  /** In the order given; p null for a case that was not tested by itself, with the reason. */
  cases: { id: string; p: number | null; adjustedP: number | null; reason: string | null }[];
}

/** Cases that are permuted together: one case, or all cases with a single response per arm. */
interface Stratum {
  members: Member[];
  splits: Splits;
  result: FamilyResult;
  caseIndex: number | null;
}

/**
 * Has the prompt's behaviour moved over its cases? Each case's statistics are standardised over its own permutations
 * and added over the cases; the omnibus takes the largest of these sums. Cases with one response per arm are pooled into
 * one stratum in which only the two responses of a case may change places (a paired sign flip).
 *
 * Null hypothesis: in every case both arms draw from one distribution. Assumes independent cases and exchangeable outputs
 * within a case; then the level is exact for any number and size of cases. Small samples: no p is below 1/(B + 1); a case
 * needs 2 responses per arm to be tested by itself, and the pooled stratum 2 cases. Cases of 1 response against many are
 * left out, with the reason. Per-case p are adjusted across cases (Holm by default).
 * Members present in some cases only count there. Cost: twice that of one test per case; memory does not grow with B.
 * @throws RangeError for wrong arguments or vectors, naming the case. Source: stratified permutation (Good 2005, ch. 3);
 * the omnibus over standardised sums is ours.
 */
export function manyCases(input: ManyCasesInput, hooks: TestHooks = {}): ManyCasesResult {
  requireInteger('permutations', input.permutations, 1);
  requireInteger('bins', input.bins, 2, 256);
  if (input.cases.length === 0) throw new RangeError('cases is empty');
  const { strata, reasons } = stratify(input, hooks);
  const perCase = input.cases.map((_, index) => {
    const own = strata.find((stratum) => stratum.caseIndex === index);
    return own === undefined ? null : (own.result.omnibus?.p ?? 1);
  });
  const adjusted = adjustPValues(
    perCase.map((p) => p ?? NaN),
    input.multiplicity ?? 'holm',
  );
  const cases = input.cases.map(({ id }, index) => ({
    id,
    p: perCase[index]!,
    adjustedP: perCase[index] === null ? null : adjusted[index]!,
    reason: reasons[index]!,
  }));
  const usable = strata.filter(({ result }) => result.omnibus !== null);
  if (usable.length === 0) {
    const nothing = { permutations: input.permutations, members: [], cases };
    return strata.length === 0
      ? { p: null, statistic: null, ...nothing }
      : { p: 1, statistic: 0, ...nothing };
  }
  return { ...sumOverStrata(usable, input.permutations), permutations: input.permutations, cases };
}

function stratify(
  input: ManyCasesInput,
  hooks: TestHooks,
): { strata: Stratum[]; reasons: (string | null)[] } {
  const kernel = hooks.kernel ?? createPairKernel();
  const strata: Stratum[] = [];
  const singles: number[] = [];
  const build = (members: Member[], splits: Splits, caseIndex: number | null) => {
    const share = (part: number) => hooks.checkpoint?.((strata.length + part) / (input.cases.length + 1));
    strata.push({
      members,
      splits,
      caseIndex,
      result: testFamily({ members, splits, kernel, checkpoint: share }),
    });
  };
  const reasons = input.cases.map((outputs, index): string | null => {
    if (outputs.n0 === 1 && outputs.n1 === 1) {
      singles.push(index);
      return 'One response per arm: counted in the sum over cases, not tested by itself.';
    }
    if (outputs.n0 < 2 || outputs.n1 < 2) return 'Too few responses in one arm: left out.';
    const splits = randomSplits(outputs.n0, outputs.n1, input.permutations, caseSeed(input.seed, index));
    build(membersOf(outputs, input.bins), splits, index);
    return null;
  });
  if (singles.length >= 2) {
    const pooled = poolSingles(singles.map((index) => input.cases[index]!));
    build(
      membersOf(pooled, input.bins),
      pairedSplits(singles.length, input.permutations, input.seed, false),
      null,
    );
  } else for (const index of singles) reasons[index] = 'The only case with one response per arm: left out.';
  return { strata, reasons };
}

/** Row r of the sum is row r of every stratum: all of them are permuted at once, each in its own way. */
function sumOverStrata(strata: Stratum[], permutations: number) {
  const ids = [...new Set(strata.flatMap(({ members }) => members.map(({ id }) => id)))];
  const rows = permutations + 1;
  const chunk = 256;
  const sums = new Float64Array(chunk * ids.length);
  const weight = ids.map((id) => {
    const terms = strata.filter(({ members, result }) =>
      members.some((member, f) => member.id === id && !result.constant[f]),
    ).length;
    return terms === 0 ? 0 : 1 / Math.sqrt(terms);
  });
  const prepared = strata.map((stratum) => ({
    ...stratum,
    statistics: prepareFamily(stratum.members, stratum.splits, createPairKernel()),
    columns: stratum.members.map(({ id }) => ids.indexOf(id)),
    table: new Float64Array(chunk * stratum.members.length),
  }));
  let stepDown: ReturnType<typeof createStepDown> | undefined;
  let observed: number[] = [];
  for (let from = 0; from < rows; from += chunk) {
    const count = Math.min(chunk, rows - from);
    sums.fill(0);
    for (const { members, result, statistics, columns, table } of prepared) {
      statistics(from, from + count, table);
      members.forEach((_, f) => {
        if (result.constant[f]) return;
        const column = columns[f]!;
        for (let r = 0; r < count; r++) {
          const z = (table[r * members.length + f]! - result.mean[f]!) / result.sd[f]!;
          sums[r * ids.length + column]! += z * weight[column]!;
        }
      });
    }
    if (stepDown === undefined) {
      observed = Array.from(sums.subarray(0, ids.length));
      const columns = [...ids.keys()].filter((column) => weight[column]! > 0);
      stepDown = createStepDown(observed, columns, STANDARDISED_TIE_TOLERANCE);
    }
    for (let r = 0; r < count; r++) stepDown.add(sums, r * ids.length);
  }
  const adjusted = stepDown!.adjusted();
  return {
    p: stepDown!.omnibusCount() / rows,
    statistic: Math.max(...observed.filter((_, column) => weight[column]! > 0)),
    members: ids.map((id, column) => ({ id, z: observed[column]!, adjustedP: adjusted[column]! })),
  };
}

function membersOf(outputs: CaseOutputs, bins: number): Member[] {
  const n = outputs.n0 + outputs.n1;
  const members = outputs.embeddings.flatMap(({ embedder, dim, vectors }) => {
    const unit = unitRows(
      vectors,
      n,
      dim,
      (row) => `response ${row + 1} of case ${outputs.id} (${embedder})`,
    );
    return embedderFamily(embedder, pairMatrices(unit, n, dim), bins).members;
  });
  if (outputs.labels !== undefined) members.push(labelMember(outputs.labels));
  if (outputs.strings !== undefined) members.push(stringMember(outputs.strings));
  if (members.length === 0) throw new RangeError(`case ${outputs.id} has no embeddings, labels or strings`);
  return members;
}

/** First all baseline responses, then all perturbed ones, in the order of the cases. */
function poolSingles(cases: CaseOutputs[]): CaseOutputs {
  const count = cases.length;
  const pooled = <T>(of: (outputs: CaseOutputs) => T[] | undefined): T[] | undefined => {
    const lists = cases.map(of);
    if (lists.some((list) => list === undefined)) return undefined;
    return [0, 1].flatMap((arm) => lists.map((list) => list![arm]!));
  };
  const labels = pooled((outputs) => outputs.labels);
  const strings = pooled((outputs) => outputs.strings);
  return {
    id: 'single responses',
    n0: count,
    n1: count,
    embeddings: cases[0]!.embeddings.map(({ embedder, dim }, e) => {
      const vectors = new Float64Array(2 * count * dim);
      cases.forEach((outputs, c) => {
        const own = outputs.embeddings[e];
        if (own?.embedder !== embedder || own.dim !== dim || own.vectors.length !== 2 * dim)
          throw new RangeError(`case ${outputs.id} lacks two vectors of ${embedder} (${dim} values each)`);
        vectors.set(own.vectors.subarray(0, dim), c * dim);
        vectors.set(own.vectors.subarray(dim), (count + c) * dim);
      });
      return { embedder, dim, vectors };
    }),
    ...(labels === undefined ? {} : { labels }),
    ...(strings === undefined ? {} : { strings }),
  };
}

/** A stream of its own for every case, so that cases are permuted independently. */
const caseSeed = (seed: number, index: number) => mixSeed(seed, `case/${index}`);
