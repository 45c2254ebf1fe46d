import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Reply } from '../../src/engine/ports';
import { checkRun, openBench, type Bench } from './checkRun';
import { fakeModel } from './fakeModel';

const TEXT = 'Name a colour. Answer with one word.';

let bench: Bench;
beforeAll(async () => {
  bench = await openBench();
});
afterAll(() => bench.close());

it('replaying the samples of a record gives the same numbers, bit for bit, in whatever order they arrive', async () => {
  const colours = ['Red', 'Blue', 'Green', 'Yellow', 'Black'];
  const first = await checkRun(
    bench,
    fakeModel((_prompt, seed) => colours[seed % 5]!),
    { text: TEXT },
  );
  const kept = new Map(first.samples.map((sample) => [sample.seed, sample]));
  const replay = fakeModel(
    (_prompt, seed): Partial<Reply> => ({ text: kept.get(seed)!.text, outcome: 'ok' }),
    { batch: 7, concurrency: 3 },
  );
  const second = await checkRun(bench, replay, { text: TEXT });
  expect(second.comparisons).toEqual(first.comparisons);
  expect(second.noiseFloor).toEqual(first.noiseFloor);
  expect(second.mde).toEqual(first.mde);
  expect(second.conclusion).toEqual(first.conclusion);
});
