/** 13: Algorithm C (plans, tests, power) and the conformal composite null. */
import {
  algorithmC,
  averagePowerGeneral,
  idealRejection,
  rejectionProbability,
} from '../../../src/stats/algorithmC';
import {
  pilotInterval,
  planAlgorithmC,
  shrinkingEta,
  type AlgorithmCInput,
  type AlgorithmCVariant,
  type PlanRow,
} from '../../../src/stats/algorithmCPlan';
import { conformalBinary, conformalCategorical } from '../../../src/stats/conformal';
import {
  compare,
  readMatrix,
  readNumber,
  readNumbers,
  type Check,
  type Json,
  type JsonObject,
  type Tolerance,
} from '../topic';

const reasons = {
  epsilonMaxBelowEta: 'epsilonMax below eta',
  budget: 'no grid value satisfies the size bound with epsilonPlus <= epsilonMax',
};
const inFileTerms = (row: PlanRow | null) => row && { ...row, H: row.averagePower };

/** A plan in the file's terms; the file cuts its grid to the first rows. */
function plan(input: AlgorithmCInput, expected: JsonObject, tolerance: Tolerance): string[] {
  const result = planAlgorithmC(input);
  const kept = (expected.grid as Json[]).length;
  const actual = {
    ...result,
    reason: result.feasible ? null : reasons[result.reason],
    gridSize: result.grid.length,
    grid: result.grid.slice(0, kept).map(inFileTerms),
    gridTruncated: result.grid.length > kept,
    chosen: inFileTerms(result.chosen),
  };
  return compare(input.variant ?? '', actual, expected, tolerance);
}

function plans(input: AlgorithmCInput, expected: JsonObject, tolerance: Tolerance): string[] {
  return Object.entries(expected).flatMap(([variant, wanted]) =>
    plan({ ...input, variant: variant as AlgorithmCVariant }, wanted as JsonObject, tolerance),
  );
}

type Kind = (
  input: JsonObject,
  expected: JsonObject,
  tolerance: Tolerance,
  number: (name: string) => number,
) => string[];

const kinds: Record<string, Kind> = {
  plan: (_input, expected, tolerance, number) =>
    plans(
      { a: number('a'), b: number('b'), alpha: number('alpha'), budget: number('nu'), eta: number('eta') },
      expected,
      tolerance,
    ),

  dataset: (input, expected, tolerance, number) => {
    const pHat = readNumbers(input.pilotCounts).map((count) => count / number('pilotResponses'));
    const { a, b, c, width } = pilotInterval(pHat);
    const { statistic, ...test } = algorithmC({
      nullCounts: readNumbers(input.nullCounts),
      testCount: number('testCount'),
      responses: number('responses'),
      epsilon: number('epsilon'),
    });
    return [
      ...compare('pilot', { pHat, width, aHat: a, bHat: b, c }, expected.pilot!, tolerance),
      ...compare('test', { ...test, T: statistic }, expected.test!, tolerance),
      ...plans(
        { a, b, alpha: number('alpha'), budget: number('nu'), eta: number('eta') },
        expected.plans as JsonObject,
        tolerance,
      ),
    ];
  },

  ideal: (_input, expected, tolerance, number) => {
    const { a, b, epsilon, m, outsideBy } = {
      a: number('a'),
      b: number('b'),
      epsilon: number('epsilon'),
      m: number('m'),
      outsideBy: number('outsideBy'),
    };
    const at = (p: number) => idealRejection({ a, b, epsilon, m, p });
    const actual = {
      sizeAtEnd: at(a),
      sizeInside: at((a + b) / 2),
      powerOutside: at(a - outsideBy),
      averagePower: averagePowerGeneral(a, b, epsilon, m),
    };
    return compare('', actual, expected, tolerance);
  },

  averagePowerGeneral: (_input, expected, tolerance, number) =>
    compare(
      '',
      { averagePower: averagePowerGeneral(number('a'), number('b'), number('epsilonPlus'), number('m')) },
      expected,
      tolerance,
    ),

  powerAtFixedP: (_input, expected, tolerance, number) => {
    const shared = { a: number('a'), b: number('b'), alpha: number('alpha'), budget: number('nu') };
    const shrunk = shrinkingEta(number('eta0'), number('nu0'), number('nu'));
    const designs: Record<string, [number, AlgorithmCVariant]> = {
      fixedGrid: [number('eta0'), 'methods'],
      shrinkingGrid: [shrunk, 'methods'],
      shrinkingGridSmallestFeasibleM: [shrunk, 'smallestFeasibleM'],
    };
    return Object.entries(expected).flatMap(([name, raw]) => {
      const wanted = raw as JsonObject;
      const design = designs[name];
      if (!design) return [`design ${name} is not known`];
      const { chosen } = planAlgorithmC({ ...shared, eta: design[0], variant: design[1] });
      if (chosen === null) return [`${name}: not feasible`];
      const { epsilon, m, r, threshold } = chosen;
      const power = (limit: number, pPrime: number) =>
        rejectionProbability({ a: shared.a, b: shared.b, m, r, threshold: limit, pPrime });
      const powers = {
        powerPaperThreshold: power(epsilon, number('pPrime')),
        powerGuarded: power(threshold, number('pPrime')),
        sizeGuardedAtA: power(threshold, shared.a),
      };
      return [
        ...Object.entries({ epsilon, m, r, threshold }).flatMap(([key, value]) =>
          compare(`${name}.${key}`, value, wanted[key]!, tolerance.field('plan')),
        ),
        ...Object.entries(powers).flatMap(([key, value]) =>
          compare(`${name}.${key}`, value, wanted[key]!, tolerance.field('power')),
        ),
      ];
    });
  },

  conformal: (input, expected, tolerance, number) => {
    const counts = {
      nullCounts: readNumbers(input.nullCounts),
      testCount: number('testCount'),
      responses: number('responses'),
    };
    const actual = {
      median: conformalBinary(counts, 'atypical'),
      nearest: conformalBinary(counts, 'unlikeAny'),
    };
    return compare('', actual, expected, tolerance);
  },

  conformalCategorical: (input, expected, tolerance) =>
    compare(
      '',
      conformalCategorical({
        nullCounts: readMatrix(input.nullCounts),
        testCounts: readNumbers(input.testCounts),
      }),
      expected,
      tolerance,
    ),

  check: (_input, expected, tolerance, number) => {
    const [a, b, alpha] = [number('a'), number('b'), number('alpha')];
    const rowAt = (eta: number) => {
      const { grid } = planAlgorithmC({ a, b, alpha, budget: 1e6, eta, variant: 'methods' });
      return grid[0]!;
    };
    const wide = rowAt(0.05);
    const narrow = rowAt(0.005);
    const actual = {
      m005: wide.m,
      size005: wide.idealSize,
      idealPower005: wide.idealPower,
      m0005: narrow.m,
      powerHalfEps0005: idealRejection({ a, b, epsilon: 0.005, m: narrow.m, p: a - 0.0025 }),
      size0005: narrow.idealSize,
      slack0005: alpha - narrow.idealSize,
    };
    return compare('', actual, expected, tolerance);
  },
};

export const check: Check = (input, expected, tolerance) => {
  const kind = kinds[input.kind as string];
  if (!kind) return [`kind ${input.kind as string} is not known`];
  return kind(input, expected, tolerance, (name) => readNumber(input[name]));
};
