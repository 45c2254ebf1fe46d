import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createComparisons, type ComparisonRequest } from '../../src/compose/comparisons';
import { compareRecordSchema, type CompareRecord } from '../../src/contracts/compareRecord';
import { compareViewSchema } from '../../src/contracts/compareView';
import { UserError } from '../../src/contracts/userError';
import type { Model } from '../../src/engine/ports';
import { compareMarkdown } from '../../src/report/compareMarkdown';
import { compareView } from '../../src/report/compareView';
import { createCompareStore } from '../../src/store/compareStore';
import { openBench, type Bench } from './checkRun';
import { fakeModel, type FakeAnswer } from './fakeModel';

const PROMPT =
  'You are a careful reader. Decide whether the review is positive or negative. Answer with one word only.\n\nReview: The soup was cold, but do not worry.';

/** The same two words by seed, whatever the prompt is. */
const steady: FakeAnswer = (_, seed) => (seed % 4 === 0 ? 'Positive' : 'Negative');
/** Goes to other words as soon as anything but the given prompt is asked. */
const shaky: FakeAnswer = (prompt, seed) =>
  prompt === PROMPT ? steady(prompt, seed, 0) : seed % 4 === 0 ? 'The weather is fine today.' : 'Paris';
const constant: FakeAnswer = () => 'Negative';

let bench: Bench;
beforeAll(async () => {
  bench = await openBench();
});
afterAll(() => bench.close());

let nowMs = Date.UTC(2026, 0, 1);
const log: string[] = [];
function comparisonsOf(models: Record<string, FakeAnswer | UserError>) {
  const openModel = (id: string): Promise<Model> => {
    log.push(`open ${id}`);
    const answer = models[id]!;
    if (answer instanceof UserError) return Promise.reject(answer);
    const model = fakeModel((prompt, seed, given) => {
      log.push(id);
      return answer(prompt, seed, given);
    });
    return Promise.resolve({
      ...model,
      id,
      open: async (signal) => ({
        ...(await model.open(signal)),
        id,
        resolved: id,
        digest: `digest of ${answer.name}`,
      }),
      close: async () => {
        log.push(`close ${id}`);
      },
    });
  };
  return createComparisons({
    clock: { nowMs: () => (nowMs += 1) },
    versions: {},
    store: bench.store,
    comparisons: createCompareStore({ cacheDir: bench.cacheDir }),
    speeds: { runsOf: () => Promise.resolve([]), learn: () => Promise.resolve() },
    embedders: () => [bench.embedder],
    tester: bench.tester,
    providerOf: () => 'local',
    priceOf: () => null,
    openModel,
  });
}

async function compare(
  models: Record<string, FakeAnswer | UserError>,
  given: Partial<ComparisonRequest> & { signal?: AbortSignal; onSample?: (count: number) => void } = {},
): Promise<CompareRecord> {
  const { signal, onSample, ...request } = given;
  log.length = 0;
  let samples = 0;
  const comparisons = comparisonsOf(models);
  const prepared = await comparisons.prepare({
    prompts: [{ text: PROMPT, source: null, variables: {} }],
    modelIds: Object.keys(models),
    reference: null,
    seed: 3,
    limit: 8,
    reproduce: (seed) => `evenkeel compare - --seed ${seed}`,
    ...request,
    options: { permutations: 999, samples: 12, ...request.options },
  });
  const record = await comparisons.run(prepared, {
    signal: signal ?? new AbortController().signal,
    onEvent: (event) => {
      if (event.type === 'sample') onSample?.((samples += 1));
    },
  });
  expect(compareRecordSchema.parse(JSON.parse(JSON.stringify(record)))).toEqual(record);
  expect(compareViewSchema.parse(compareView(record))).toEqual(compareView(record));
  expect(await comparisons.read(record.id)).toEqual(record);
  return record;
}

describe('comparing models', () => {
  it('finds the steadier one, and says by how much', async () => {
    const record = await compare({ 'local:rock': steady, 'local:reed': shaky });
    const [pair] = record.pairs;
    expect(pair).toMatchObject({ relation: 'firstSteadier', first: 0, second: 1 });
    expect(pair!.difference.adjustedP).toBeLessThan(0.001);
    expect(pair!.discordant).toMatchObject({
      both: 0,
      onlyFirst: 0,
      onlySecond: 8,
      neither: 0,
      p: 2 / 2 ** 8,
    });
    // Both answer the unchanged prompt in the same way.
    expect(pair!.swap!.p).toBeGreaterThan(0.05);
    expect(record.models.map(({ moved }) => moved.count)).toEqual([0, 8]);
    const view = compareView(record);
    expect(view.headline.sentence).toMatch(/^Steadier: rock\./);
    expect(view.models.map(({ name }) => name)).toEqual(['rock', 'reed']);
    expect(view.matrix.map(({ row, state }) => [row, state])).toEqual([
      [0, 'steadier'],
      [1, 'lessSteady'],
    ]);
    expect(compareMarkdown(view)).toContain('| rock | – | steadier (p \\< 0.001) |');
  });

  it('asks one model after the other, each opened and closed once', async () => {
    await compare({ 'local:a': steady, 'local:b': steady, 'local:c': steady }, { options: { samples: 4 } });
    const asked = log.filter((line) => line.startsWith('local:'));
    expect(asked).toEqual([...asked].sort());
    expect(log.filter((line) => /^(open|close)/.test(line))).toEqual(
      ['a', 'b', 'c'].flatMap((id) => [`open local:${id}`, `close local:${id}`]),
    );
  });

  it('keeps every model’s answers as runs of their own', async () => {
    const record = await compare({ 'local:a': steady, 'local:b': shaky });
    for (const [index, { runs }] of record.models.entries()) {
      const run = await bench.store.read(runs[0]!);
      expect(run.model.id).toBe(['local:a', 'local:b'][index]);
      expect(run.samples).toHaveLength(9 * 12);
    }
    const ids = (await bench.store.list()).map(({ id }) => id);
    expect(ids).toContain(record.models[0]!.runs[0]);
    expect(ids).not.toContain(record.id);
  });

  it('two that are the same are no different, and the same weights are called so', async () => {
    const record = await compare({ 'local:a': steady, 'local:b': steady });
    expect(['tied', 'undecided']).toContain(record.pairs[0]!.relation);
    expect(record.pairs[0]!.swap).toMatchObject({ sameDigest: true });
    expect(record.pairs[0]!.swap!.adjustedP).toBeGreaterThan(0.05);
    expect(compareView(record).pairs[0]!.behaviour).toContain('the same weights');
  });

  it('where no answer ever varies there is no chance and no p: equal movement is a tie', async () => {
    const record = await compare(
      { 'local:a': constant, 'local:b': constant },
      { options: { temperature: 0 } },
    );
    expect(record.pairs[0]).toMatchObject({
      relation: 'tied',
      difference: { mean: 0, p: null, adjustedP: null },
    });
    expect(compareView(record).headline.word).toBe('Tied');
  });

  it('with a reference only pairs with it are tested for how they behave', async () => {
    const record = await compare(
      { 'local:a': steady, 'local:b': steady, 'local:c': shaky },
      { reference: 'local:b' },
    );
    expect(record.pairs.map(({ first, second, swap }) => [first, second, swap !== null])).toEqual([
      [1, 0, true],
      [1, 2, true],
      [0, 2, false],
    ]);
  });

  it('several prompts: every change of every prompt is an item', async () => {
    const prompts = [PROMPT, 'Name a colour that goes well with blue. Answer in one word only.'].map(
      (text) => ({
        text,
        source: null,
        variables: {},
      }),
    );
    const record = await compare({ 'local:a': steady, 'local:b': constant }, { prompts, limit: 4 });
    expect(record.items.map(({ prompt }) => prompt)).toEqual([0, 0, 0, 0, 1, 1, 1, 1]);
    expect(record.models[0]!.runs).toHaveLength(2);
    expect(record.pairs[0]!.swap!.effects).toHaveLength(2);
  });
});

describe('when something goes wrong', () => {
  const down = new UserError('serverUnreachable', 'Nothing answers there.', 'Start it.');

  it('a model that cannot be asked is named, and the others are compared', async () => {
    const record = await compare({ 'local:a': steady, 'local:b': down, 'local:c': shaky });
    expect(record.state).toBe('complete');
    expect(record.models[1]).toMatchObject({
      problem: 'Nothing answers there.',
      movement: null,
      identity: null,
    });
    expect(record.pairs).toHaveLength(1);
    expect(compareView(record).notes).toEqual(['b is not compared. Nothing answers there.']);
    expect(compareView(record).models.at(-1)!.name).toBe('b');
  });

  it('with one model left nothing is compared', async () => {
    const record = await compare({ 'local:a': steady, 'local:b': down });
    expect(record.state).toBe('failed');
    expect(record.pairs).toEqual([]);
    expect(compareView(record).headline.sentence).toMatch(/^Failed: fewer than two.*Nothing answers there\./);
  });

  it('stopped: what had been finished is compared, and its answers are kept', async () => {
    const stop = new AbortController();
    const record = await compare(
      { 'local:a': steady, 'local:b': shaky, 'local:c': steady },
      { signal: stop.signal, onSample: (count) => count === 9 * 12 * 2 + 20 && stop.abort() },
    );
    expect(record.state).toBe('cancelled');
    expect(record.pairs.map(({ first, second }) => [first, second])).toEqual([[0, 1]]);
    expect(record.models[2]!.problem).toContain('stopped');
    expect(compareView(record).notes[0]).toContain('stopped before its end');
  });

  it.each([
    ['one model', { modelIds: ['local:a'] }, /cannot be compared/],
    ['the same twice', { modelIds: ['local:a', 'local:a'] }, /named twice/],
    [
      'a reference that is none of them',
      { modelIds: ['local:a', 'local:b'], reference: 'local:c' },
      /not among/,
    ],
    ['a margin of nothing', { modelIds: ['local:a', 'local:b'], margin: 0 }, /margin is 0/],
  ])('%s is refused', async (_, request, words) => {
    const comparisons = comparisonsOf({});
    await expect(
      comparisons.prepare({
        prompts: [{ text: PROMPT, source: null, variables: {} }],
        reference: null,
        seed: 1,
        reproduce: () => '',
        ...request,
      }),
    ).rejects.toThrow(words);
  });
});
