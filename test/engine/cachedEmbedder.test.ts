import { createHash } from 'node:crypto';
import { readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cachedEmbedder } from '../../src/engine/cachedEmbedder';
import type { Embedder } from '../../src/engine/ports';
import { createVectorCache } from '../../src/store/vectorCache';
import { openBench, type Bench } from './checkRun';

let bench: Bench;
beforeAll(async () => {
  bench = await openBench();
});
afterAll(() => bench.close());

const hash = (text: string) => createHash('sha256').update(text).digest('hex');
const options = { signal: new AbortController().signal };

/** The real encoder, and what it was asked to embed. */
function counting(digest = bench.embedder.digest) {
  const asked: string[][] = [];
  const inner: Embedder = {
    ...bench.embedder,
    digest,
    embed: (texts, given) => {
      asked.push(texts);
      return bench.embedder.embed(texts, given);
    },
  };
  const cache = createVectorCache({ cacheDir: bench.cacheDir });
  return { embedder: cachedEmbedder(inner, { cache, hash }), asked };
}

describe('an encoder with kept vectors', () => {
  const TEXTS = ['The food was cold.', 'Negative', '', '\ud800 zzz', 'word '.repeat(400)];

  it('gives the same bits, and embeds only what is new', async () => {
    const plain = await bench.embedder.embed(TEXTS, options);
    const first = counting();
    expect(await first.embedder.embed(TEXTS, options)).toEqual(plain);
    const second = counting();
    expect(await second.embedder.embed(TEXTS, options)).toEqual(plain);
    expect(second.asked).toEqual([]);
    const third = counting();
    const mixed = await third.embedder.embed(['Negative', 'A new one', 'Negative'], options);
    expect(third.asked).toEqual([['A new one']]);
    expect(mixed.vectors.slice(0, mixed.dim)).toEqual(plain.vectors.slice(plain.dim, 2 * plain.dim));
    expect(mixed.vectors.slice(2 * mixed.dim)).toEqual(mixed.vectors.slice(0, mixed.dim));
  });

  it('takes none of another encoder, and none that is damaged', async () => {
    const other = counting('another');
    await other.embedder.embed(['Negative'], options);
    expect(other.asked).toEqual([['Negative']]);
    const folder = path.join(bench.cacheDir, 'vectors', 'content-v2');
    for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
      if (entry.isFile()) await writeFile(path.join(entry.parentPath, entry.name), 'garbage');
    }
    const plain = await bench.embedder.embed(['Negative'], options);
    expect(await counting().embedder.embed(['Negative'], options)).toEqual(plain);
  });
});
