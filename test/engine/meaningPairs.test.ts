import { afterAll, beforeAll, expect, it } from 'vitest';
import { SHIPPED_ENCODER } from '../../src/report/encoderCheck';
import { openBench, type Bench } from './checkRun';
import { CHANGED, PARAPHRASES } from './meaningPairs';

let bench: Bench;
beforeAll(async () => {
  bench = await openBench();
});
afterAll(() => bench.close());

async function cosines(pairs: readonly (readonly [string, string])[]): Promise<number[]> {
  const { vectors, dim } = await bench.embedder.embed(pairs.flat(), { signal: AbortSignal.timeout(60_000) });
  return pairs.map((_, i) => {
    let sum = 0;
    for (let d = 0; d < dim; d++) sum += vectors[2 * i * dim + d]! * vectors[(2 * i + 1) * dim + d]!;
    return sum;
  });
}

/** Errors of calling pairs below a threshold different, at the threshold that makes the fewest. */
function fewestErrors(paraphrases: number[], changed: number[]) {
  return [...paraphrases, ...changed, 2]
    .map((threshold) => ({
      calledDifferent: paraphrases.filter((cosine) => cosine < threshold).length,
      missed: changed.filter((cosine) => cosine >= threshold).length,
    }))
    .reduce((best, next) =>
      next.calledDifferent + next.missed < best.calledDifferent + best.missed ? next : best,
    );
}

it('objection 2 of DBPA: how far the encoder keeps meaning is measured on pairs, and stated in the report as measured', async () => {
  const [paraphrases, changed] = [await cosines(PARAPHRASES), await cosines(CHANGED)];
  expect({
    id: bench.embedder.id,
    paraphrases: PARAPHRASES.length,
    changed: CHANGED.length,
    ...fewestErrors(paraphrases, changed),
    nearerThanTypicalParaphrase: changed.filter((cosine) => cosine > medianOf(paraphrases)).length,
  }).toEqual(SHIPPED_ENCODER);
});

const medianOf = (values: number[]) => {
  const sorted = [...values].sort((a, b) => a - b);
  return (sorted[sorted.length / 2 - 1]! + sorted[sorted.length / 2]!) / 2;
};
