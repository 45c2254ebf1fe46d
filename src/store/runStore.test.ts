import { spawn } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { RUN_RECORD_VERSION, type RunRecord, type Sample } from '../contracts/runRecord';
import { createRunStore } from './runStore';

let cacheDir: string;
beforeEach(() => {
  cacheDir = mkdtempSync(path.join(tmpdir(), 'evenkeel-store-'));
});
afterEach(() => rmSync(cacheDir, { recursive: true, force: true }));

const sample = (index: number): Sample => ({
  conditionId: 'baseline',
  index,
  seed: index,
  outcome: 'ok',
  text: `answer ${index} with a\nnew line and \u2028 a separator`,
  finishReason: 'stop',
  clipped: false,
  promptTokens: 5,
  completionTokens: 3,
  latencyMs: 10,
  startedAtMs: 1,
  position: index,
});

const record = (id: string, finishedAt: string, samples: Sample[] = []): RunRecord => ({
  version: RUN_RECORD_VERSION,
  id,
  kind: 'robustness',
  state: 'complete',
  startedAt: '2026-01-01T00:00:00.000Z',
  finishedAt,
  versions: { evenkeel: '0.1.0' },
  reproduce: 'evenkeel robustness a.prompt',
  prompt: { source: null, text: 'Hello', variables: {} },
  model: {
    id: 'ollama:smollm2:135m',
    provider: 'ollama',
    resolved: 'smollm2:135m',
    digest: null,
    baseUrl: null,
    parameterSize: null,
    quantization: null,
    contextLength: null,
    runtime: null,
  },
  embedders: [],
  family: [],
  seed: 1,
  options: {
    samples: 20,
    permutations: 999,
    alpha: 0.05,
    multiplicity: 'holm',
    equivalenceMargin: null,
    repeatArm: false,
    bins: 30,
    bootstrapDraws: 1000,
    temperature: 1,
    topP: 1,
    answerTokens: 24,
    wholeAnswers: false,
    system: null,
  },
  plan: {
    conditions: 1,
    calls: 1,
    promptTokens: null,
    completionTokensAtMost: 24,
    seconds: null,
    secondsAre: 'unknown',
    priceUsd: null,
    pFloor: 0.001,
  },
  actual: { calls: 1, promptTokens: null, completionTokens: null, seconds: 1, phases: {} },
  perturbations: [],
  conditions: [],
  samples,
  comparisons: [],
  noiseFloor: null,
  mde: null,
  embedding: null,
  conclusion: { state: 'steady', warnings: [] },
  error: null,
});

test('a finished run reads back equal, and the list has the newest first', async () => {
  const store = createRunStore({ cacheDir });
  const older = record('run-b', '2026-01-01T10:00:00.000Z', [sample(0)]);
  const newer = record('run-a', '2026-01-02T10:00:00.000Z');
  for (const one of [older, newer]) {
    await store.begin(one.id);
    await store.finish(one);
  }
  expect(await store.read('run-b')).toEqual(older);
  expect((await store.list()).map(({ id }) => id)).toEqual(['run-a', 'run-b']);
  expect(statSync((await store.list())[0]!.path).mode & 0o077).toBe(0);
});

test('an empty or missing cache lists nothing', async () => {
  expect(await createRunStore({ cacheDir }).list()).toEqual([]);
  expect(await createRunStore({ cacheDir: path.join(cacheDir, 'none') }).list()).toEqual([]);
});

test('samples appended side by side are all on disk, whole, when their promise resolves', async () => {
  const store = createRunStore({ cacheDir });
  await store.begin('run');
  await Promise.all(
    Array.from({ length: 50 }, async (_, i) => {
      await store.appendSample('run', sample(i));
      const kept = readFileSync(path.join(cacheDir, 'runs', 'run', 'samples.jsonl'), 'utf8').split('\n');
      expect(kept).toContain(JSON.stringify(sample(i)));
    }),
  );
  expect(await store.readSamples('run')).toEqual(Array.from({ length: 50 }, (_, i) => sample(i)));
});

test('a process killed in mid-run loses no sample that it was told is kept', async () => {
  const child = spawn(
    process.execPath,
    [
      '--import',
      'tsx',
      '--input-type=module',
      '-e',
      `const { createRunStore } = await import(${JSON.stringify(path.join(import.meta.dirname, 'runStore.ts'))});
       const store = createRunStore({ cacheDir: ${JSON.stringify(cacheDir)} });
       const sample = ${JSON.stringify(sample(0))};
       for (let index = 0; ; index += 1) {
         await store.appendSample('run', { ...sample, index });
         process.stdout.write(index + '\\n');
       }`,
    ],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  let told = '';
  await new Promise<void>((resolve) => {
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      told += text;
      if (told.split('\n').length > 20) resolve();
    });
  });
  child.kill('SIGKILL');
  await once(child, 'close');
  const lastTold = Number(told.trimEnd().split('\n').at(-1));

  const store = createRunStore({ cacheDir });
  const kept = await store.readSamples('run');
  expect(kept.length).toBeGreaterThan(lastTold);
  expect(kept.map(({ index }) => index)).toEqual(kept.map((_, i) => i));
  await expect(store.read('run')).rejects.toMatchObject({
    code: 'fileNotFound',
    message: expect.stringContaining('kept'),
  });
});

test('half a line from a crash does not swallow the next sample', async () => {
  mkdirSync(path.join(cacheDir, 'runs', 'run'), { recursive: true });
  const file = path.join(cacheDir, 'runs', 'run', 'samples.jsonl');
  writeFileSync(file, `${JSON.stringify(sample(0))}\n`);
  appendFileSync(file, JSON.stringify(sample(1)).slice(0, 40));
  const store = createRunStore({ cacheDir });
  await store.appendSample('run', sample(2));
  expect((await store.readSamples('run')).map(({ index }) => index)).toEqual([0, 2]);
});

describe('what cannot be read', () => {
  test.each([
    ['garbage', '\u0000\u0001 not json'],
    ['cut short', JSON.stringify(record('run', '2026-01-01T10:00:00.000Z')).slice(0, 300)],
    ['of another shape', JSON.stringify({ ...record('run', '2026-01-01T10:00:00.000Z'), seed: 'one' })],
    ['of another version', JSON.stringify({ ...record('run', '2026-01-01T10:00:00.000Z'), version: 99 })],
  ])('a record that is %s is storeDamaged, and the others still list', async (_, text) => {
    const store = createRunStore({ cacheDir });
    await store.finish(record('good', '2026-01-01T10:00:00.000Z'));
    mkdirSync(path.join(cacheDir, 'runs', 'run'));
    writeFileSync(path.join(cacheDir, 'runs', 'run', 'record.json'), text);
    await expect(store.read('run')).rejects.toMatchObject({ code: 'storeDamaged' });
    expect((await store.list()).map(({ id }) => id)).toContain('good');
  });

  test('a run that does not exist, and ids that name paths', async () => {
    const store = createRunStore({ cacheDir });
    await expect(store.read('nowhere')).rejects.toMatchObject({ code: 'fileNotFound' });
    for (const id of ['../outside', '..', '', 'a/b', '.hidden'])
      await expect(store.read(id)).rejects.toMatchObject({ code: 'usage' });
  });
});

describe('what cannot be written', () => {
  test('a file where the folder should be', async () => {
    writeFileSync(path.join(cacheDir, 'runs'), '');
    const store = createRunStore({ cacheDir });
    await expect(store.begin('run')).rejects.toMatchObject({ code: 'cacheNotWritable' });
    await expect(store.finish(record('run', '2026-01-01T10:00:00.000Z'))).rejects.toMatchObject({
      code: 'cacheNotWritable',
    });
  });

  test.skipIf(process.platform === 'win32')('a read-only folder', async () => {
    chmodSync(cacheDir, 0o555);
    // Nothing is read-only to root, so root becomes nobody for a moment.
    const root = process.getuid?.() === 0;
    if (root) process.seteuid?.(65_534);
    try {
      await expect(createRunStore({ cacheDir }).begin('run')).rejects.toMatchObject({
        code: 'cacheNotWritable',
      });
    } finally {
      if (root) process.seteuid?.(0);
      chmodSync(cacheDir, 0o700);
    }
  });

  test.skipIf(process.platform !== 'linux')('a full disk', async () => {
    mkdirSync(path.join(cacheDir, 'runs', 'run'), { recursive: true });
    // The kernel's own full device.
    symlinkSync('/dev/full', path.join(cacheDir, 'runs', 'run', 'samples.jsonl'));
    const store = createRunStore({ cacheDir });
    await expect(store.appendSample('run', sample(0))).rejects.toMatchObject({ code: 'diskFull' });
  });
});
