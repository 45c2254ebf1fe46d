/** The Batch API from the command line: killed while it waits, and taken up days later from the run's folder alone. */
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { runRecordSchema, type RunRecord } from '../../src/contracts/runRecord';
import { makePlace, runCli } from '../cli/runCli';
import { allAnswered, startFakeBatchServer } from '../contract/fakeBatchServer';

let place: Awaited<ReturnType<typeof makePlace>>;
let server: Awaited<ReturnType<typeof startFakeBatchServer>>;
beforeAll(async () => {
  place = await makePlace();
  await writeFile(
    path.join(place.dir, 'a.prompt'),
    'Will it rain tomorrow? Please do not explain. Answer in one word.\n',
  );
});
afterAll(() => rm(place.dir, { recursive: true, force: true }));
beforeEach(async () => {
  server = await startFakeBatchServer(() => null);
});
afterEach(() => server.stop());

const CHECK = [
  'robustness',
  'a.prompt',
  '--samples',
  '6',
  '--limit',
  '3',
  '--seed',
  '5',
  '--execution',
  'batch',
];
const cli = (args: string[], onStart?: Parameters<typeof runCli>[1]['onStart']) =>
  runCli([...args, '--endpoint', `lab=${server.baseUrl}`], {
    env: place.env,
    cwd: place.dir,
    ...(onStart === undefined ? {} : { onStart }),
  });
const recordIn = (stdout: string): RunRecord => runRecordSchema.parse(JSON.parse(stdout));
/** What does not depend on when it was asked. */
const lasting = ({ samples, comparisons, conclusion }: RunRecord) => ({
  samples: samples.map(({ conditionId, index, position, seed, text }) => ({
    conditionId,
    index,
    position,
    seed,
    text,
  })),
  comparisons,
  conclusion,
});

it('killed while the batch is under way: resume takes it up, makes no second one, and ends as an uninterrupted run', async () => {
  const killed = await cli([...CHECK, '--model', 'lab:m', '--no-cache'], (child) => {
    const watch = setInterval(() => {
      if (!server.calls.includes('GET /batches/batch')) return;
      clearInterval(watch);
      child.kill('SIGKILL');
    }, 5);
    child.once('close', () => clearInterval(watch));
  });
  expect(killed.code).toBeNull();
  expect(killed.stderr).toMatch(/evenkeel resume \S+/);
  const [runId] = await readdir(path.join(place.cacheDir, 'runs'));
  expect(killed.stderr).toContain(`evenkeel resume ${runId}`);
  const notes = await readFile(path.join(place.cacheDir, 'runs', runId!, 'batches.jsonl'), 'utf8');
  expect(notes).toContain('"batchId":"batch-1"');

  // Its answers are asked for from the folder of the run alone.
  await rm(path.join(place.cacheDir, 'answers'), { recursive: true, force: true });
  server.becomes(allAnswered);
  const resumed = await cli(['resume', runId!, '--json']);
  expect(resumed.stderr).not.toMatch(/^error/m);
  expect(server.batches).toHaveLength(1);
  const record = recordIn(resumed.stdout);
  expect(record.state).toBe('complete');
  expect(record.samples.every(({ outcome }) => outcome === 'ok')).toBe(true);

  const whole = recordIn((await cli([...CHECK, '--model', 'lab:m', '--no-cache', '--json'])).stdout);
  expect(server.batches).toHaveLength(2);
  expect(lasting(record)).toEqual(lasting(whole));
});

it('is half the price, says that it may take a day, and is refused where there are no batches', async () => {
  const planOf = async (more: string[]) =>
    JSON.parse(
      (
        await runCli(
          [...CHECK.slice(0, 8), '--model', 'openai:gpt-4o-mini', '--dry-run', '--json', ...more],
          {
            env: { ...place.env, OPENAI_API_KEY: 'sk-none' },
            cwd: place.dir,
          },
        )
      ).stdout,
    ) as { plan: RunRecord['plan'] };
  const live = (await planOf([])).plan;
  const batch = (await planOf(['--execution', 'batch'])).plan;
  expect(batch.priceUsd).toBeCloseTo(live.priceUsd! / 2, 12);
  expect(batch.price!.source).toMatch(/Batch API/);
  expect(batch).toMatchObject({ seconds: null, secondsAre: 'unknown' });
  const shown = await cli([...CHECK, '--model', 'lab:m', '--dry-run']);
  expect(shown.stdout.replaceAll(/\s+/g, ' ')).toMatch(/in a batch, which may take a day/);
  const local = await cli([...CHECK, '--dry-run']);
  expect(local.code).toBe(2);
  expect(local.stderr).toMatch(/takes? batches[\s\S]*Leave --execution batch out/);
});
