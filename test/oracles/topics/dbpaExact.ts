import { embedderFamily, labelMember } from '../../../src/stats/discrepancyFamily';
import { testFamily, type FamilyResult } from '../../../src/stats/familyTest';
import { pairMatrices, unitRows } from '../../../src/stats/matrices';
import { prepareFamily, type Member } from '../../../src/stats/permutationEngine';
import { allSplits, givenSplits, type Splits } from '../../../src/stats/splits';
import { compare, readMatrix, readNumber, type Check, type JsonObject } from '../topic';

export const check: Check = (input, expected, tolerance) => {
  const n0 = readNumber(input['n0']);
  const n1 = readNumber(input['n1']);
  const splits =
    'splitsArm0' in input ? givenSplits(n0, n1, readMatrix(input['splitsArm0'])) : allSplits(n0, n1);
  if ('labels' in input) {
    const result = testFamily({ members: [labelMember(input['labels'] as string[])], splits });
    const [observed, p] = [result.observed[0]!, result.p[0]!];
    const actual = { splits: result.rows, observed, count: Math.round(p * result.rows), p };
    // Fisher's exact test stands beside it for orientation; it is another test.
    const { fisherTwoSided: _fisher, ...wanted } = expected;
    return compare('', actual, wanted, tolerance);
  }
  const embeddings = readMatrix(input['embeddings']);
  const n = embeddings.length;
  const dim = embeddings[0]!.length;
  const matrices = pairMatrices(unitRows(embeddings.flat(), n, dim), n, dim);
  const family = input['family'] as string[] | undefined;
  const members = embedderFamily('e', matrices, readNumber(input['bins'])).members.filter(
    ({ id }) => family === undefined || family.includes(id.slice(2)),
  );
  const ids = members.map((member) => member.id.slice(2));
  const result = testFamily({ members, splits });
  const energyU: Member = { id: 'energyU', kind: 'mmd', matrix: matrices.distance.map((d) => -d) };
  const unbiased = testFamily({ members: [energyU], splits });
  const actual = {
    ...summary(result, ids),
    energyU: { observed: unbiased.observed[0], p: unbiased.p[0] },
    ...rowsOf(members, ids, splits),
  };
  return compare('', actual, expected, tolerance);
};

function summary(result: FamilyResult, ids: string[]) {
  const { rows, exact, observed, mean, sd, z, p, constant, omnibus } = result;
  const named = (value: (f: number) => unknown) => Object.fromEntries(ids.map((id, f) => [id, value(f)]));
  const unlessConstant = (value: (f: number) => number | undefined) =>
    named((f) => (constant[f] ? NaN : value(f)));
  return {
    splits: rows,
    B: rows - 1,
    observed: named((f) => observed[f]),
    counts: named((f) => Math.round(p[f]! * rows) - (exact ? 0 : 1)),
    p: named((f) => p[f]),
    debiased: named((f) => observed[f]! - mean[f]!),
    omnibus: {
      mean: named((f) => mean[f]),
      sd: named((f) => sd[f]),
      z: unlessConstant((f) => z[f]),
      dropped: ids.filter((_, f) => constant[f]),
      maxZ: omnibus?.statistic,
      count: omnibus?.count,
      p: omnibus?.p,
      adjustedP: unlessConstant((f) => omnibus?.adjustedP[f]),
      singleStepP: unlessConstant((f) => omnibus?.singleStepP[f]),
    },
  };
}

/** Every split's statistics by member: the files list them under `allSplits` or, the observed one left out, `permuted`. */
function rowsOf(members: Member[], ids: string[], splits: Splits) {
  const table = new Float64Array(splits.rows * members.length);
  prepareFamily(members, splits)(0, splits.rows, table);
  const all: JsonObject = {};
  const permuted: JsonObject = {};
  ids.forEach((id, f) => {
    const column = Array.from({ length: splits.rows }, (_, row) => table[row * members.length + f]!);
    all[id] = column;
    permuted[id] = column.slice(1);
  });
  return { allSplits: all, permuted };
}
