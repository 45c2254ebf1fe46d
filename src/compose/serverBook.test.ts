import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openServerBook } from './serverBook';

let cacheDir: string;
beforeEach(async () => {
  cacheDir = await mkdtemp(path.join(os.tmpdir(), 'evenkeel-servers-'));
});
afterEach(() => rm(cacheDir, { recursive: true, force: true }));

const nothing = { concurrency: null, severalAnswers: null };

it('remembers by server and model', async () => {
  const book = openServerBook(cacheDir, 'http://127.0.0.1:8000/v1', 'm');
  expect(await book.recall()).toEqual(nothing);
  await book.learn({ concurrency: 16, severalAnswers: true });
  expect(await openServerBook(cacheDir, 'http://127.0.0.1:8000/v1', 'm').recall()).toEqual({
    concurrency: 16,
    severalAnswers: true,
  });
  expect(await openServerBook(cacheDir, 'http://127.0.0.1:8001/v1', 'm').recall()).toEqual(nothing);
});

it('a damaged book counts as empty and is written anew', async () => {
  const file = path.join(cacheDir, 'servers.json');
  await writeFile(file, '{"x": 7');
  const book = openServerBook(cacheDir, 'http://127.0.0.1:8000/v1', 'm');
  expect(await book.recall()).toEqual(nothing);
  await book.learn({ concurrency: 2, severalAnswers: null });
  expect(JSON.parse(await readFile(file, 'utf8'))).toEqual({
    'http://127.0.0.1:8000/v1 m': { concurrency: 2, severalAnswers: null },
  });
});
