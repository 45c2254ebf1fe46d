/** Models that are scripted, so that it is known which is steadier; encoder, statistics and stores are real. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { compareRecordSchema, type ComparePlan } from '../../src/contracts/compareRecord';
import { UserError } from '../../src/contracts/userError';
import { completeOptions } from '../../src/engine/checkOptions';
import { compareModels, type CompareHooks } from '../../src/engine/compareModels';
import { planCheck } from '../../src/engine/plan';
import type { CompareStore, Model } from '../../src/engine/ports';
import { generatePerturbations } from '../../src/perturb/generate';
import { createRng } from '../../src/stats/rng';
import { createCompareStore } from '../../src/store/compareStore';
import { openBench, type Bench } from './checkRun';
import { fakeModel, type FakeAnswer } from './fakeModel';

const LABELLED =
  'Is the review good? Answer Yes or No. Think of the staff, too.\nReview: Good soup, slow staff.';
const FREE = 'Write one sentence about the colour of the sea in winter. Keep it short and calm.';

let bench: Bench;
let store: CompareStore;
beforeAll(async () => {
  bench = await openBench();
  store = createCompareStore({ cacheDir: bench.cacheDir });
});
afterAll(() => bench.close());

/** Mostly Yes, whatever the wording. */
const steady: FakeAnswer = (_, seed) => (seed % 10 === 0 ? 'No' : 'Yes');
/** Only the exact wording gets Yes. */
const wavering =
  (prompt: string): FakeAnswer =>
  (asked, seed) =>
    asked === prompt ? steady(asked, seed, 0) : seed % 10 === 0 ? 'Yes' : 'No';
const rambling: FakeAnswer = (_, seed) =>
  ['The sea is grey.', 'It looks cold and green.', 'Winter water is slate blue.', 'Dark, and quiet.'][
    seed % 4
  ]!;

let ids = 0;
function planOf(prompts: string[], modelIds: string[], more: Partial<ComparePlan> = {}): ComparePlan {
  const id = `cmp-${(ids += 1)}`;
  const options = completeOptions({ permutations: 999, samples: 10, answerTokens: 8 }, 8);
  const made = prompts.map((text) => ({
    source: null,
    text,
    variables: {},
    perturbations: generatePerturbations(text, { rng: createRng(7, 'perturbations'), limit: 8 })
      .perturbations,
  }));
  return {
    version: 1,
    id,
    kind: 'compare',
    startedAt: '2026-01-01T00:00:00.000Z',
    reproduce: 'evenkeel compare',
    seed: 7,
    options,
    tieMargin: 0.1,
    reference: null,
    prompts: made,
    models: modelIds.map((modelId, m) => ({
      modelId,
      sizeBytes: null,
      runs: made.map((prompt, p) => ({
        id: `${id}.${m + 1}.${p + 1}`,
        plan: planCheck([prompt.text], options, { seconds: null, secondsAre: 'unknown' }, null),
        reproduce: 'evenkeel robustness',
      })),
    })),
    ...more,
  };
}

/** Opens the scripted models by name and notes in which order that was asked for and how often they were asked. */
function opener(answers: Record<string, FakeAnswer | UserError>) {
  const opened: string[] = [];
  const asked: string[] = [];
  const openModel = async (id: string): Promise<Model> => {
    opened.push(id);
    const answer = answers[id]!;
    if (answer instanceof UserError) throw answer;
    const model = fakeModel(
      (...given) => {
        asked.push(id);
        return answer(...given);
      },
      { batch: 5 },
    );
    const digest = id.startsWith('same') ? 'sha256:same' : `sha256:${id}`;
    const identity = { ...(await model.open(new AbortController().signal)), id, digest };
    return { ...model, id, open: async () => identity };
  };
  return { openModel, opened, asked };
}

const compare = (
  plan: ComparePlan,
  openModel: (id: string) => Promise<Model>,
  hooks: Partial<CompareHooks> = {},
) =>
  compareModels(
    {
      openModel,
      embedders: [bench.embedder],
      tester: bench.tester,
      runs: bench.store,
      store,
      clock: { nowMs: () => Date.now() },
    },
    plan,
    {},
    { signal: new AbortController().signal, ...hooks },
  );

describe('a comparison of models', () => {
  it('ranks the model that the same changes move less, one model after the other, each opened once', async () => {
    const { openModel, opened, asked } = opener({ wavers: wavering(LABELLED), steady, 'steady too': steady });
    const plan = planOf([LABELLED], ['wavers', 'steady', 'steady too'], { tieMargin: 0.4 });
    const record = await compare(plan, openModel);
    expect(compareRecordSchema.parse(record)).toEqual(record);
    expect(opened).toEqual(['wavers', 'steady', 'steady too']);
    expect(asked.map((id, i) => (id === asked[i - 1] ? [] : [id])).flat()).toEqual(opened);
    expect(record.models.map(({ rank }) => rank)).toEqual([3, 1, 1]);
    const [waversSteady, , steadies] = record.pairs;
    expect(waversSteady!.steadiness).toMatchObject({ verdict: 'secondSteadier', items: 8 });
    expect(waversSteady!.flips).toMatchObject({ of: 'answer', n: 8, onlyFirst: 8, onlySecond: 0 });
    expect(waversSteady!.flips!.p).toBeCloseTo(2 / 2 ** 8, 12);
    // The unchanged prompt is answered alike by all three: same behaviour there, unlike steadiness.
    expect(waversSteady!.behaviour!.verdict).toBe('noDifferenceDetected');
    expect(steadies!.steadiness!.verdict).toBe('tied');
    expect(record.models[0]!.flips).toMatchObject({ count: 8, n: 8 });
    expect(record.models[1]!.quality).toMatchObject({ outcomes: { ok: 90 }, readable: 90 });
    expect(await store.read(plan.id)).toEqual(record);
  });

  it('adds prompts up, tests free text by its vectors, and tells equal weights by their digests', async () => {
    const shouting: FakeAnswer = () => 'BUY FISH NOW! FRESH COD AT HALF PRICE!';
    const { openModel, opened } = opener({ 'same a': rambling, 'same b': rambling, loud: shouting });
    const record = await compare(
      planOf([FREE, LABELLED], ['same a', 'same b', 'loud'], { reference: 0 }),
      openModel,
    );
    expect(opened).toHaveLength(3);
    const [equal, loud, apart] = record.pairs;
    expect(equal!.behaviour).toMatchObject({ verdict: 'noDifferenceDetected', sameDigest: true, p: 1 });
    expect(equal!.behaviour!.prompts).toHaveLength(2);
    expect(loud!.behaviour).toMatchObject({ verdict: 'differs', sameDigest: false });
    expect(loud!.behaviour!.adjustedP).toBeGreaterThanOrEqual(loud!.behaviour!.p!);
    expect(apart!.behaviour).toBeNull();
    expect(record.warnings.join(' ')).toContain('loud gave one answer every time');
  });

  it('keeps a model that cannot be used as part of the result, unranked', async () => {
    const broken = new UserError('modelNotInstalled', 'There is no such model.', 'Pull it.');
    const { openModel } = opener({ steady, broken, wavers: wavering(LABELLED) });
    const record = await compare(planOf([LABELLED], ['steady', 'broken', 'wavers']), openModel);
    expect(record.state).toBe('failed');
    expect(record.models[1]).toMatchObject({
      rank: null,
      identity: null,
      state: 'failed',
      error: { hint: 'Pull it.' },
    });
    expect(record.pairs[1]!.steadiness!.verdict).toBe('firstSteadier');
    expect(record.pairs[0]!.behaviour!.verdict).toBe('undecided');
    const alone = opener({ steady, broken });
    await expect(compare(planOf([LABELLED], ['steady', 'broken']), alone.openModel)).rejects.toMatchObject({
      code: 'modelNotInstalled',
    });
  });

  it('does not rank a model whose answers mostly fail', async () => {
    const empty: FakeAnswer = () => ({ outcome: 'empty' });
    const { openModel } = opener({ steady, empty, wavers: wavering(LABELLED) });
    const record = await compare(planOf([LABELLED], ['steady', 'empty', 'wavers']), openModel);
    expect(record.models.map(({ rank }) => rank)).toEqual([1, null, 2]);
    expect(record.models[1]!.unranked).toMatch(/10 of 10 \(10 empty\)/);
    expect(record.models[1]!.quality.outcomes).toEqual({ empty: 90 });
  });

  it('goes on where it was stopped: no answer is asked for twice, and the numbers are the same', async () => {
    const scripts = { steady, wavers: wavering(LABELLED) };
    const plan = planOf([LABELLED], ['steady', 'wavers']);
    const stop = new AbortController();
    const first = opener(scripts);
    const stopped = await compare(plan, first.openModel, {
      signal: stop.signal,
      onEvent: (event) => {
        if (event.type === 'sample' && first.asked.filter((id) => id === 'wavers').length >= 60) stop.abort();
      },
    });
    expect(stopped.state).toBe('cancelled');
    const second = opener(scripts);
    const whole = await compare(plan, second.openModel);
    expect(whole.state).toBe('complete');
    // The first model had ended and is not even opened.
    expect(second.opened).toEqual(['wavers']);
    expect(first.asked.length + second.asked.length).toBe(180);
    const fresh = await compare(
      { ...planOf([LABELLED], ['steady', 'wavers']), prompts: plan.prompts },
      opener(scripts).openModel,
    );
    expect(whole.pairs).toEqual(fresh.pairs);
    expect(whole.items).toEqual(fresh.items);
  });

  it('stopped before the second model: says how to go on', async () => {
    const stop = new AbortController();
    const { openModel } = opener({ steady, wavers: wavering(LABELLED) });
    const plan = planOf([LABELLED], ['steady', 'wavers']);
    await expect(
      compare(plan, openModel, {
        signal: stop.signal,
        onEvent: (event) => event.type === 'sample' && stop.abort(),
      }),
    ).rejects.toMatchObject({ code: 'cancelled', hint: expect.stringContaining(`--resume ${plan.id}`) });
    expect(await store.readPlan(plan.id)).toEqual(plan);
    await expect(store.read(plan.id)).rejects.toMatchObject({ code: 'fileNotFound' });
  });
});
