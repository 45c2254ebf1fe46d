/**
 * What every provider promises, whatever is behind it. Run against real models: `model` should be tiny and
 * temperature 1 must make its answers vary.
 */
import { expect, test } from 'vitest';
import { modelIdentitySchema } from '../../src/contracts/runRecord';
import type { Model, Reply, SampleRequest, SamplingOptions } from '../../src/engine/ports';

export const OPTIONS: SamplingOptions = { temperature: 1, topP: 1, maxTokens: 12 };
const QUESTION = 'Name a colour and an animal.';

interface Sampled {
  replies: Reply[];
  warnings: string[];
}

/** Asks once per seed and checks that each seed got exactly one reply. */
export async function sampleAll(
  model: Model,
  request: Partial<Omit<SampleRequest, 'onWarning'>> & { prompt?: string } = {},
): Promise<Sampled> {
  const { prompt = QUESTION, seeds = [1], onReply, ...rest } = request;
  const replies = new Map<number, Reply>();
  const warnings: string[] = [];
  await model.sample({
    messages: [{ role: 'user', content: prompt }],
    options: OPTIONS,
    signal: new AbortController().signal,
    ...rest,
    seeds,
    onReply: (reply, index) => {
      expect(replies.has(index), `two replies for seed ${reply.seed}`).toBe(false);
      expect(reply.seed).toBe(seeds[index]);
      replies.set(index, reply);
      onReply?.(reply, index);
    },
    onWarning: (message) => warnings.push(message),
  });
  expect(replies.size).toBe(seeds.length);
  return { replies: seeds.map((_, index) => replies.get(index)!), warnings };
}

interface ContractTraits {
  /** A fresh model; the suite opens and closes it. */
  make: () => Model;
  /** The same model under a name that does not exist, and a right name that its error must suggest. Missing: names are looked up before. */
  makeUnknown?: () => Model;
  suggestion: string;
  /** The provider returns first-token probabilities. */
  firstToken: boolean;
  /** A 64-digit digest of the weights or the manifest. */
  digest: boolean;
  /** Tokens that it reads at most, when a longer prompt is refused. Null: the server cuts silently and cannot be told not to. */
  contextLength: number | null;
}

const seconds = (ms: number) => ms / 1000;

export function modelContract(traits: ContractTraits): void {
  const never = new AbortController().signal;

  test('open tells what runs, twice the same', async () => {
    const model = traits.make();
    const identity = await model.open(never);
    expect(modelIdentitySchema.parse(identity)).toEqual(identity);
    expect(await model.open(never)).toEqual(identity);
    expect(identity.id).toBe(model.id);
    if (traits.digest) expect(identity.digest).toMatch(/^[0-9a-f]{64}$/);
    await model.close();
  });

  const testIf = (has: boolean) => (has ? test : () => undefined);

  testIf(traits.makeUnknown !== undefined)(
    'an unknown model is a UserError with the nearest name',
    async () => {
      await expect(traits.makeUnknown!().open(never)).rejects.toMatchObject({
        name: 'UserError',
        code: 'unknownModel',
        message: expect.stringContaining(traits.suggestion),
      });
    },
  );

  test('replies carry text, counts and times; seeds differ and repeat', async () => {
    const model = traits.make();
    const seeds = [11, 12, 13, 14];
    const startMs = Date.now();
    const first = (await sampleAll(model, { seeds })).replies;
    for (const reply of first) {
      expect(reply.error).toBeUndefined();
      expect(reply.outcome).toBe('ok');
      expect(['stop', 'length']).toContain(reply.finishReason);
      expect(reply.text.length).toBeGreaterThan(0);
      expect(reply.promptTokens).toBeGreaterThan(3);
      expect(reply.completionTokens).toBeGreaterThan(0);
      expect(reply.completionTokens).toBeLessThanOrEqual(OPTIONS.maxTokens);
      expect(reply.latencyMs).toBeGreaterThan(0);
      expect(reply.startedAtMs).toBeGreaterThanOrEqual(startMs);
      expect(seconds(reply.startedAtMs + reply.latencyMs)).toBeLessThanOrEqual(seconds(Date.now()));
    }
    expect(new Set(first.map(({ text }) => text)).size).toBeGreaterThan(1);
    const again = (await sampleAll(model, { seeds: [...seeds].reverse() })).replies.reverse();
    expect(again.map(({ text }) => text)).toEqual(first.map(({ text }) => text));
    await model.close();
  });

  test('an answer that reaches maxTokens says length', async () => {
    const model = traits.make();
    const options = { ...OPTIONS, maxTokens: 1 };
    const { replies } = await sampleAll(model, { options, prompt: 'Tell a long story.', seeds: [1, 2] });
    for (const reply of replies) expect(reply).toMatchObject({ finishReason: 'length', completionTokens: 1 });
    await model.close();
  });

  test('temperature 0 gives one answer whatever the seed', async () => {
    const model = traits.make();
    const options = { ...OPTIONS, temperature: 0, maxTokens: 5 };
    const { replies } = await sampleAll(model, { options, seeds: [1, 2, 3] });
    expect(new Set(replies.map(({ text }) => text)).size).toBe(1);
    await model.close();
  });

  testIf(traits.firstToken)('first-token probabilities are of the untempered model', async () => {
    const model = traits.make();
    const at = async (temperature: number) => {
      const options = { ...OPTIONS, temperature, maxTokens: 1, firstTokenTop: 20 };
      const { replies } = await sampleAll(model, { options, prompt: 'Is water wet? Answer Yes or No.' });
      return replies[0]!.firstToken!;
    };
    const top = await at(1);
    expect(top).toHaveLength(20);
    const total = top.reduce((sum, { probability }) => sum + probability, 0);
    expect(total).toBeGreaterThan(0.3);
    expect(total).toBeLessThanOrEqual(1 + 1e-9);
    expect(top.map(({ probability }) => probability)).toEqual(
      top.map(({ probability }) => probability).sort((a, b) => b - a),
    );
    const cold = await at(0);
    expect(cold[0]!.token).toBe(top[0]!.token);
    expect(cold[0]!.probability).toBeCloseTo(top[0]!.probability, 2);
    expect((await sampleAll(model)).replies[0]!.firstToken).toBeUndefined();
    await model.close();
  });

  test('cancel in mid-answer keeps what came, cancels the rest and frees the model', async () => {
    const model = traits.make();
    await sampleAll(model, { seeds: [1] });
    const controller = new AbortController();
    const options = { ...OPTIONS, maxTokens: 2000 };
    // Tiny models may stop early: together they cannot be done in time.
    const seeds = Array.from({ length: 12 }, (_, i) => i);
    setTimeout(() => controller.abort(), 700);
    const { replies } = await sampleAll(model, {
      prompt: 'Count from one to one thousand in words, one per line.',
      options,
      seeds,
      signal: controller.signal,
    });
    const cancelledAtMs = Date.now();
    expect(replies.map(({ outcome }) => outcome)).toContain('cancelled');
    for (const reply of replies.filter(({ outcome }) => outcome === 'cancelled'))
      expect(reply.error?.code).toBe('cancelled');
    // 2,000 tokens take half a minute here: a model that went on would make the next one wait.
    await sampleAll(model, { seeds: [4], options: { ...OPTIONS, maxTokens: 1 } });
    expect(Date.now() - cancelledAtMs).toBeLessThan(10_000);
    await model.close();
  });

  test('a signal that is aborted before the start cancels every seed without a request', async () => {
    const model = traits.make();
    const { replies } = await sampleAll(model, { seeds: [1, 2, 3], signal: AbortSignal.abort() });
    expect(replies.map(({ outcome }) => outcome)).toEqual(['cancelled', 'cancelled', 'cancelled']);
    await model.close();
  });

  testIf(traits.contextLength !== null)('a prompt longer than the context is refused, not cut', async () => {
    const model = traits.make();
    const prompt = 'one two three four five six '.repeat(Math.ceil(traits.contextLength! / 5));
    await expect(sampleAll(model, { prompt })).rejects.toMatchObject({
      name: 'UserError',
      code: 'promptTooLong',
    });
    await model.close();
  });

  test('options that make no sense are refused before anything is sent', async () => {
    const model = traits.make();
    for (const wrong of [{ maxTokens: 0 }, { temperature: Number.NaN }, { topP: 0 }])
      await expect(sampleAll(model, { options: { ...OPTIONS, ...wrong } })).rejects.toMatchObject({
        code: 'invalidOption',
      });
    await expect(sampleAll(model, { prompt: ' \n' })).rejects.toMatchObject({ code: 'emptyPrompt' });
    await model.close();
  });
}
