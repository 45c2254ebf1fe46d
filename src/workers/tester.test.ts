import { build } from 'esbuild';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { differenceTest, type DifferenceTestInput } from '../stats/differenceTest';
import { createRng } from '../stats/rng';
import { createTester } from './tester';

const folder = mkdtempSync(path.join(tmpdir(), 'evenkeel-tester-'));
const workerPath = path.join(folder, 'statsWorker.cjs');

beforeAll(async () => {
  await build({
    entryPoints: [path.join(import.meta.dirname, 'statsWorker.ts')],
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node20',
    outfile: workerPath,
  });
});
afterAll(() => rmSync(folder, { recursive: true }));

function input(k: number, permutations: number, seed = 1): DifferenceTestInput {
  const rng = createRng(seed, 'vectors');
  const dim = 8;
  const vectors = Float64Array.from({ length: 2 * k * dim }, () => rng.unit() - 0.4);
  return {
    n0: k,
    n1: k,
    embeddings: [{ embedder: 'e', dim, vectors }],
    permutations,
    bins: 30,
    bootstrapDraws: 200,
    confidence: 0.95,
    seed,
  };
}
const never = () => new AbortController().signal;

describe('createTester', () => {
  it('gives what the function gives, whatever the number of threads', async () => {
    const inputs = [1, 2, 3, 4].map((seed) => input(10, 999, seed));
    const expected = inputs.map((each) => differenceTest(each));
    for (const workers of [1, 3]) {
      const tester = createTester({ workerPath, workers });
      const results = await Promise.all(
        inputs.map((each) => tester.differenceTest(each, { signal: never() })),
      );
      await tester.close();
      expect(results).toEqual(expected);
    }
  });

  it('runs noise floor and minimum detectable effect', async () => {
    const tester = createTester({ workerPath });
    const baseline = { ...input(10, 999), n1: 0 };
    baseline.embeddings[0]!.vectors = baseline.embeddings[0]!.vectors.subarray(0, 80);
    const floor = await tester.noiseFloor(baseline, { signal: never() });
    const mde = await tester.minimumDetectable(
      { ...baseline, comparisons: 2, alpha: 0.05 },
      { signal: never() },
    );
    await tester.close();
    expect(floor!.draws).toBe(252);
    expect(mde!.share).toBeGreaterThan(0);
  });

  it('reports progress in ascending shares', async () => {
    const tester = createTester({ workerPath });
    const shares: number[] = [];
    await tester.differenceTest(input(20, 9999), {
      signal: never(),
      onProgress: (share) => shares.push(share),
    });
    await tester.close();
    expect(shares.length).toBeGreaterThan(5);
    expect(shares).toEqual([...shares].sort((a, b) => a - b));
    expect(shares.at(-1)).toBeLessThanOrEqual(1);
  });

  it('rejects with the reason of the signal and goes on with the next task', async () => {
    const tester = createTester({ workerPath });
    const controller = new AbortController();
    const endless = tester.differenceTest(input(60, 50_000_000), {
      signal: controller.signal,
      onProgress: () => controller.abort(new Error('enough')),
    });
    const next = tester.differenceTest(input(6, 99), { signal: never() });
    const queued = new AbortController();
    const dropped = tester.differenceTest(input(6, 99), { signal: queued.signal });
    queued.abort(new Error('not needed'));
    setTimeout(() => controller.abort(new Error('enough')), 100);
    await expect(dropped).rejects.toThrow('not needed');
    await expect(endless).rejects.toThrow('enough');
    expect((await next).state).toBe('tested');
    await tester.close();
  });

  it('refuses a signal that is aborted already, and work after close', async () => {
    const tester = createTester({ workerPath });
    await expect(
      tester.differenceTest(input(6, 99), { signal: AbortSignal.abort(new Error('gone')) }),
    ).rejects.toThrow('gone');
    await tester.close();
    await expect(tester.differenceTest(input(6, 99), { signal: never() })).rejects.toThrow('closed');
  });

  it('passes wrong arguments on as RangeError', async () => {
    const tester = createTester({ workerPath });
    const wrong = tester.differenceTest({ ...input(6, 99), bins: 1 }, { signal: never() });
    await expect(wrong).rejects.toThrow(RangeError);
    await expect(wrong).rejects.toThrow('bins');
    await tester.close();
  });

  it('fails the task when the worker cannot start', async () => {
    const tester = createTester({ workerPath: path.join(folder, 'missing.cjs') });
    await expect(tester.differenceTest(input(6, 99), { signal: never() })).rejects.toThrow('missing.cjs');
    await tester.close();
  });
});
