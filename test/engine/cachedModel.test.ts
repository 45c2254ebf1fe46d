import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ModelIdentity } from '../../src/contracts/runRecord';
import { cachedModel, countKept, identityKey } from '../../src/engine/cachedModel';
import type { Model, Reply, SampleRequest } from '../../src/engine/ports';
import { createSampleCache } from '../../src/store/sampleCache';
import { fakeModel, type FakeAnswer } from './fakeModel';

let cacheDir: string;
let nowMs = 0;
beforeEach(async () => {
  cacheDir = await mkdtemp(path.join(os.tmpdir(), 'evenkeel-cached-'));
  nowMs = 1_000_000;
});
afterEach(() => rm(cacheDir, { recursive: true, force: true }));

const depsOf = () => ({
  cache: createSampleCache({ cacheDir }),
  hash: (text: string) => createHash('sha256').update(text).digest('hex'),
  version: '1',
  nowMs: () => nowMs,
});
const OPTIONS = { temperature: 1, topP: 1, maxTokens: 8 };

/** A model of this identity that counts how often it is opened and what it is asked. */
function counting(answer: FakeAnswer, identity: Partial<ModelIdentity> = {}, more: Partial<Model> = {}) {
  const asked: number[][] = [];
  let opens = 0;
  const inner = fakeModel(answer);
  const model: Model = {
    ...inner,
    ...more,
    open: async (signal) => {
      opens += 1;
      return { ...(await inner.open(signal)), provider: 'ollama', digest: 'd1', ...identity };
    },
    sample: (request) => {
      asked.push(request.seeds);
      return inner.sample(request);
    },
  };
  return { model: cachedModel(model, depsOf()), asked, opens: () => opens };
}

async function ask(model: Model, seeds: number[], more: Partial<SampleRequest> = {}): Promise<Reply[]> {
  const replies: Reply[] = [];
  await model.sample({
    messages: [{ role: 'user', content: 'Hello' }],
    options: OPTIONS,
    seeds,
    signal: new AbortController().signal,
    onReply: (reply, i) => (replies[i] = reply),
    ...more,
  });
  return replies;
}
const bySeed: FakeAnswer = (_prompt, seed) => `answer ${seed}`;

describe('a model with kept answers', () => {
  it('asks once, and again only what it has not got', async () => {
    const first = counting(bySeed);
    const before = await ask(first.model, [1, 2]);
    expect(before.map(({ cached }) => cached)).toEqual([undefined, undefined]);
    const second = counting(() => 'another');
    const after = await ask(second.model, [1, 2, 3]);
    expect(after.map(({ text, cached }) => [text, cached])).toEqual([
      ['answer 1', true],
      ['answer 2', true],
      ['another', undefined],
    ]);
    expect(second.asked).toEqual([[3]]);
  });

  it.each<[string, Partial<ModelIdentity>, Partial<SampleRequest>]>([
    ['another digest', { digest: 'd2' }, {}],
    ['another address', { baseUrl: 'http://127.0.0.1:2' }, {}],
    ['another model', { resolved: 'other' }, {}],
    ['another provider', { provider: 'openai' }, {}],
    ['another temperature', {}, { options: { ...OPTIONS, temperature: 0.5 } }],
    ['another length', {}, { options: { ...OPTIONS, maxTokens: 9 } }],
    ['a schema', {}, { options: { ...OPTIONS, schema: {} } }],
    ['another message', {}, { messages: [{ role: 'user', content: 'Hello!' }] }],
    ['another role', {}, { messages: [{ role: 'system', content: 'Hello' }] }],
  ])('does not take its answers for %s', async (_, identity, request) => {
    await ask(counting(bySeed).model, [1]);
    const other = counting(() => 'another', identity);
    expect((await ask(other.model, [1], request))[0]!.text).toBe('another');
  });

  it('keeps two answers to one and the same request apart: repeats are never one (promptfoo #360, #1431, #1888)', async () => {
    const first = counting((_prompt, _seed, given) => `answer ${given}`);
    await ask(first.model, [5]);
    await ask(first.model, [5]);
    const second = counting(() => 'another');
    const texts = [await ask(second.model, [5]), await ask(second.model, [5]), await ask(second.model, [5])];
    expect(texts.map(([reply]) => reply!.text)).toEqual(['answer 0', 'answer 1', 'another']);
  });

  it.each(['timeout', 'rateLimited', 'unavailable', 'malformed', 'cancelled'] as const)(
    'does not keep a reply that is %s',
    async (outcome) => {
      await ask(counting(() => ({ outcome })).model, [1]);
      const again = counting(bySeed);
      await ask(again.model, [1]);
      expect(again.asked).toEqual([[1]]);
    },
  );

  it('in process: asks a batch whole when one of it is missing, as answers depend on its size', async () => {
    await ask(counting(bySeed, { provider: 'local' }).model, [1, 2, 3]);
    const same = counting(() => 'another', { provider: 'local' });
    await ask(same.model, [1, 2, 3]);
    expect(same.asked).toEqual([]);
    const smaller = counting(() => 'another', { provider: 'local' });
    await ask(smaller.model, [1, 2]);
    expect(smaller.asked).toEqual([[1, 2]]);
  });

  it('needs no weights in memory where all answers are kept', async () => {
    const weights = { weights: 'd1' };
    const first = counting(bySeed, { provider: 'local' }, weights);
    await first.model.open(new AbortController().signal);
    await ask(first.model, [1]);
    const second = counting(bySeed, { provider: 'local' }, weights);
    const identity = await second.model.open(new AbortController().signal);
    await ask(second.model, [1]);
    expect(second.opens()).toBe(0);
    expect(identity.digest).toBe('d1');
    const changed = counting(bySeed, { provider: 'local', digest: 'd2' }, { weights: 'd2' });
    expect((await changed.model.open(new AbortController().signal)).digest).toBe('d2');
    expect(changed.opens()).toBe(1);
  });

  it('without a digest trusts its answers for a day', async () => {
    await ask(counting(() => ({ text: 'old', startedAtMs: nowMs }), { digest: null }).model, [1]);
    nowMs += 23 * 3_600_000;
    const within = counting(() => 'new', { digest: null });
    expect((await ask(within.model, [1]))[0]!.text).toBe('old');
    nowMs += 2 * 3_600_000;
    const after = counting(() => 'new', { digest: null });
    expect((await ask(after.model, [1]))[0]!.text).toBe('new');
  });

  it('tells beforehand how many answers are kept', async () => {
    const { model } = counting(bySeed);
    await model.open(new AbortController().signal);
    await ask(model, [1, 2]);
    const deps = depsOf();
    const who = await deps.cache.getIdentity(identityKey(model.id, deps));
    const request = { messages: [{ role: 'user' as const, content: 'Hello' }], options: OPTIONS };
    expect(await countKept(who!, [{ ...request, seeds: [1, 2, 3] }], deps)).toBe(2);
  });

  it('goes on without, and says so once, where answers cannot be kept', async () => {
    await writeFile(path.join(cacheDir, 'answers'), 'in the way');
    const warnings: string[] = [];
    const { model } = counting(bySeed);
    const replies = await ask(model, [1, 2], { onWarning: (message) => warnings.push(message) });
    expect(replies.map(({ text }) => text)).toEqual(['answer 1', 'answer 2']);
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toContain('This run goes on without.');
  });
});
