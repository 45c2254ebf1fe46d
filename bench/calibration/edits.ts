/** What a check of an edit rests on beside the difference test: the test against rewordings, and the alarm for drift. */
import { compositeTest } from '../../src/stats/compositeTest';
import { driftTest } from '../../src/stats/driftTest';
import { clustered, discrete, gaussian, pool, type Source } from './arms';
import type { Cell } from './study';

const REWORDINGS = 19;
const ANSWERS = 6;

export function editCells(): Cell[] {
  return [
    compositeCell('free text, a place of its own per query', (place) => gaussian(1, place)),
    compositeCell('few answers with labels, all queries alike', () => discrete),
    compositeCell('three clusters, all queries alike', () => clustered),
    driftCell('each answer at a time of its own', (i) => i),
    driftCell('four answers at a time', (i) => Math.floor(i / 4)),
  ];
}

/** The edit is one more reworded query: every query draws its place from one distribution. */
function compositeCell(shape: string, sourceAt: (place: number) => Source): Cell {
  return {
    study: 'composite null, test of an edit',
    shape,
    size: `m = ${REWORDINGS}, r = ${ANSWERS}`,
    methods: [
      { name: 'atypical', role: 'size' },
      { name: 'unlike any', role: 'size' },
    ],
    alphas: [0.05],
    simulate: (rng) => {
      const queries = Array.from({ length: REWORDINGS + 1 }, () => {
        const source = sourceAt(0.5 * rng.unit());
        return pool(ANSWERS, 0, source, source, rng);
      });
      const dim = queries[0]!.dim;
      const vectors = Float32Array.from(queries.flatMap((query) => Array.from(query.vectors)));
      const input = {
        outputs: queries.map(() => ANSWERS),
        embeddings: [{ embedder: 'e', dim, vectors }],
        texts: queries.flatMap(({ strings }) => strings),
        labels: queries.flatMap(({ labels }) => labels),
        alpha: 0.05,
      };
      return (['atypical', 'unlikeAny'] as const).map((reading) => compositeTest({ ...input, reading }).p);
    },
  };
}

function driftCell(shape: string, timeOf: (index: number) => number): Cell {
  const n = 20;
  return {
    study: 'drift within a run',
    shape,
    size: `n = ${n}`,
    methods: [{ name: 'Mantel test, 999 permutations', role: 'size' }],
    alphas: [0.05, 0.01],
    simulate: (rng, seed) => {
      const { vectors, dim } = pool(n, 0, gaussian(), gaussian(), rng);
      const times = Array.from({ length: n }, (_, i) => timeOf(i));
      return [driftTest({ times, vectors: Float32Array.from(vectors), dim, permutations: 999, seed }).p ?? 1];
    },
  };
}
