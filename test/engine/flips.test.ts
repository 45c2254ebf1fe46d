import { mkdtemp, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openModel } from '../../src/compose/openModel';
import { cacheDirOf } from '../../src/compose/paths';
import { flipsRecordSchema, type FlipsPlan, type FlipsRecord } from '../../src/contracts/flipsRecord';
import type { FlipsHooks } from '../../src/engine/events';
import { runFlips } from '../../src/engine/flips';
import { ruleBased } from '../../src/engine/flipsConditions';
import type { Model } from '../../src/engine/ports';
import { parseQuestions } from '../../src/prompts/questionSet';
import { createFlipsStore } from '../../src/store/flipsStore';
import { perturbation, planOf, question } from '../builders/flipsPlan';
import { fakeModel } from './fakeModel';

const root = path.resolve(import.meta.dirname, '..', '..');
const clock = { nowMs: () => Date.now() };
const never = new AbortController().signal;

let cacheDir: string;
let real: Model;
let realPlan: FlipsPlan;
let ids = 0;
beforeAll(async () => {
  cacheDir = await mkdtemp(path.join(os.tmpdir(), 'evenkeel-flips-'));
  real = await openModel(
    'local:smollm2-135m',
    { provider: 'local', name: 'smollm2-135m' },
    {
      paths: {
        distDir: path.join(root, 'dist'),
        mediaDir: path.join(root, 'media'),
        cacheDir: cacheDirOf(process.env),
      },
      ollamaUrl: '',
      clock,
      signal: never,
    },
  );
  const set = await readFile(path.join(root, 'test', 'fixtures', 'questions.jsonl'), 'utf8');
  const questions = parseQuestions(set, 'questions.jsonl').slice(0, 6);
  realPlan = planOf(questions, ruleBased({ kinds: ['surface', 'mistake'], levels: [0, 3], seed: 3 }), {
    modelId: 'local:smollm2-135m',
  });
});
afterAll(async () => {
  await real.close();
  await rm(cacheDir, { recursive: true, force: true });
});

const named = (plan: FlipsPlan): FlipsPlan => ({ ...plan, id: `flips-${(ids += 1)}` });
/** Another store for every session: what it knows of a run, it has from the disk. */
const run = (model: Model, plan: FlipsPlan, hooks: Partial<FlipsHooks> = {}): Promise<FlipsRecord> =>
  runFlips({ model, store: createFlipsStore({ cacheDir }), clock }, plan, {}, { signal: never, ...hooks });

const linesOf = async (plan: FlipsPlan) =>
  (await readFile(path.join(cacheDir, 'runs', plan.id, 'answers.jsonl'), 'utf8')).trim().split('\n');

const abortAfter = (answers: number): FlipsHooks => {
  const controller = new AbortController();
  return {
    signal: controller.signal,
    onEvent: (event) => {
      if (event.type === 'progress' && event.phase === 'sampling' && event.done === answers)
        controller.abort();
    },
  };
};

/** What must not depend on when and in how many sessions it was measured. */
const measured = ({ answers, figures, originals, outside, decoding, aa }: FlipsRecord) => ({
  answers: answers.map(({ latencyMs: _, startedAtMs: __, ...entry }) => entry),
  figures,
  originals,
  outside,
  decoding,
  aa,
});

describe('a flips run on the real model', () => {
  it('decides by first-token probabilities and keeps every answer; taken up after a stop it ends in the same', async () => {
    const whole = await run(real, named(realPlan));
    expect(flipsRecordSchema.parse(whole)).toEqual(whole);
    expect(whole.decoding).toBe('probabilities');
    expect(whole.answers).toHaveLength(realPlan.conditions.length);
    for (const { probabilities, outside, answer } of whole.answers) {
      const total = probabilities!.reduce((sum, { probability }) => sum + probability, outside!);
      expect(total).toBeCloseTo(1, 6);
      const most = Math.max(...probabilities!.map(({ probability }) => probability));
      expect(probabilities!.find(({ option }) => option === answer)!.probability).toBe(most);
    }

    const plan = named(realPlan);
    const stopped = await run(real, plan, abortAfter(5));
    expect(stopped.state).toBe('cancelled');
    expect(stopped.answers.length).toBeGreaterThanOrEqual(5);
    expect(stopped.answers.length).toBeLessThan(plan.conditions.length);
    expect(await linesOf(plan)).toHaveLength(stopped.answers.length);
    const resumed = await run(real, plan);
    expect(resumed.state).toBe('complete');
    expect(measured(resumed)).toEqual(measured(whole));
    expect(await linesOf(plan)).toHaveLength(plan.conditions.length);
  });

  it('reads answers from greedy text on request', async () => {
    const plan = named({ ...realPlan, options: { ...realPlan.options, asText: true } });
    const record = await run(real, plan);
    expect(record.decoding).toBe('text');
    expect(record.outside).toBeNull();
    expect(record.answers.every(({ probabilities }) => probabilities === null)).toBe(true);
  });

  it('asks every original twice when answers are sampled', async () => {
    const plan = named({ ...realPlan, options: { ...realPlan.options, temperature: 1 } });
    const record = await run(real, plan);
    expect(record.decoding).toBe('text');
    expect(record.answers).toHaveLength(plan.conditions.length + plan.questions.length);
    expect(record.aa!.n).toBeLessThanOrEqual(plan.questions.length);
    const seeds = record.answers.map(({ seed }) => seed);
    expect(new Set(seeds).size).toBe(seeds.length);
  });
});

describe('reasoning that is changed, on the real model', () => {
  it('has originals of its own, is kept as it comes, and ends in the same after a stop', async () => {
    const of = realPlan.questions.slice(0, 3).map(({ id }) => ({
      question: id,
      prompt: realPlan.conditions.find((condition) => condition.id === id)!.prompt,
    }));
    const plan = { ...realPlan, reasoning: { steps: [0, 1], perQuestion: 4, of } };
    const whole = await run(real, named(plan));
    expect(flipsRecordSchema.parse(whole)).toEqual(whole);
    expect(whole.state).toBe('complete');
    const cot = whole.conditions.filter(({ type }) => type === 'cot');
    expect(cot.length).toBeGreaterThan(3);
    for (const { question: id, perturbation: change, prompt } of cot) {
      // Each is asked with its question, and differs from the reasoning of that question.
      expect(prompt).toContain(of.find(({ question: asked }) => asked === id)!.prompt);
      const original = cot.find((other) => other.question === id && other.perturbation === null)!;
      expect(prompt === original.prompt).toBe(change === null);
    }
    const levels = (id: string) =>
      cot
        .filter(({ perturbation: change }) => change?.id.startsWith(id) === true)
        .map((one) => one.perturbation!.strength.level);
    expect(levels('cot.paraphrase').every((level) => level === 0)).toBe(true);
    expect(Math.min(...levels('cot.mistake').map(Number))).toBeGreaterThan(0);
    // Never in one figure.
    const items = (type: string) =>
      whole.figures.find((one) => one.type === type)!.rows.reduce((sum, { n }) => sum + n, 0);
    const changes = (type: string) =>
      whole.conditions.filter((one) => one.type === type && one.perturbation !== null).length;
    expect([items('input'), items('cot')]).toEqual([changes('input'), changes('cot')]);

    const own = named(plan);
    const controller = new AbortController();
    const stopped = await run(real, own, {
      signal: controller.signal,
      onEvent: (event) => {
        if (event.type === 'reasoning' && event.done === 1) controller.abort();
      },
    });
    expect(stopped.state).toBe('cancelled');
    expect(stopped.answers).toEqual([]);
    const reasoned = async () =>
      (await readFile(path.join(cacheDir, 'runs', own.id, 'reasoning.jsonl'), 'utf8')).trim().split('\n');
    expect(await reasoned()).toHaveLength(1);
    expect(measured(await run(real, own))).toEqual(measured(whole));
    expect(await reasoned()).toHaveLength(3);
  });
});

describe('a flips run, with faults', () => {
  const plan = planOf([question('q1'), question('q2')], () => [perturbation(3, 'turned')]);

  it('falls back to text for the whole run where the provider gives no probabilities', async () => {
    const record = await run(
      fakeModel((prompt) => (prompt.includes('turned') ? 'The answer is B.' : 'A')),
      named(plan),
    );
    expect(record.decoding).toBe('text');
    expect(record.answers.map(({ answer }) => answer)).toEqual(['A', 'B', 'A', 'B']);
    expect(record.figures[0]!.rows[3]).toMatchObject({ flips: 2, n: 2, suppressed: true });
  });

  it('refuses, is empty or rambles: no answer, and no flip either', async () => {
    const said = ["I'm sorry, but I can't help with that.", '', 'Well, it depends.'];
    const record = await run(
      fakeModel((prompt, _seed, given) => (prompt.includes('turned') ? said[given % 3]! : 'A')),
      named(plan),
    );
    expect(record.answers.filter(({ answer }) => answer === null)).toHaveLength(2);
    expect(record.figures[0]).toMatchObject({ unanswered: 2 });
  });

  it('keeps what there was when the server went down, and asks the failed ones again', async () => {
    const many = named(
      planOf(
        Array.from({ length: 8 }, (_, i) => question(`q${i}`)),
        () => [],
      ),
    );
    const down = { outcome: 'unavailable' as const, error: { code: 'x', message: 'connection refused' } };
    const broken = await run(
      fakeModel((_prompt, _seed, given) => (given > 2 ? down : 'A')),
      many,
    );
    expect(broken.state).toBe('failed');
    expect(broken.error!.message).toContain('connection refused');
    const whole = await run(
      fakeModel(() => 'B'),
      many,
    );
    expect(whole.state).toBe('complete');
    expect(whole.answers.map(({ answer }) => answer)).toEqual(['A', 'A', ...Array(6).fill('B')]);
  });

  it('is not taken up with other weights', async () => {
    const own = named(plan);
    const withDigest = (digest: string): Model => {
      const model = fakeModel(() => 'A');
      return { ...model, open: async (signal) => ({ ...(await model.open(signal)), digest }) };
    };
    await run(withDigest('aa'), own, abortAfter(1));
    await expect(run(withDigest('bb'), own)).rejects.toMatchObject({ code: 'invalidOption' });
  });

  it('asks for nothing further when an answer cannot be kept', async () => {
    let asked = 0;
    const model = fakeModel(() => {
      asked++;
      return 'A';
    });
    const store = createFlipsStore({ cacheDir });
    const full = { ...store, append: () => Promise.reject(new Error('disk full')) };
    await expect(runFlips({ model, store: full, clock }, named(plan), {}, { signal: never })).rejects.toThrow(
      'disk full',
    );
    // One to learn whether there are probabilities, one that could not be kept.
    expect(asked).toBe(2);
  });
});
