import { execFileSync } from 'node:child_process';
/** What may happen to kept answers between two runs and beside one: nothing of a run is lost, and nobody is stopped. */
import { createHash } from 'node:crypto';
import { chmod, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { runRecordSchema, type RunRecord } from '../../src/contracts/runRecord';
import { makePlace, runCli } from '../cli/runCli';
import { chunk, startFakeOpenAi } from '../contract/fakeOpenAiServer';

let place: Awaited<ReturnType<typeof makePlace>>;
let server: Awaited<ReturnType<typeof startFakeOpenAi>>;
beforeAll(async () => {
  place = await makePlace();
  for (const [name, what] of [
    ['a', 'rain'],
    ['b', 'snow'],
  ])
    await writeFile(
      path.join(place.dir, `${name}.prompt`),
      `Will it ${what} tomorrow? Please do not explain. Answer in one word.\n`,
    );
  server = await startFakeOpenAi(({ body }, answer) => {
    const hash = createHash('sha256')
      .update(JSON.stringify([body['messages'], body['seed']]))
      .digest();
    const usage = { choices: [], usage: { prompt_tokens: 20, completion_tokens: 2 } };
    answer.stream([chunk(['yes', 'no', 'perhaps'][hash[0]! % 3]!, 'stop'), usage, '[DONE]']);
  });
});
afterAll(async () => {
  await server.stop();
  await rm(place.dir, { recursive: true, force: true });
});
beforeEach(() => void (server.requests.length = 0));
afterEach(async () => {
  for (const name of ['runs', 'answers', 'answers.size.json'])
    await rm(path.join(place.cacheDir, name), { recursive: true, force: true });
});

const ANSWERS = 5 * 8;
const answersDir = () => path.join(place.cacheDir, 'answers');
const check = async (file = 'a', env: NodeJS.ProcessEnv = {}): Promise<RunRecord & { stderr: string }> => {
  const { stdout, stderr } = await runCli(
    [
      ...['robustness', `${file}.prompt`, '--samples', '8', '--limit', '4', '--json', '--seed', '11'],
      ...['--model', 'lab:m', '--endpoint', `lab=${server.baseUrl}`],
    ],
    { env: { ...place.env, ...env }, cwd: place.dir },
  );
  expect(stderr).not.toMatch(/^error/m);
  return { ...runRecordSchema.parse(JSON.parse(stdout)), stderr };
};
const textsOf = ({ samples }: RunRecord) => samples.map(({ position, text }) => ({ position, text }));
const filesUnder = async (folder: string): Promise<string[]> =>
  (await readdir(folder, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name));

it.each([['content-v2'], ['index-v5']])(
  'a cache file replaced by garbage (%s): only that answer is asked for again, and the result is the same',
  async (part) => {
    const first = await check();
    const files = (await filesUnder(path.join(answersDir(), part))).sort();
    for (const file of files.filter((_, i) => i % 10 === 0)) await writeFile(file, '\u0000garbage\n{"a":');
    server.requests.length = 0;
    const second = await check();
    expect(textsOf(second)).toEqual(textsOf(first));
    expect(second.comparisons).toEqual(first.comparisons);
    expect(server.requests.length).toBeGreaterThan(0);
    expect(server.requests.length).toBeLessThanOrEqual(Math.ceil(files.length / 10));
    // They are whole again.
    expect((await check()).actual).toMatchObject({ calls: ANSWERS, cached: ANSWERS });
  },
);

it('a cache folder that takes no answers: the run goes on without, and says so once', async () => {
  await writeFile(answersDir(), 'in the way');
  const record = await check();
  expect(record.state).toBe('complete');
  expect(record.samples).toHaveLength(ANSWERS);
  expect(record.stderr.match(/cannot be kept for later runs/g)).toHaveLength(1);
});

it('a read-only cache folder: what is kept is used, what is new goes on without', async () => {
  const first = await check();
  const writable = await makeReadOnly(answersDir());
  try {
    expect(textsOf(await check())).toEqual(textsOf(first));
    expect((await check('b')).state).toBe('complete');
  } finally {
    await writable();
  }
});

/** @returns what makes it writable again. Root may write whatever its mode says: there the folder is mounted read-only. */
async function makeReadOnly(folder: string): Promise<() => Promise<void>> {
  if (process.getuid?.() === 0) {
    execFileSync('mount', ['--bind', folder, folder]);
    execFileSync('mount', ['-o', 'remount,ro,bind', folder]);
    return async () => void execFileSync('umount', [folder]);
  }
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true }))
    if (entry.isDirectory()) await chmod(path.join(entry.parentPath, entry.name), 0o500);
  await chmod(folder, 0o500);
  return () => chmod(folder, 0o700);
}

it('a tiny cap and two processes at once: both runs are whole, their answers stay with them, and the cache obeys', async () => {
  // Twelve answers, of eighty that are drawn.
  const cap = { EVENKEEL_CACHE_MB: '0.1' };
  const [a, b] = await Promise.all([check('a', cap), check('b', cap)]);
  for (const record of [a, b]) {
    expect(record).toMatchObject({ state: 'complete', actual: { calls: ANSWERS, cached: 0 } });
    const samples = await readFile(path.join(place.cacheDir, 'runs', record.id, 'samples.jsonl'), 'utf8');
    expect(samples.trim().split('\n')).toHaveLength(ANSWERS);
    const shown = await runCli(['report', record.id, '--format', 'json'], { env: place.env, cwd: place.dir });
    expect(runRecordSchema.parse(JSON.parse(shown.stdout)).samples).toEqual(record.samples);
  }
  const { bytes, entries } = JSON.parse(
    (await runCli(['cache', '--json'], { env: place.env, cwd: place.dir })).stdout,
  ) as { bytes: number; entries: number };
  // What is remembered of the model is no answer, and one block of each.
  expect(bytes).toBeLessThanOrEqual(100_000 + 2 * 8_192);
  expect(entries).toBeGreaterThan(0);
  // The evicted are asked for again, and nothing else changes.
  expect(textsOf(await check('a', cap))).toEqual(textsOf(a));
});

it('a cap that is no number is refused', async () => {
  const refused = await runCli(['cache'], {
    env: { ...place.env, EVENKEEL_CACHE_MB: 'much' },
    cwd: place.dir,
  });
  expect(refused.code).toBe(2);
  expect(refused.stderr).toMatch(/EVENKEEL_CACHE_MB is not a number/);
});
