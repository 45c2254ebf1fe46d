import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Reply } from '../../src/engine/ports';
import type { RunEvent } from '../../src/engine/events';
import { checkRun, openBench, type Bench } from './checkRun';
import { fakeModel, type FakeAnswer } from './fakeModel';

const TEXT = 'Name a colour. Answer with one word.';
const colours = ['Red', 'Blue', 'Green', 'Yellow', 'Black'];
const noisy: FakeAnswer = (_prompt, seed) => colours[seed % 5]!;

let bench: Bench;
beforeAll(async () => {
  bench = await openBench();
});
afterAll(() => bench.close());

/** One change gives other answers than all others do. */
async function withCulprit(): Promise<FakeAnswer> {
  const { perturbations } = await checkRun(bench, fakeModel(noisy), { text: TEXT, options: { samples: 4 } });
  const culprit = perturbations[1]!.text;
  return (prompt, seed, given) =>
    prompt === culprit
      ? ['A dog', 'Some old cat', 'The horse of my uncle'][seed % 3]!
      : noisy(prompt, seed, given);
}

describe('a check with several looks', () => {
  it('asks no more for a change that is decided, and says what that saved', async () => {
    const events: RunEvent[] = [];
    const record = await checkRun(bench, fakeModel(await withCulprit(), { batch: 3 }), {
      text: TEXT,
      options: { looks: 3 },
      onEvent: (event) => events.push(event),
    });
    const culprit = record.perturbations[1]!.id;
    const count = (id: string) => record.samples.filter(({ conditionId }) => conditionId === id).length;
    expect(record.state).toBe('complete');
    expect(count('baseline')).toBe(20);
    expect(count(culprit)).toBe(8);
    expect(record.sequential).toMatchObject({ sizes: [8, 14, 20], savedCalls: 12 });
    expect(record.actual.calls).toBe(record.plan.calls - 12);
    const changed = record.comparisons.filter(({ verdict }) => verdict === 'changed');
    expect(changed.map(({ perturbationId }) => perturbationId)).toEqual([culprit]);
    expect(changed[0]).toMatchObject({ n0: 8, n1: 8 });
    expect(record.comparisons.filter(({ n1 }) => n1 === 20)).toHaveLength(record.comparisons.length - 1);
    expect(events.filter(({ type }) => type === 'look')).toHaveLength(3);
    // Blocks: no answer of the second before the last of the first.
    const first = record.samples.slice(0, record.conditions.length * 8);
    expect(first.every(({ index }) => index < 8)).toBe(true);
    // The same looks can be read back, and none of their p lies above what they became.
    expect(await bench.store.read(record.id)).toEqual(record);
  });

  it('ends when every change is decided', async () => {
    const baseline = TEXT;
    const model = fakeModel((prompt, seed) =>
      prompt === baseline ? colours[seed % 5]! : ['A dog', 'Some old cat', 'The horse'][seed % 3]!,
    );
    const record = await checkRun(bench, model, { text: TEXT, options: { looks: 3 } });
    expect(record.sequential!.looks).toHaveLength(1);
    expect(record.samples).toHaveLength(record.conditions.length * 8);
    expect(record.comparisons.every(({ verdict }) => verdict === 'changed')).toBe(true);
  });

  it('gives the same numbers from the same answers, in whatever order and batches they come', async () => {
    const first = await checkRun(bench, fakeModel(await withCulprit()), {
      text: TEXT,
      options: { looks: 3 },
    });
    const kept = new Map(first.samples.map((sample) => [sample.seed, sample.text]));
    const replay = fakeModel((_prompt, seed): Partial<Reply> => ({ text: kept.get(seed)! }), {
      batch: 5,
      concurrency: 3,
    });
    const second = await checkRun(bench, replay, { text: TEXT, options: { looks: 3 } });
    expect(second.comparisons).toEqual(first.comparisons);
    expect(second.sequential).toEqual(first.sequential);
    expect(second.noiseFloor).toEqual(first.noiseFloor);
    expect(second.mde).toEqual(first.mde);
  });

  it('tests whole blocks only when it is stopped, and goes on to the same end', async () => {
    const answer = await withCulprit();
    const whole = await checkRun(bench, fakeModel(answer), { text: TEXT, options: { looks: 3 } });
    const controller = new AbortController();
    let came = 0;
    const cut = await checkRun(bench, fakeModel(answer), {
      text: TEXT,
      options: { looks: 3 },
      signal: controller.signal,
      onEvent: (event) => {
        if (event.type === 'sample' && ++came === 40) controller.abort();
      },
    });
    expect(cut.state).toBe('cancelled');
    expect(cut.sequential!.looks).toEqual(whole.sequential!.looks.slice(0, 1));
    expect(cut.comparisons.every(({ n0 }) => n0 === 8)).toBe(true);
    expect(cut.conclusion.warnings.join(' ')).toContain('stopped before their look');
    const asked: number[] = [];
    const resumed = await checkRun(
      bench,
      fakeModel((prompt, seed, given) => {
        asked.push(seed);
        return answer(prompt, seed, given);
      }),
      { text: TEXT, options: { looks: 3 }, kept: cut.samples },
    );
    expect(asked).toHaveLength(whole.samples.length - cut.samples.length);
    expect(resumed.comparisons).toEqual(whole.comparisons);
    expect(resumed.sequential).toEqual(whole.sequential);
  });

  it('claims nothing when it is stopped before its first look', async () => {
    const controller = new AbortController();
    const record = await checkRun(bench, fakeModel(noisy), {
      text: TEXT,
      options: { looks: 2 },
      signal: controller.signal,
      onEvent: (event) => event.type === 'sample' && controller.abort(),
    });
    expect(record.comparisons.every(({ verdict, p }) => verdict === 'undecided' && p === null)).toBe(true);
    expect(record.comparisons[0]!.undecided!.explanation).toContain('first look');
  });
});
