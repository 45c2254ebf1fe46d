/** Runs that are killed at any instant go on from what is on disk, and two at once share it. */
import { createHash } from 'node:crypto';
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { runRecordSchema, sampleSchema, type RunRecord } from '../../src/contracts/runRecord';
import { createRng } from '../../src/stats/rng';
import { makePlace, runCli } from '../cli/runCli';
import { chunk, startFakeOpenAi } from '../contract/fakeOpenAiServer';

/** More of them with EVENKEEL_KILLS=200. */
const KILLS = Number(process.env['EVENKEEL_KILLS'] ?? 12);
const WORDS = ['yes', 'no', 'perhaps', 'it depends'];

let place: Awaited<ReturnType<typeof makePlace>>;
let server: Awaited<ReturnType<typeof startFakeOpenAi>>;

/** Answers by prompt and seed, after a few milliseconds, so that there is an instant to be killed in. */
const chat: Parameters<typeof startFakeOpenAi>[0] = ({ body }, answer) => {
  const hash = createHash('sha256')
    .update(JSON.stringify([body['messages'], body['seed']]))
    .digest();
  const usage = { choices: [], usage: { prompt_tokens: 20, completion_tokens: 2 } };
  setTimeout(
    () => answer.stream([chunk(WORDS[hash[0]! % WORDS.length]!, 'stop'), usage, '[DONE]']),
    2 + (hash[1]! % 8),
  );
};
const keyOf = ({ body }: { body: Record<string, unknown> }) =>
  JSON.stringify([body['messages'], body['seed']]);

beforeAll(async () => {
  place = await makePlace();
  await writeFile(
    path.join(place.dir, 'a.prompt'),
    'Will it rain tomorrow? Please do not explain. Answer in one word.\n',
  );
});
afterAll(() => rm(place.dir, { recursive: true, force: true }));
beforeEach(async () => {
  server = await startFakeOpenAi(chat);
});
afterEach(async () => {
  await server.stop();
  for (const name of ['runs', 'answers']) {
    await rm(path.join(place.cacheDir, name), { recursive: true, force: true });
  }
});

const SIZE = ['--samples', '8', '--limit', '4', '--json', '--seed', '11', '--model', 'lab:m'];
const endpoint = () => ['--endpoint', `lab=${server.baseUrl}`];
const cli = (args: string[], onStart?: Parameters<typeof runCli>[1]['onStart']) =>
  runCli(args, { env: place.env, cwd: place.dir, ...(onStart === undefined ? {} : { onStart }) });
const check = (more: string[] = [], onStart?: Parameters<typeof runCli>[1]['onStart']) =>
  cli(['robustness', 'a.prompt', ...SIZE, ...endpoint(), ...more], onStart);
const recordIn = (stdout: string): RunRecord => runRecordSchema.parse(JSON.parse(stdout));

/** Everything of a record that is not a time, an id or who paid. */
function lasting(record: RunRecord) {
  const samples = record.samples.map(({ startedAtMs: _, latencyMs: __, cached: ___, ...sample }) => sample);
  const { prompt, options, seed, perturbations, conditions, comparisons, noiseFloor, mde, conclusion } =
    record;
  return {
    samples,
    prompt,
    options,
    seed,
    perturbations,
    conditions,
    comparisons,
    noiseFloor,
    mde,
    conclusion,
  };
}

async function lines(...names: string[]): Promise<string[]> {
  const text = await readFile(path.join(place.cacheDir, ...names), 'utf8').catch(() => '');
  return text.split('\n').filter((line) => line !== '');
}

describe('a run that is killed', () => {
  it(`goes on to the same result and pays for no answer twice (${KILLS} kills)`, async () => {
    const whole = lasting(recordIn((await check(['--no-cache'])).stdout));
    const rng = createRng(20_261_201, 'kills');
    let resumed = 0;
    for (let kill = 0; kill < KILLS; kill++) {
      for (const name of ['runs', 'answers']) {
        await rm(path.join(place.cacheDir, name), { recursive: true, force: true });
      }
      server.requests.length = 0;
      const after = rng.below(45);
      const killed = await check([], (child) => {
        // So many requests seen, and then at once: that is in the middle of whatever it does.
        const watch = setInterval(() => {
          if (server.requests.length < after) return;
          child.kill('SIGKILL');
          clearInterval(watch);
        }, 1);
        child.once('close', () => clearInterval(watch));
      });
      const [runId] = await readdir(path.join(place.cacheDir, 'runs')).catch(() => []);
      const onDisk = (await lines('runs', runId ?? 'none', 'samples.jsonl')).flatMap((line) => {
        try {
          return [sampleSchema.parse(JSON.parse(line)).seed];
        } catch {
          return [];
        }
      });
      const seenBefore = server.requests.length;
      const begun = runId !== undefined && (await lines('runs', runId, 'request.json')).length === 1;
      // Half go on by their id, half by saying the same again.
      const byId = begun && kill % 2 === 0;
      if (byId) resumed++;
      const again = byId ? await cli(['resume', runId, '--json', ...endpoint()]) : await check();
      expect(again.stderr).not.toContain('error');
      expect(lasting(recordIn(again.stdout))).toEqual(whole);
      const askedAgain = server.requests.slice(seenBefore).map(({ body }) => body['seed']);
      expect(askedAgain.filter((seed) => onDisk.includes(seed as number))).toEqual([]);
      expect(killed.code === null || killed.code <= 3).toBe(true);
    }
    expect(resumed).toBeGreaterThan(KILLS / 6);
  }, 1_800_000);

  it('two at once share what is kept: both end alike, nothing is lost or kept twice', async () => {
    const [first, second] = await Promise.all([check(), check()]);
    expect(lasting(recordIn(second.stdout))).toEqual(lasting(recordIn(first.stdout)));
    const distinct = new Set(server.requests.filter(({ path: to }) => to.includes('chat')).map(keyOf));
    const kept = JSON.parse((await cli(['cache', '--json'])).stdout) as { entries: number };
    expect(kept.entries).toBe(distinct.size);
    const calls = server.requests.length;
    const third = recordIn((await check()).stdout);
    expect(third.actual).toMatchObject({ calls: 40, cached: 40 });
    expect(server.requests.slice(calls).filter(({ path: to }) => to.includes('chat'))).toEqual([]);
  });
});
