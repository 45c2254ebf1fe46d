/** 14: power of two proportions, spending function, sequential decisions. */
import {
  cohenH,
  mdeTwoProportions,
  powerArcsine,
  powerFisher,
  powerPooledZ,
  samplesPerArm,
} from '../../../src/stats/power';
import { sequentialTest, spendingPlan } from '../../../src/stats/sequential';
import {
  compare,
  isClose,
  readNumber,
  readNumbers,
  type Check,
  type Json,
  type JsonObject,
  type Tolerance,
} from '../topic';

/**
 * statsmodels' solver stops within 1e-5 of the root (relative, where it is above 1), which is coarser than the file's tolerance. Where the two answers
 * differ by no more than that, the one that solves the power equation better is right.
 */
function compareRoot(
  name: string,
  actual: number | null,
  raw: Json | undefined,
  tolerance: Tolerance,
  residual: (root: number) => number,
): string[] {
  const wanted = readNumber(raw);
  const got = actual ?? NaN;
  if (isClose(got, wanted, tolerance)) return [];
  const solvesBetter = Math.abs(residual(got)) < 1e-12 && Math.abs(residual(wanted)) > 1e-11;
  if (Math.abs(got - wanted) <= 1e-5 * Math.max(1, Math.abs(wanted)) && solvesBetter) return [];
  return [`${name}: ${got}, expected ${wanted}`];
}

function twoProportions(input: JsonObject, expected: JsonObject, tolerance: Tolerance): string[] {
  const p1 = readNumber(input.p1);
  const p2 = readNumber(input.p2);
  const n = readNumber(input.nPerArm);
  const alpha = readNumber(input.alpha);
  const target = readNumber(input.targetPower);
  const h = cohenH(p1, p2);
  const needed = samplesPerArm(h, alpha, target);
  const mde = mdeTwoProportions(p1, n, alpha, target);
  const fisherN = Math.min(n, 40);
  const closedForm = {
    cohenH: h,
    powerArcsine: powerArcsine(h, n, alpha),
    powerNormalPooled: powerPooledZ(p1, p2, n, alpha),
    fisherN,
  };
  const solved = tolerance.field('solved');
  const missesWithH = (root: number) => powerArcsine(root, n, alpha) - target;
  return [
    ...Object.entries(closedForm).flatMap(([name, value]) =>
      compare(name, value, expected[name]!, tolerance.field('closedForm')),
    ),
    ...compareRoot(
      'nPerArmArcsine',
      needed,
      expected.nPerArmArcsine,
      solved,
      (root) => powerArcsine(h, root, alpha) - target,
    ),
    ...compare('nPerArmArcsineCeil', Math.ceil((needed ?? NaN) - 1e-9), expected.nPerArmArcsineCeil!, solved),
    ...compareRoot('mdeH', mde.h, expected.mdeH, solved, missesWithH),
    ...compareRoot('mdeP2', mde.p2, expected.mdeP2, solved, (root) => missesWithH(cohenH(p1, root))),
    ...compare(
      'fisherExactPower',
      powerFisher(p1, p2, fisherN, fisherN, alpha),
      expected.fisherExactPower!,
      tolerance.field('fisher'),
    ),
  ];
}

export const check: Check = (input, expected, tolerance) => {
  if (input.kind === 'twoProportions') return twoProportions(input, expected, tolerance);
  const alpha = readNumber(input.alpha);
  const fractions = readNumbers(input.fractions);
  if (input.kind === 'spending') return compare('', spendingPlan(alpha, fractions), expected, tolerance);
  if (input.kind === 'sequence') {
    const { adjustedP, ...rest } = sequentialTest(readNumbers(input.p), alpha, fractions);
    return compare('', { ...rest, weightedBonferroniP: adjustedP }, expected, tolerance);
  }
  return [`kind ${input.kind as string} is not known`];
};
