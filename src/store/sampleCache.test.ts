import { mkdtemp, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ModelIdentity } from '../contracts/runRecord';
import type { Reply } from '../engine/ports';
import { createSampleCache } from './sampleCache';

let cacheDir: string;
beforeEach(async () => {
  cacheDir = await mkdtemp(path.join(os.tmpdir(), 'evenkeel-answers-'));
});
afterEach(() => rm(cacheDir, { recursive: true, force: true }));

const replyOf = (text: string): Reply => ({
  seed: 7,
  outcome: 'ok',
  text,
  finishReason: 'stop',
  promptTokens: 3,
  completionTokens: 1,
  latencyMs: 12.5,
  startedAtMs: 1_700_000_000_000,
});
const open = () => createSampleCache({ cacheDir });

async function contentFiles(): Promise<string[]> {
  const folder = path.join(cacheDir, 'answers', 'content-v2');
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => path.join(entry.parentPath, entry.name));
}

describe('kept answers', () => {
  it('come back as they were, whatever they hold, in another process as well', async () => {
    const texts = ['', '\ud800', '\u0000\u202e', '"}\n', '🇨🇭'.repeat(5_000)];
    for (const [i, text] of texts.entries())
      expect(await open().put(`key${i}`, replyOf(text), 'm')).toBeNull();
    for (const [i, text] of texts.entries()) expect(await open().get(`key${i}`)).toEqual(replyOf(text));
    expect(await open().get('another')).toBeNull();
  });

  it('are private to the person', async () => {
    await open().put('key', replyOf('x'), 'm');
    expect((await stat(path.join(cacheDir, 'answers'))).mode & 0o077).toBe(0);
  });

  it.each<[string, (file: string) => Promise<void>]>([
    ['replaced by garbage', (file) => writeFile(file, 'garbage')],
    ['cut short', (file) => truncate(file, 5)],
    ['emptied', (file) => truncate(file, 0)],
    ['gone', (file) => rm(file)],
  ])('are dropped when damaged (%s), and can be kept anew', async (_, damage) => {
    const cache = open();
    await cache.put('key', replyOf('x'), 'm');
    for (const file of await contentFiles()) await damage(file);
    expect(await cache.get('key')).toBeNull();
    expect(await cache.put('key', replyOf('x'), 'm')).toBeNull();
    expect(await open().get('key')).toEqual(replyOf('x'));
  });

  it('say in words that they cannot be kept, and stop nothing', async () => {
    await writeFile(path.join(cacheDir, 'answers'), 'in the way');
    const why = await open().put('key', replyOf('x'), 'm');
    expect(why).toMatch(
      /^Answers cannot be kept for later runs in .+\(E[A-Z]+\)\. This run goes on without\.$/,
    );
    expect(await open().get('key')).toBeNull();
    expect(await open().summary()).toMatchObject({ entries: 0 });
  });

  it('of many writers at once are all there, none twice', async () => {
    const caches = [open(), open(), open()];
    await Promise.all(
      caches.flatMap((cache) =>
        Array.from({ length: 40 }, (_, i) => cache.put(`k${i}`, replyOf(`t${i}`), 'm')),
      ),
    );
    expect((await open().summary()).entries).toBe(40);
    for (let i = 0; i < 40; i++) expect((await open().get(`k${i}`))?.text).toBe(`t${i}`);
  });

  it('are counted by model', async () => {
    const cache = open();
    await cache.put('a', replyOf('x'), 'local:a');
    await cache.put('b', replyOf('y'), 'local:b');
    await cache.put('c', replyOf('z'), 'local:b');
    const summary = await cache.summary();
    expect(summary.entries).toBe(3);
    expect(summary.byModel.map(({ modelId, entries }) => [modelId, entries])).toEqual([
      ['local:b', 2],
      ['local:a', 1],
    ]);
  });

  it('are verified: the damaged one goes, the others stay', async () => {
    const cache = open();
    await cache.put('a', replyOf('x'), 'm');
    const [file] = await contentFiles();
    await cache.put('b', replyOf('y'), 'm');
    await writeFile(file!, 'garbage');
    expect(await cache.verify()).toMatchObject({ dropped: 1 });
    expect((await cache.summary()).entries).toBe(1);
    expect(await cache.get('b')).toEqual(replyOf('y'));
  });

  it('are pruned by age and by size, the oldest first', async () => {
    const cache = open();
    for (const key of ['a', 'b', 'c']) {
      await cache.put(key, replyOf(`answer ${key}`), 'm');
      // Entries are dated to the millisecond.
      for (const now = Date.now(); Date.now() === now;) await new Promise((resolve) => setImmediate(resolve));
    }
    const { bytes } = await cache.summary();
    expect(await cache.prune({ maxBytes: bytes, nowMs: Date.now() })).toMatchObject({ removed: 0 });
    expect(await cache.prune({ maxBytes: bytes - 1, nowMs: Date.now() })).toMatchObject({ removed: 1 });
    expect([await cache.get('a'), (await cache.get('c'))?.text]).toEqual([null, 'answer c']);
    const later = Date.now() + 2_000;
    expect(await cache.prune({ olderThanMs: 60_000, nowMs: later })).toMatchObject({ removed: 0 });
    expect(await cache.prune({ olderThanMs: 1_000, nowMs: later })).toMatchObject({ removed: 2 });
    expect((await cache.summary()).entries).toBe(0);
    expect(await contentFiles().catch(() => [])).toEqual([]);
  });

  it('remember what a model was', async () => {
    const identity: ModelIdentity = {
      id: 'local:a',
      provider: 'local',
      resolved: 'a.gguf',
      digest: 'd',
      baseUrl: null,
      parameterSize: null,
      quantization: null,
      contextLength: 2_048,
      runtime: 'r',
    };
    await open().putIdentity('who', identity);
    expect(await open().getIdentity('who')).toEqual(identity);
    expect((await open().summary()).entries).toBe(0);
  });
});

describe('the cap', () => {
  /** Each of these lies on two blocks. */
  const entryBytes = 8_192;
  const filled = async (keys: string[], maxBytes: number) => {
    const cache = createSampleCache({ cacheDir, maxBytes });
    for (const key of keys) {
      await cache.put(key, replyOf(`answer ${key}`), 'm');
      for (const now = Date.now(); Date.now() === now;) await new Promise((resolve) => setImmediate(resolve));
    }
    return cache;
  };
  const kept = async () => (await createSampleCache({ cacheDir }).summary()).entries;

  it('evicts the oldest when it is passed, and their files with them', async () => {
    const keys = Array.from({ length: 20 }, (_, i) => `k${i}`);
    const cache = await filled(keys, 10 * entryBytes);
    await cache.keepUnderCap(Date.now());
    expect(await kept()).toBe(9);
    expect(await contentFiles()).toHaveLength(9);
    const index = await readdir(path.join(cacheDir, 'answers', 'index-v5'), {
      recursive: true,
      withFileTypes: true,
    });
    expect(index.filter((entry) => entry.isFile())).toHaveLength(9);
    expect((await Promise.all(keys.map((key) => cache.get(key)))).map((reply) => reply !== null)).toEqual(
      keys.map((_, i) => i >= 11),
    );
  });

  it('is not looked up where it cannot be passed: the answers are not even listed', async () => {
    const cache = await filled(['a'], 100 * entryBytes);
    await cache.keepUnderCap(Date.now());
    const book = path.join(cacheDir, 'answers.size.json');
    const checkedAtMs = JSON.parse(await readFile(book, 'utf8')).checkedAtMs as number;
    await cache.put('b', replyOf('b'), 'm');
    await cache.keepUnderCap(Date.now());
    expect(JSON.parse(await readFile(book, 'utf8'))).toEqual({ checkedAtMs, bytes: 2 * entryBytes });
  });

  it.each(['garbage', '{}', ''])('finds its way back when its book is spoilt (%j)', async (text) => {
    const cache = await filled(['a', 'b', 'c'], 2 * entryBytes);
    await writeFile(path.join(cacheDir, 'answers.size.json'), text);
    await cache.keepUnderCap(Date.now());
    expect(await kept()).toBe(1);
  });

  it('never fails a run: a folder that cannot be read is left alone', async () => {
    await writeFile(path.join(cacheDir, 'answers'), 'in the way');
    await expect(
      createSampleCache({ cacheDir, maxBytes: 1 }).keepUnderCap(Date.now()),
    ).resolves.toBeUndefined();
  });
});
