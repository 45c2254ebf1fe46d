import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createEdits } from '../../src/compose/edits';
import { runRecordSchema, type RunRecord } from '../../src/contracts/runRecord';
import type { Model } from '../../src/engine/ports';
import { openBench, type Bench } from './checkRun';
import { fakeModel, type FakeAnswer } from './fakeModel';

const BEFORE =
  'You are a careful reader. Decide whether the review is positive or negative. Answer with one word only.\n\nReview: The soup was cold, but do not worry.';
const EDITED = BEFORE.replace('careful reader', 'strict reader');

/** What the prompt before and its rewordings are answered: two words by seed. */
const noisy = (seed: number) => (seed % 4 === 0 ? 'Positive' : 'Negative');

let bench: Bench;
beforeAll(async () => {
  bench = await openBench();
});
afterAll(() => bench.close());

let nowMs = Date.UTC(2026, 0, 1);
function checkEdit(
  answer: FakeAnswer,
  given: { edited?: string; signal?: AbortSignal; seed?: number; onSample?: (count: number) => void } = {},
): Promise<RunRecord> {
  const model: Model = fakeModel(answer);
  let samples = 0;
  const edits = createEdits({
    clock: { nowMs: () => (nowMs += 1) },
    versions: {},
    store: bench.store,
    speeds: { runsOf: () => Promise.resolve([]), learn: () => Promise.resolve() },
    embedders: () => [bench.embedder],
    tester: bench.tester,
    providerOf: () => 'local',
    priceOf: () => null,
    openModel: () => Promise.resolve(model),
    keptOf: () => Promise.resolve(0),
  });
  return edits
    .prepare({
      text: BEFORE,
      editedText: given.edited ?? EDITED,
      source: null,
      against: 'HEAD',
      variables: {},
      modelId: 'local:fake',
      writerId: null,
      seed: given.seed ?? 3,
      options: { permutations: 999 },
      reproduce: () => 'evenkeel check',
    })
    .then((prepared) =>
      edits.run(prepared, {
        signal: given.signal ?? new AbortController().signal,
        onEvent: (event) => {
          if (event.type === 'sample') given.onSample?.((samples += 1));
        },
      }),
    );
}

describe('a check of an edit', () => {
  it('asks no rewording where the edit moves nothing', async () => {
    const record = await checkEdit((_prompt, seed) => noisy(seed));
    expect(record.comparisons[0]).toMatchObject({ verdict: 'noChangeDetected' });
    expect(record.samples).toHaveLength(40);
    expect(record.conclusion.state).toBe('steady');
  });

  it('calls an edit changed that moves the answers further than any rewording does', async () => {
    const record = await checkEdit((prompt, seed) =>
      prompt.includes('strict') ? 'It depends.' : noisy(seed),
    );
    const [comparison] = record.comparisons;
    expect(comparison).toMatchObject({ verdict: 'changed', composite: { state: 'tested', p: 1 / 20 } });
    expect(record.conclusion.state).toBe('wobbles');
    expect(record.samples).toHaveLength(40 + 20 * 10);
    expect(record.samples.map(({ position }) => position)).toEqual(record.samples.map((_, i) => i));
    expect(record.conditions.filter(({ role }) => role === 'rewording')).toHaveLength(19);
    expect(record.plan).toMatchObject({ calls: 240, callsAtLeast: 40, conditions: 22 });
  });

  it('forgives an edit that moves the answers as rewordings do', async () => {
    // Every wording has a habit of its own; the prompt before is one of many.
    const habit = (prompt: string) =>
      [...prompt].reduce((sum, char) => (sum * 31 + char.codePointAt(0)!) % 97, 7) % 4;
    const words = ['Positive', 'Negative', 'Neither', 'Both'];
    const edited = [0, 1, 2, 3, 4, 5, 6, 7]
      .map((n) => BEFORE.replace('careful reader', `reader${'.'.repeat(n)}`))
      .find((text) => habit(text) !== habit(BEFORE))!;
    const record = await checkEdit(
      (prompt, seed) => (seed % 5 === 0 ? noisy(seed >> 3) : words[habit(prompt)]!),
      {
        edited,
      },
    );
    expect(record.comparisons[0]).toMatchObject({
      verdict: 'changedWithinRewordingNoise',
      composite: { state: 'tested' },
    });
    expect(record.conclusion.state).toBe('steady');
  });

  it('keeps a valid record that reads back as it was', async () => {
    const record = await checkEdit((prompt, seed) => (prompt.includes('strict') ? 'No idea' : noisy(seed)));
    expect(runRecordSchema.parse(record)).toEqual(record);
    expect(await bench.store.read(record.id)).toEqual(record);
    expect(await bench.store.readSamples(record.id)).toHaveLength(record.samples.length);
  });

  it('gives the same numbers for the same seed', async () => {
    const answer: FakeAnswer = (prompt, seed) => (prompt.includes('strict') ? 'No idea' : noisy(seed));
    const [first, second] = [await checkEdit(answer), await checkEdit(answer)];
    expect(second.comparisons).toEqual(first.comparisons);
  });

  it('is undecided when it is cancelled while the rewordings are asked, and keeps their answers', async () => {
    const stop = new AbortController();
    const record = await checkEdit((prompt, seed) => (prompt.includes('strict') ? 'No idea' : noisy(seed)), {
      signal: stop.signal,
      onSample: (count) => {
        if (count === 70) stop.abort();
      },
    });
    expect(record.state).toBe('cancelled');
    expect(record.comparisons[0]).toMatchObject({ verdict: 'undecided', undecided: { reason: 'cancelled' } });
    expect(record.samples.length).toBeGreaterThanOrEqual(70);
  });

  it('is undecided when the rewordings are not answered', async () => {
    const record = await checkEdit((prompt, seed) => {
      if (prompt.includes('strict')) return 'No idea';
      return prompt === BEFORE ? noisy(seed) : { text: '', outcome: 'empty' };
    });
    expect(record.comparisons[0]).toMatchObject({
      verdict: 'undecided',
      undecided: { reason: 'tooFewRewordings' },
    });
  });

  it('refuses two prompts that are the same', async () => {
    await expect(checkEdit(() => 'x', { edited: BEFORE })).rejects.toThrow('The two prompts are the same.');
  });
});
