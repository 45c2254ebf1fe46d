/** The difference test: every member, the omnibus, step-down, many cases, the published statistic, group-sequential looks. */
import { embedderFamily, labelMember, stringMember } from '../../src/stats/discrepancyFamily';
import { testFamily } from '../../src/stats/familyTest';
import { manyCases } from '../../src/stats/manyCases';
import { pairMatrices, unitRows } from '../../src/stats/matrices';
import { createPairKernel } from '../../src/stats/pairKernel';
import { publishedStatisticSchema } from '../../src/contracts/testOptions';
import { publishedTest } from '../../src/stats/publishedTest';
import { callsSaved, sequentialTest } from '../../src/stats/sequential';
import { createSplits } from '../../src/stats/splits';
import {
  alternatives,
  clustered,
  discrete,
  gaussian,
  nullSources,
  pool,
  type Pool,
  type Source,
} from './arms';
import type { Cell, Claim, Role } from './study';

/** (B+1)·α is whole at both levels; at k = 5 all 252 splits are enumerated. */
const PERMUTATIONS = 299;
const ALPHAS = [0.05, 0.01] as const;
const OF_EMBEDDER = ['jsd', 'energy', 'mmd0.25', 'mmd0.5', 'mmd1', 'mmd2', 'mmd4'];
const WITH_ANSWERS = [...OF_EMBEDDER, 'label', 'string'];
const kernel = createPairKernel();

/** p of every member (1 where it was dropped), of the omnibus, and the smallest step-down adjusted p. */
function familyP(
  { vectors, dim, labels, strings }: Pool,
  n0: number,
  permutations: number,
  seed: number,
  family: readonly string[],
): number[] {
  const n = labels.length;
  const { members } = embedderFamily('e', pairMatrices(unitRows(vectors, n, dim), n, dim), 30);
  if (family === WITH_ANSWERS) members.push(labelMember(labels), stringMember(strings));
  const result = testFamily({ members, splits: createSplits(n0, n - n0, permutations, seed), kernel });
  const ids = members.map(({ id }) => id.replace('e/', ''));
  const perMember = family.map((name) => {
    const index = ids.indexOf(name);
    return index < 0 || result.constant[index] ? 1 : result.p[index]!;
  });
  const { omnibus } = result;
  return [...perMember, omnibus?.p ?? 1, Math.min(1, ...(omnibus?.adjustedP ?? []))];
}

function familyCell(
  study: string,
  shape: string,
  k: number,
  role: Role,
  first: Source,
  second: Source,
  family = WITH_ANSWERS,
): Cell {
  return {
    study,
    shape,
    size: `k = ${k}`,
    methods: [...family, 'omnibus', 'step-down, any member'].map((name) => ({ name, role })),
    alphas: ALPHAS,
    simulate: (rng, seed) => familyP(pool(k, k, first, second, rng), k, PERMUTATIONS, seed, family),
  };
}

export function differenceCells(sizes: readonly number[]): Cell[] {
  const underNull = Object.entries(nullSources).flatMap(([shape, source]) =>
    sizes.map((k) => familyCell('difference test', shape, k, 'size', source, source)),
  );
  const unequal: Cell = {
    ...familyCell('difference test', 'three clusters', 0, 'size', clustered, clustered),
    size: 'arms of 6 and 20',
    simulate: (rng, seed) =>
      familyP(pool(6, 20, clustered, clustered, rng), 6, PERMUTATIONS, seed, WITH_ANSWERS),
  };
  return [...underNull, unequal, publishedCell(), manyCasesCell()];
}

/** Labels and texts are noise here, so the family is that of one embedder, as in the methods' section 1.3. */
export function powerCells(): Cell[] {
  return Object.entries(alternatives).map(([shape, source]) =>
    familyCell('power of the difference test', shape, 20, 'power', gaussian(), source, OF_EMBEDDER),
  );
}

function publishedCell(): Cell {
  const statistics = publishedStatisticSchema.options;
  return {
    study: 'published single statistic',
    shape: 'Gaussian unit vectors',
    size: 'k = 20',
    methods: statistics.map((name) => ({ name, role: 'size' as const })),
    alphas: ALPHAS,
    simulate: (rng, seed) => {
      const { vectors, dim } = pool(20, 20, gaussian(), gaussian(), rng);
      return statistics.map(
        (statistic) =>
          publishedTest({
            n0: 20,
            n1: 20,
            vectors,
            dim,
            statistic,
            permutations: 199,
            seed,
            comparisons: 1,
            bins: 30,
          }).p,
      );
    },
  };
}

/** Three cases of 4 answers, one of 6 against 8, four with a single answer per arm, each case with its own distribution. */
function manyCasesCell(): Cell {
  const arms = [
    [4, 4, gaussian(1, 0.2)],
    [4, 4, clustered],
    [4, 4, discrete],
    [6, 8, gaussian(0.5, 1)],
    ...[0.3, 0.6, 0.9, 1.2].map((angle) => [1, 1, gaussian(0.7, angle)] as const),
  ] as const;
  return {
    study: 'many cases',
    shape: 'four distributions',
    size: '8 cases',
    methods: [
      { name: 'one p for the prompt', role: 'size' },
      { name: 'per case, Holm', role: 'size' },
    ],
    alphas: ALPHAS,
    simulate: (rng, seed) => {
      const cases = arms.map(([n0, n1, source], i) => {
        const { vectors, dim, labels } = pool(n0, n1, source, source, rng);
        return { id: `${i}`, n0, n1, embeddings: [{ embedder: 'e', dim, vectors }], labels };
      });
      const result = manyCases({ cases, permutations: PERMUTATIONS, bins: 30, seed }, { kernel });
      return [result.p ?? 1, Math.min(...result.cases.map((one) => one.adjustedP ?? 1))];
    },
  };
}

const LOOKS = [8, 14, 20];
const FRACTIONS = [0.4, 0.7, 1];

/** Looks at 8, 14 and 20 against one test at 20; B is the smallest that the first look's level needs, rounded up. */
function sequentialCell(study: string, shape: string, role: Role, second: Source, stops: number[]): Cell {
  return {
    study,
    shape,
    size: 'looks at 8, 14, 20',
    methods: [
      { name: 'group-sequential', role },
      { name: 'fixed, k = 20', role },
    ],
    alphas: [0.05],
    simulate: (rng, seed) => {
      const all = pool(20, 20, gaussian(), second, rng);
      const p: number[] = [];
      for (const k of LOOKS) {
        const { [OF_EMBEDDER.length]: omnibus } = familyP(
          firstOfEachArm(all, 20, k),
          k,
          599,
          seed + k,
          OF_EMBEDDER,
        );
        p.push(omnibus!);
      }
      const { adjustedP, rejectAtLook } = sequentialTest(p, 0.05, FRACTIONS);
      stops[rejectAtLook ?? LOOKS.length - 1]!++;
      return [adjustedP, p[LOOKS.length - 1]!];
    },
  };
}

/** The cells, and what the looks saved; read the claim after the cells have run. */
export function sequentialStudy(): { cells: Cell[]; claims: () => Claim[] } {
  const shapes: [string, Role, Source][] = [
    ['Gaussian unit vectors', 'size', gaussian()],
    ...Object.entries(alternatives).map(([shape, source]): [string, Role, Source] => [
      shape,
      'power',
      source,
    ]),
  ];
  const stops = shapes.map(() => LOOKS.map(() => 0));
  const cells = shapes.map(([shape, role, source], i) =>
    sequentialCell(
      role === 'size' ? 'sequential design' : 'power of the sequential design',
      shape,
      role,
      source,
      stops[i]!,
    ),
  );
  const claims = () =>
    shapes.map(([shape], i): Claim => {
      const runs = stops[i]!.reduce((sum, count) => sum + count, 0);
      const { expected, fixed } = callsSaved({
        sizes: LOOKS,
        conditions: 2,
        stoppedAtLook: 0,
        stopProbabilities: stops[i]!.map((count) => count / runs),
      });
      return {
        study: 'calls of the sequential design',
        statement: `${shape}: takes no more calls than the fixed design`,
        figures: `${expected!.toFixed(1)} of ${fixed} calls on average`,
        holds: expected! <= fixed + 1e-9,
      };
    });
  return { cells, claims };
}

/** The first k outputs of each arm. */
function firstOfEachArm({ vectors, dim, labels, strings }: Pool, n0: number, k: number): Pool {
  const rows = [...Array.from({ length: k }, (_, i) => i), ...Array.from({ length: k }, (_, i) => n0 + i)];
  const chosen = new Float64Array(rows.length * dim);
  rows.forEach((row, i) => chosen.set(vectors.subarray(row * dim, (row + 1) * dim), i * dim));
  return {
    vectors: chosen,
    dim,
    labels: rows.map((row) => labels[row]!),
    strings: rows.map((row) => strings[row]!),
  };
}
