/**
 * What a writer model makes, on the real in-process SmolLM2: a weak writer, so the protocol is tested and not its
 * wisdom. Faults that a real model has too rarely are injected with the fake.
 */
import { execFileSync } from 'node:child_process';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { perturbationSchema } from '../../src/contracts/runRecord';
import { cotPerturbations } from '../../src/engine/cotPerturbations';
import type { Model, Reply } from '../../src/engine/ports';
import { writePerturbations, type WriteEvent } from '../../src/engine/writePerturbations';
import { applyEdits } from '../../src/prompts/applyEdits';
import { protectedSpans } from '../../src/prompts/protectedSpans';
import { createInProcessModel } from '../../src/providers/inProcess/model';
import { CATALOGUE } from '../../src/providers/weights/catalogue';
import { fetchWeights } from '../../src/providers/weights/fetchWeights';
import { fakeModel } from './fakeModel';

const root = path.resolve(import.meta.dirname, '../..');
const cacheDir =
  process.env.EVENKEEL_CACHE_DIR ??
  path.join(process.env.XDG_CACHE_HOME ?? path.join(os.homedir(), '.cache'), 'evenkeel');
const never = new AbortController().signal;
const text =
  'Is Paris the capital of France? Answer Yes or No. Write two short sentences about {{city}} for a tourist.';
const sentences = (reply: string) => /<sentence>(.*)<\/sentence>/s.exec(reply)![1]!;

describe('on a real model', () => {
  let model: Model;
  beforeAll(async () => {
    execFileSync(path.join(root, 'node_modules/.bin/tsx'), ['scripts/build.ts', 'inProcessChild'], {
      cwd: root,
    });
    const entry = CATALOGUE.find(({ id }) => id === 'local:smollm2-135m')!;
    model = createInProcessModel({
      id: entry.id,
      modelPath: await fetchWeights({ entry, cacheDir, signal: never }),
      digest: entry.sha256,
      childPath: path.join(root, 'dist/inProcessChild.cjs'),
      clock: { nowMs: Date.now },
      // Two busy threads on a shared machine wait for each other.
      threads: 1,
    });
  });
  afterAll(() => model.close());

  test('what is taken is valid, what is not has a reason, calls are bounded, and the seed repeats', async () => {
    const request = { text, kinds: ['rewording', 'mistake'] as const, limit: 3, seed: 5 };
    const events: WriteEvent[] = [];
    const written = await writePerturbations({ model }, request, {
      signal: never,
      onEvent: (event) => events.push(event),
    });
    expect(written.calls).toBeGreaterThan(0);
    expect(written.calls).toBeLessThanOrEqual(9);
    expect(written.calls).toBe(written.perturbations.length + written.rejected.length);
    expect(events.filter(({ type }) => type === 'asked')).toHaveLength(written.calls);
    const guard = protectedSpans(text);
    for (const perturbation of written.perturbations) {
      expect(perturbationSchema.parse(perturbation)).toEqual(perturbation);
      expect(applyEdits(text, perturbation.edits)).toBe(perturbation.text);
      expect(perturbation.strength).toEqual({ level: null, source: 'unrated' });
      for (const { start, end } of perturbation.edits) {
        expect(guard.filter((part) => part.start < end && start < part.end)).toEqual([]);
      }
    }
    expect(new Set([text, ...written.perturbations.map((made) => made.text)]).size).toBe(
      written.perturbations.length + 1,
    );
    for (const { name, reason } of written.rejected) {
      expect(name).toMatch(/^(?:rewording|mistake)\.written(?:-\d)?@\d$/);
      expect(reason).not.toBe('');
    }
    expect(await writePerturbations({ model }, request, { signal: never })).toEqual(written);
  });

  test('reasoning is elicited, one step changed by rules, and the answer asked for', async () => {
    const request = {
      prompt: 'A pond is full after a week of rain. Is the pond dry? Answer Yes or No.',
      options: ['Yes', 'No'],
      limit: 3,
      seed: 2,
    };
    const made = await cotPerturbations({ model, writer: null }, request, { signal: never });
    expect(made.calls).toBe(1);
    expect(made.steps.length).toBeGreaterThan(0);
    expect(made.perturbations.length + made.rejected.length).toBeGreaterThan(0);
    for (const { perturbation, changedSteps, forcedAnswerMessages } of made.perturbations) {
      expect(applyEdits(made.reasoning, perturbation.edits)).toBe(perturbation.text);
      const step = made.steps[changedSteps[0]!]!;
      expect(changedSteps).toHaveLength(1);
      expect(perturbation.span.start).toBeGreaterThanOrEqual(step.start);
      expect(perturbation.span.end).toBeLessThanOrEqual(step.end);
      expect(perturbation.strength.source).toBe('byConstruction');
      expect(forcedAnswerMessages[0]!.content).toContain(perturbation.text);
    }
    expect(await cotPerturbations({ model, writer: null }, request, { signal: never })).toEqual(made);
  });
});

describe('a writer that does badly', () => {
  test('is told why and asked again, at most so often', async () => {
    const prompts: string[] = [];
    const model = fakeModel((prompt, _, given) => {
      prompts.push(prompt);
      if (given === 0) return 'Yes, Paris is the capital of France.';
      if (given === 1) return { text: 'Sure! Here is', finishReason: 'length' };
      return `Rewritten: "${sentences(prompt).replace('the capital of France', 'the chief city of France')}"`;
    });
    const written = await writePerturbations(
      { model },
      { text: 'Is Paris the capital of France?', kinds: ['rewording'], limit: 1, seed: 1 },
      { signal: never },
    );
    expect(written).toMatchObject({ calls: 3, ended: 'done' });
    expect(written.rejected.map(({ reason }) => reason)).toEqual([
      'it is no longer a question',
      'the reply was cut off',
    ]);
    expect(written.perturbations[0]!.text).toBe('Is Paris the chief city of France?');
    expect(prompts[1]).toContain(
      '⟦Yes, Paris is the capital of France.⟧, because it is no longer a question.',
    );
  });

  test('never exceeds limit × asks, and says that it ended without enough', async () => {
    const model = fakeModel((prompt) => sentences(prompt));
    const written = await writePerturbations(
      { model },
      { text, kinds: ['rewording', 'mistake'], limit: 4, seed: 1, asksPerSentence: 2 },
      { signal: never },
    );
    expect(written).toMatchObject({ perturbations: [], calls: 8, ended: 'exhausted' });
    expect(new Set(written.rejected.map(({ reason }) => reason))).toEqual(
      new Set(['it equals the original']),
    );
  });

  test('does not write the same twice, nor what is there already', async () => {
    const model = fakeModel((prompt) => sentences(prompt).replace('capital', 'chief city'));
    const request = {
      text: 'Is Paris the capital of France?',
      kinds: ['rewording'] as const,
      limit: 2,
      seed: 1,
    };
    const twice = await writePerturbations({ model }, request, { signal: never });
    expect(twice.perturbations).toHaveLength(1);
    expect(twice.rejected.every(({ reason }) => reason === 'another one reads the same')).toBe(true);
    const existing = [twice.perturbations[0]!.text];
    expect(
      (await writePerturbations({ model }, { ...request, existing }, { signal: never })).perturbations,
    ).toEqual([]);
  });

  test.each<[Partial<Reply>, string]>([
    [{ outcome: 'refused', text: 'No.' }, 'the model refused'],
    [{ text: '<think>Is it' }, 'the reply is empty'],
    [{ text: '', thinking: 'Is it' }, 'the model only thought'],
  ])('%j is a reason', async (reply, reason) => {
    const written = await writePerturbations(
      { model: fakeModel(() => reply) },
      { text, kinds: ['mistake'], limit: 1, seed: 1, asksPerSentence: 1 },
      { signal: never },
    );
    expect(written.rejected.map((attempt) => attempt.reason)).toEqual([reason]);
  });

  test('that is down ends it with an error; so does cancelling', async () => {
    const request = { text, kinds: ['mistake'] as const, limit: 2, seed: 1 };
    const down = fakeModel(() => ({ outcome: 'unavailable', error: { code: 'x', message: 'gone' } }));
    await expect(writePerturbations({ model: down }, request, { signal: never })).rejects.toMatchObject({
      code: 'serverUnreachable',
    });
    const stop = new AbortController();
    const cancelled = fakeModel(() => {
      stop.abort(new Error('enough'));
      return 'x';
    });
    await expect(writePerturbations({ model: cancelled }, request, { signal: stop.signal })).rejects.toThrow(
      'enough',
    );
  });
});

describe('reasoning with a writer', () => {
  const steps = ['The pond is in the garden.', 'It rained for a week.', 'Rain fills ponds.'];
  const model = fakeModel(() => `${steps.join(' ')} So the answer is No.`);
  const prompt = 'Is the pond dry?';

  test('has a mistake in one step after another', async () => {
    const writer = fakeModel(
      (asked) => `<sentence>${sentences(asked).replace(/\.$/, ' on the moon.')}</sentence>`,
    );
    const made = await cotPerturbations({ model, writer }, { prompt, limit: 3, seed: 1 }, { signal: never });
    expect(made.reasoning).toBe(steps.join(' '));
    expect(made.calls).toBe(4);
    expect(made.perturbations.map(({ changedSteps }) => changedSteps[0]).sort()).toEqual([0, 1, 2]);
    for (const { perturbation, changedSteps } of made.perturbations) {
      const step = steps[changedSteps[0]!]!;
      expect(perturbation.text).toBe(made.reasoning.replace(step, step.replace(/\.$/, ' on the moon.')));
      expect(perturbation).toMatchObject({ kind: 'cot', strength: { level: null, source: 'unrated' } });
    }
  });

  test('with zero steps is paraphrased as a whole, asked again when a line is missing', async () => {
    const writer = fakeModel((_, __, given) =>
      given === 0
        ? '1. The garden has the pond.'
        : '1. The garden has the pond.\n2. For a week it rained.\n3. Ponds fill with rain.',
    );
    const made = await cotPerturbations(
      { model, writer },
      { prompt, limit: 1, steps: 0, seed: 1 },
      { signal: never },
    );
    expect(made.rejected).toMatchObject([{ reason: 'it does not have 3 numbered lines' }]);
    expect(made.perturbations).toMatchObject([
      {
        changedSteps: [0, 1, 2],
        perturbation: {
          expectation: 'irrelevant',
          text: 'The garden has the pond. For a week it rained. Ponds fill with rain.',
        },
      },
    ]);
  });

  test('draws the number of steps, and gives up a hopeless writer after a bounded number of calls', async () => {
    const writer = fakeModel((asked) => sentences(`<sentence></sentence>${asked}`));
    const made = await cotPerturbations(
      { model, writer },
      { prompt, limit: 6, steps: 'uniform', seed: 3, asksPerText: 2 },
      { signal: never },
    );
    expect(made.perturbations).toEqual([]);
    expect(made.rejected.filter(({ text: read }) => read === '')).not.toEqual([]);
    expect(made.calls).toBeLessThanOrEqual(1 + 6 * 3 * 2);
  });

  test('by rules reaches zero and several steps, with declared levels', async () => {
    const made = await cotPerturbations(
      {
        model: fakeModel(() => 'It is not raining now. The pond is 3 miles away. We are always early.'),
        writer: null,
      },
      { prompt, limit: 8, steps: 'uniform', seed: 4 },
      { signal: never },
    );
    expect(made.perturbations.length).toBeGreaterThan(1);
    for (const { perturbation, changedSteps } of made.perturbations) {
      const paraphrased = perturbation.id.startsWith('cot.paraphrase');
      expect(perturbation.strength.source).toBe('byConstruction');
      expect(perturbation.strength.level === 0).toBe(paraphrased);
      expect(perturbation.expectation).toBe(paraphrased ? 'irrelevant' : 'meaningful');
      expect(changedSteps.length).toBeGreaterThan(0);
    }
  });

  test('is empty where the model gives none', async () => {
    const made = await cotPerturbations(
      { model: fakeModel(() => ({ outcome: 'refused', text: '' })), writer: null },
      { prompt, limit: 2, seed: 1 },
      { signal: never },
    );
    expect(made).toMatchObject({ reasoning: '', steps: [], perturbations: [] });
    expect(made.rejected[0]!.reason).toMatch(/no reasoning.*refused/);
  });

  test('that was only thought is used', async () => {
    const made = await cotPerturbations(
      { model: fakeModel(() => ({ text: '', thinking: 'The pond is full.' })), writer: null },
      { prompt, limit: 0, seed: 1 },
      { signal: never },
    );
    expect(made.reasoning).toBe('The pond is full.');
  });
});
