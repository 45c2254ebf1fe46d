/** Caps are hard, and a measurement that cannot be trusted claims nothing. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Model } from '../../src/engine/ports';
import { headline } from '../../src/report/sentences';
import { checkRun, openBench, type Bench } from './checkRun';
import { fakeModel, type FakeAnswer } from './fakeModel';

const TEXT = 'Is the review positive or negative? Answer with one word.\nReview: The food was cold.';
const noisy: FakeAnswer = (_prompt, seed) => ['negative', 'Negative.', 'It is negative'][seed % 3]!;
const PRICE = { inPerMillion: 1_000, outPerMillion: 1_000, asOf: null, source: 'test' };

let bench: Bench;
beforeAll(async () => {
  bench = await openBench();
});
afterAll(() => bench.close());

describe('a cap: hard, and never a forecast (blastproof #27)', () => {
  it.each([1, 4, 16])('on calls is never passed, with %i requests side by side', async (concurrency) => {
    let asked = 0;
    const model = fakeModel(
      (prompt, seed, given) => {
        asked += 1;
        return noisy(prompt, seed, given);
      },
      { concurrency },
    );
    const record = await checkRun(bench, model, { text: TEXT, options: { budget: { calls: 30 } } });
    expect(asked).toBe(30);
    expect(record.samples).toHaveLength(30);
    expect(record).toMatchObject({ state: 'cancelled', error: { code: 'budgetReached' } });
    expect(headline(record).sentence).toMatch(
      /^Cancelled: The budget of 30 calls is used up\. 30 of 80 answers/,
    );
  });

  it('on tokens and on money ends a run before they are passed', async () => {
    for (const budget of [{ tokens: 600 }, { usd: 0.6 }]) {
      const model = fakeModel(noisy);
      const record = await checkRun(bench, model, { text: TEXT, options: { budget }, price: PRICE });
      expect(record.error?.code).toBe('budgetReached');
      const spent = (record.actual.promptTokens ?? 0) + (record.actual.completionTokens ?? 0);
      expect(spent).toBeLessThanOrEqual(600);
      expect(spent).toBeGreaterThan(400);
      expect(record.actual.priceUsd).toBeCloseTo(spent / 1_000, 9);
    }
  });

  it('on time ends a run, and what had come is tested as far as it goes', async () => {
    const model = fakeModel(noisy);
    const slow: Model = {
      ...model,
      sample: async (request) => {
        await new Promise((resolve) => setTimeout(resolve, 20));
        return model.sample(request);
      },
    };
    const record = await checkRun(bench, slow, { text: TEXT, options: { budget: { seconds: 0.4 } } });
    expect(record.error?.message).toBe('The budget of 0.4 seconds is used up.');
    expect(record.samples.length).toBeGreaterThan(3);
    expect(record.samples.length).toBeLessThan(40);
  });

  it('that is wide enough changes nothing, and what was spent stands beside the plan (blastproof #27)', async () => {
    const record = await checkRun(bench, fakeModel(noisy), {
      text: TEXT,
      options: { budget: { calls: 80 } },
    });
    expect(record).toMatchObject({ state: 'complete', error: null });
    expect([record.plan.calls, record.actual.calls]).toEqual([80, 80]);
    expect(record.actual.completionTokens).toBeLessThanOrEqual(record.plan.completionTokensAtMost);
  });
});

describe('a measurement that cannot be trusted', () => {
  it('claims nothing when the server changes in mid-run', async () => {
    const model = fakeModel(noisy);
    const changing: Model = {
      ...model,
      sample: (request) => {
        request.onModelChanged?.('The server changed in mid-run: a became b.');
        return model.sample(request);
      },
    };
    const record = await checkRun(bench, changing, { text: TEXT });
    expect(record.integrity?.problems).toEqual(['The server changed in mid-run: a became b.']);
    for (const { verdict, undecided } of record.comparisons) {
      expect(verdict).toBe('undecided');
      expect(undecided?.reason).toBe('compromised');
    }
    expect(record.conclusion.state).toBe('undecided');
    expect(headline(record).sentence).toContain('The server changed in mid-run');
  });

  it('claims nothing when other weights stand behind the name at the end', async () => {
    const model = fakeModel(noisy);
    const signal = new AbortController().signal;
    const before = { ...(await model.open(signal)), digest: 'aaa' };
    const pulled: Model = {
      ...model,
      open: () => Promise.resolve(before),
      identityNow: () => Promise.resolve({ ...before, digest: 'bbb' }),
    };
    const record = await checkRun(bench, pulled, { text: TEXT });
    expect(record.integrity?.problems[0]).toMatch(/changed in mid-run, from fake \(aaa\) to fake \(bbb\)/);
    expect(record.conclusion.state).toBe('undecided');
  });

  it('claims nothing when the server reads a part of the prompt only (ollama #3839, promptfoo #7505)', async () => {
    const long = `${TEXT} ${'It was a long evening. '.repeat(80)}`;
    const record = await checkRun(
      bench,
      fakeModel((_p, seed) => ({ text: `a${seed % 3}`, promptTokens: 100 })),
      {
        text: long,
      },
    );
    expect(record.integrity?.problems[0]).toContain('The server read only 100 tokens of a prompt of');
  });

  it('claims nothing when the answers to the unchanged prompt drift, and only then', async () => {
    const at = (drifts: boolean) =>
      checkRun(
        bench,
        fakeModel((_prompt, seed, given) => ({
          text: (drifts ? given > 40 : seed % 2 === 0) ? 'The moon is made of green cheese.' : 'negative',
          startedAtMs: 1_000 * given,
        })),
        { text: TEXT },
      );
    const drifted = await at(true);
    expect(drifted.integrity?.drift?.p).toBeLessThanOrEqual(0.01);
    expect(drifted.integrity?.problems[0]).toContain('drifted while the run went on');
    expect(drifted.conclusion.state).toBe('undecided');
    const steady = await at(false);
    expect(steady.integrity?.problems).toEqual([]);
  });
});
