import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { CATALOGUE } from './catalogue';
import { catalogueEntryOf, listInProcessModels, locateWeights } from './inProcessModels';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'evenkeel-models-'));
  mkdirSync(path.join(folder, 'models'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const locate = (id: string) =>
  locateWeights({ id, cacheDir: folder, workingDir: folder, signal: new AbortController().signal });
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

test('every entry has a distinct id and file, a digest, a licence and a source', () => {
  expect(new Set(CATALOGUE.map((entry) => entry.id)).size).toBe(CATALOGUE.length);
  expect(new Set(CATALOGUE.map((entry) => entry.fileName)).size).toBe(CATALOGUE.length);
  for (const entry of CATALOGUE) {
    expect(entry.sha256).toMatch(/^[0-9a-f]{64}$/);
    expect(entry.sources.length).toBeGreaterThan(0);
    expect(entry.licence).toBe('Apache-2.0');
  }
});

test('an empty cache: everything is to be downloaded; a file of the wrong size is damaged', async () => {
  writeFileSync(path.join(folder, 'models', CATALOGUE[0]!.fileName), 'GGUF');
  const states = (await listInProcessModels({ cacheDir: folder })).map((model) => model.state);
  expect(states).toEqual(['damaged', 'download', 'download']);
});

test('ids: catalogue, own path, neither', () => {
  expect(catalogueEntryOf('local:smollm2-135m')?.quantization).toBe('Q4_1');
  for (const id of ['local:/models/x.gguf', 'local:./x.bin', 'local:x.gguf', 'local:C:\\x.gguf']) {
    expect(catalogueEntryOf(id)).toBeNull();
  }
  expect(() => catalogueEntryOf('local:smollm3')).toThrow(expect.objectContaining({ code: 'unknownModel' }));
});

test('weights that are not there: fetch them, or check the path', async () => {
  await expect(locate('local:smollm2-135m')).rejects.toMatchObject({ code: 'modelNotInstalled' });
  await expect(locate('local:./mine.gguf')).rejects.toMatchObject({ code: 'fileNotFound' });
});

test('own file: its digest, computed anew when the file changes', async () => {
  const file = path.join(folder, 'mine.gguf');
  writeFileSync(file, 'GGUF one');
  expect(await locate('local:mine.gguf')).toEqual({ modelPath: file, digest: sha256('GGUF one') });
  writeFileSync(file, 'GGUF two');
  utimesSync(file, 1, 1);
  expect((await locate(`local:${file}`)).digest).toBe(sha256('GGUF two'));
});

test('the digest is remembered by size and time, and a damaged memory is no harm', async () => {
  const file = path.join(folder, 'mine.gguf');
  writeFileSync(file, 'GGUF one');
  utimesSync(file, 1, 1);
  await locate('local:mine.gguf');
  writeFileSync(file, 'GGUF 1!!');
  utimesSync(file, 1, 1);
  expect((await locate('local:mine.gguf')).digest).toBe(sha256('GGUF one'));
  writeFileSync(path.join(folder, 'models/digests.json'), '{"broken');
  expect((await locate('local:mine.gguf')).digest).toBe(sha256('GGUF 1!!'));
});

test('damaged weights are named: no GGUF, or another digest than the catalogue', async () => {
  writeFileSync(path.join(folder, 'mine.gguf'), '<html>');
  await expect(locate('local:mine.gguf')).rejects.toMatchObject({ code: 'weightsDamaged' });
  writeFileSync(path.join(folder, 'models', CATALOGUE[2]!.fileName), 'GGUF but not this one');
  await expect(locate('local:smollm2-135m')).rejects.toMatchObject({
    code: 'weightsDamaged',
    message: expect.stringContaining('SHA-256'),
  });
});
