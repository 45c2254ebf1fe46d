import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import golden from '../../test/embedder/golden50.json';
import type { FromEmbedWorker } from './embedProtocol';
import { createEmbedder } from './embedder';
import { createTextEncoder } from './encodeText';
import { SENTENCE_ENCODER } from './encoderFiles';

const root = path.resolve(import.meta.dirname, '../..');
const modelDir = path.join(root, 'media/models');
const ortDir = path.join(root, 'node_modules/onnxruntime-web/dist');
const workerPath = path.join(root, 'dist/embedWorker.cjs');
const fakeWorkerPath = path.join(root, 'test/embedder/fakeEmbedWorker.mjs');
const { signal } = new AbortController();

beforeAll(() => {
  execFileSync(process.execPath, ['--import', 'tsx', 'scripts/build.ts', 'embedWorker'], { cwd: root });
});

const dot = (a: ArrayLike<number>, b: ArrayLike<number>) =>
  Array.from(a).reduce((sum, x, i) => sum + x * b[i]!, 0);
const rowsOf = ({ vectors, dim }: { vectors: Float32Array; dim: number }) =>
  Array.from({ length: vectors.length / dim }, (_, i) => vectors.subarray(i * dim, (i + 1) * dim));

describe('the tokens of the sentence encoder', () => {
  const json = (file: string) => JSON.parse(readFileSync(path.join(modelDir, file), 'utf8')) as object;
  const encode = createTextEncoder(json('tokenizer.json'), json('tokenizer_config.json'));

  it('are those of the Python reference in all 50 golden texts, cuts included', () => {
    const own = golden.rows.map(({ text }) => encode(text));
    expect(own.map(({ ids }) => ids)).toEqual(golden.rows.map(({ ids }) => ids));
    expect(own.map(({ truncated }) => truncated)).toEqual(golden.rows.map(({ truncated }) => truncated));
    expect(own.some(({ truncated }) => truncated)).toBe(true);
  });

  it('tell the share that the vocabulary lacks', () => {
    expect(encode('The weather is good.').unknown).toBe(0);
    expect(encode('🙂 🙃 🙂').unknown).toBe(1);
    expect(encode('good 🙂').unknown).toBe(0.5);
    expect(encode('').unknown).toBe(0);
  });

  it('of a very long text are those of its beginning', () => {
    const words = Array.from({ length: 50_000 }, (_, i) => `word${i}`);
    expect(encode(words.join(' '))).toEqual(encode(words.slice(0, 300).join(' ')));
    expect(encode(words.join(' ')).truncated).toBe(true);
  });
});

describe('the embedder', () => {
  const embedder = createEmbedder({ workerPath, modelDir, ortDir, threads: 1 });
  afterAll(() => embedder.close());

  it('agrees with sentence-transformers on the golden texts', async () => {
    const rows = rowsOf(
      await embedder.embed(
        golden.rows.map(({ text }) => text),
        { signal },
      ),
    );
    const cosines = rows.map((row, i) => dot(row, golden.rows[i]!.embedding));
    expect(Math.min(...cosines)).toBeGreaterThan(0.999);
    const pairErrors = rows.flatMap((a, i) =>
      rows
        .slice(0, i)
        .map((b, j) => Math.abs(dot(a, b) - dot(golden.rows[i]!.embedding, golden.rows[j]!.embedding))),
    );
    expect(pairErrors).toHaveLength((50 * 49) / 2);
    expect(Math.max(...pairErrors)).toBeLessThan(0.01);
  });

  it('gives a text the same vector to the last bit alone, in a batch, and with two threads (ollama #6187)', async () => {
    const texts = Array.from({ length: 20 }, (_, i) => `The answer to question ${i % 10} of ${i + 1} is no.`);
    const together = rowsOf(await embedder.embed(texts, { signal }));
    const backwards = rowsOf(await embedder.embed(texts.toReversed(), { signal })).toReversed();
    expect(backwards).toEqual(together);
    for (const [i, text] of texts.entries()) {
      expect(rowsOf(await embedder.embed([text], { signal }))[0]).toEqual(together[i]);
    }
    const twoThreads = createEmbedder({ workerPath, modelDir, ortDir, threads: 2 });
    expect(rowsOf(await twoThreads.embed(texts, { signal }))).toEqual(together);
    await twoThreads.close();
  });

  it('embeds each distinct text once and reports per text', async () => {
    const progress: [number, number][] = [];
    const texts = ['yes', '🙂', 'yes', 'many words '.repeat(300), 'yes', ''];
    const { vectors, dim, unknown, truncated } = await embedder.embed(texts, {
      signal,
      onProgress: (...args) => progress.push(args),
    });
    const rows = rowsOf({ vectors, dim });
    expect(rows).toHaveLength(texts.length);
    expect(rows[2]).toEqual(rows[0]);
    expect(rows[3]).not.toEqual(rows[0]);
    expect(unknown).toEqual([0, 1, 0, 0, 0, 0]);
    expect(truncated).toEqual([false, false, false, true, false, false]);
    expect(progress.at(-1)).toEqual([4, 4]);
  });

  it('keeps requests apart that run side by side', async () => {
    const texts = [['one'], ['two', 'three'], ['four']];
    const results = await Promise.all(texts.map((some) => embedder.embed(some, { signal })));
    for (const [i, some] of texts.entries())
      expect(results[i]).toEqual(await embedder.embed(some, { signal }));
  });

  it('is cancelled at once and goes on with the next request', async () => {
    const abort = new AbortController();
    const texts = Array.from({ length: 200 }, (_, i) => `${'many words '.repeat(40)} ${i}`);
    const running = embedder.embed(texts, { signal: abort.signal, onProgress: () => abort.abort() });
    await expect(running).rejects.toMatchObject({ code: 'cancelled' });
    await expect(embedder.embed(['a'], { signal: abort.signal })).rejects.toMatchObject({
      code: 'cancelled',
    });
    expect((await embedder.embed(['a'], { signal })).vectors).toHaveLength(384);
  });

  it('gives no rows for no texts', async () => {
    expect((await embedder.embed([], { signal })).vectors).toHaveLength(0);
  });
});

it('the worker stops a cancelled request at its next batch', async () => {
  const worker = new Worker(workerPath, { workerData: { modelDir, ortDir, threads: 1 } });
  const texts = Array.from({ length: 60 }, (_, i) => 'many words '.repeat(i + 1));
  const messages: FromEmbedWorker[] = [];
  await new Promise<void>((resolve) => {
    worker.on('message', (message: FromEmbedWorker) => {
      messages.push(message);
      if (messages.length === 1) {
        worker.postMessage({ type: 'cancel', id: 1 });
        worker.postMessage({ type: 'embed', id: 2, texts: ['next'] });
      }
      if (message.type === 'done') resolve();
    });
    worker.postMessage({ type: 'embed', id: 1, texts });
  });
  await worker.terminate();
  const ofFirst = messages.filter((message) => message.type === 'progress' && message.id === 1);
  expect(ofFirst.length).toBeLessThan(10);
  expect(messages.at(-1)).toMatchObject({ type: 'done', id: 2 });
});

it('the shipped files are those of SHA256SUMS, and the pinned ones', () => {
  const sums = new Map(
    readFileSync(path.join(modelDir, 'SHA256SUMS'), 'utf8')
      .trim()
      .split('\n')
      .map((line) => line.split('  ').toReversed() as [string, string]),
  );
  const files = readdirSync(modelDir).filter((file) => !['SHA256SUMS', 'README.md'].includes(file));
  expect([...sums.keys()].sort()).toEqual(files.sort());
  for (const file of files) {
    const bytes = readFileSync(path.join(modelDir, file));
    expect(createHash('sha256').update(bytes).digest('hex'), file).toBe(sums.get(file));
  }
  const { weights, tokenizer, tokenizerConfig } = SENTENCE_ENCODER;
  for (const { file, sha256 } of [weights, tokenizer, tokenizerConfig]) expect(sums.get(file)).toBe(sha256);
});

describe('an encoder that is not as shipped', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'evenkeel-models-'));
  const { weights, tokenizer, tokenizerConfig } = SENTENCE_ENCODER;
  const copy = (file: string) => copyFileSync(path.join(modelDir, file), path.join(folder, file));
  const embedder = createEmbedder({ workerPath, modelDir: folder, ortDir, threads: 1 });
  afterAll(async () => {
    await embedder.close();
    rmSync(folder, { recursive: true });
  });

  it('is refused with the file and the next step, and used once it is mended', async () => {
    copy(tokenizer.file);
    copy(tokenizerConfig.file);
    await expect(embedder.embed(['a'], { signal })).rejects.toMatchObject({
      code: 'weightsUnavailable',
      message: expect.stringContaining(weights.file) as string,
      hint: expect.stringContaining('Reinstall') as string,
    });

    const bytes = readFileSync(path.join(modelDir, weights.file));
    bytes[bytes.length >> 1]! ^= 1;
    writeFileSync(path.join(folder, weights.file), bytes);
    await expect(embedder.embed(['a'], { signal })).rejects.toMatchObject({
      code: 'weightsDamaged',
      message: expect.stringContaining(weights.file) as string,
    });

    copy(weights.file);
    expect((await embedder.embed(['a'], { signal })).vectors).toHaveLength(384);
  });

  it('is a UserError too when the runtime or the worker is missing', async () => {
    const noRuntime = createEmbedder({ workerPath, modelDir, ortDir: folder, threads: 1 });
    await expect(noRuntime.embed(['a'], { signal })).rejects.toMatchObject({
      code: 'weightsUnavailable',
      message: expect.stringContaining('ort-wasm-simd-threaded.wasm') as string,
    });
    const noWorker = createEmbedder({ workerPath: path.join(folder, 'none.cjs'), modelDir, ortDir });
    await expect(noWorker.embed(['a'], { signal })).rejects.toMatchObject({ code: 'embedderFailed' });
  });
});

describe('a worker that misbehaves', () => {
  const faulty = (idleMs?: number) =>
    createEmbedder({ workerPath: fakeWorkerPath, modelDir, ortDir, threads: 1, idleMs });

  it.each(['zero', 'NaN', 'short'])('a %s vector is refused with the index of its text', async (fault) => {
    const embedder = faulty();
    await expect(embedder.embed(['fine', 'fine', fault], { signal })).rejects.toMatchObject({
      code: 'embedderFailed',
      message: expect.stringContaining('text 2') as string,
    });
    await embedder.close();
  });

  it.each(['crash', 'throw'])(
    'after a %s everything pending fails, and the next call starts anew',
    async (fault) => {
      const embedder = faulty();
      const first = (await embedder.embed(['fine'], { signal })).unknown;
      const both = [embedder.embed([fault], { signal }), embedder.embed(['fine'], { signal })];
      for (const one of await Promise.allSettled(both)) {
        expect(one).toMatchObject({ status: 'rejected', reason: { code: 'embedderFailed' } });
      }
      expect((await embedder.embed(['fine'], { signal })).unknown).not.toEqual(first);
      await embedder.close();
    },
  );

  it('goes away when idle, stays while calls follow, and is pending no more once closed', async () => {
    const thread = async () => (await embedder.embed(['fine'], { signal })).unknown[0];
    let embedder = faulty(20);
    const first = await thread();
    expect(await thread()).toBe(first);
    await delay(300);
    expect(await thread()).not.toBe(first);
    await embedder.close();

    embedder = faulty();
    const pending = embedder.embed(['fine'], { signal });
    const rejected = expect(pending).rejects.toMatchObject({ code: 'cancelled' });
    await embedder.close();
    await rejected;
  });
});
