import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runRecordSchema, type RunRecord } from '../../src/contracts/runRecord';
import { makePlace, runCli } from './runCli';

let place: Awaited<ReturnType<typeof makePlace>>;
beforeAll(async () => {
  place = await makePlace();
  await writeFile(
    path.join(place.dir, 'sea.prompt'),
    'Tell me about the sea. Please do not be long. Use plain words.\n',
  );
});
afterAll(() => rm(place.dir, { recursive: true, force: true }));

const QUICK = ['--model', 'local:smollm2-135m', '--samples', '6', '--limit', '5', '--answer-tokens', '8'];
const run = (args: string[], onStart?: Parameters<typeof runCli>[1]['onStart']) =>
  runCli(args, { env: place.env, cwd: place.dir, ...(onStart === undefined ? {} : { onStart }) });
const check = (more: string[] = [], onStart?: Parameters<typeof runCli>[1]['onStart']) =>
  run(['robustness', 'sea.prompt', ...QUICK, '--json', ...more], onStart);
const recordIn = (stdout: string): RunRecord => runRecordSchema.parse(JSON.parse(stdout));
const textsOf = (record: RunRecord) =>
  record.samples.map(({ conditionId, index, text }) => `${conditionId}#${index} ${text}`).sort();
const runIds = () => readdir(path.join(place.cacheDir, 'runs'));

describe('answers are kept, on a real model', () => {
  it('the same check again asks nothing and ends alike (chat-customizations #102); --fresh draws new answers', async () => {
    const first = recordIn((await check()).stdout);
    expect(first.actual.cached).toBe(0);
    const second = recordIn((await check()).stdout);
    expect(second.actual).toMatchObject({ calls: 36, cached: 36 });
    expect(second.plan.cachedCalls).toBe(36);
    expect(textsOf(second)).toEqual(textsOf(first));
    expect(second.comparisons).toEqual(first.comparisons);
    const fresh = recordIn((await check(['--fresh'])).stdout);
    expect(fresh.actual.cached).toBe(0);
    expect(fresh.seed).not.toBe(first.seed);
    expect(recordIn((await check(['--no-cache'])).stdout).actual.cached).toBe(0);
  });

  it('are shown, verified and pruned', async () => {
    const shown = await run(['cache']);
    expect(shown.stdout).toMatch(/^72 answers kept for later runs, .+\n {2}local:smollm2-135m: 72 answers, /);
    expect(JSON.parse((await run(['cache', 'verify', '--json'])).stdout)).toMatchObject({
      entries: 72,
      dropped: 0,
    });
    expect((await run(['cache', 'prune', '--older-than', '1'])).stdout).toContain('0 answers removed');
    expect((await run(['cache', 'prune', '--max-size', '0'])).stdout).toMatch(/^72 answers removed/);
    expect((await run(['cache'])).stdout).toContain('No answers are kept');
  });

  it.each([[['prune']], [['show', '--max-size', '1']], [['burn']]])('refuses cache %j', async (args) => {
    expect((await run(['cache', ...args])).code).toBe(2);
  });
});

describe('evenkeel resume, on a real model', () => {
  it('goes on with a run that was killed, to the same answers and numbers', async () => {
    const whole = recordIn((await check(['--no-cache'])).stdout);
    for (const id of await runIds()) await rm(path.join(place.cacheDir, 'runs', id), { recursive: true });
    let seen = '';
    await runCli(['robustness', 'sea.prompt', ...QUICK, '--no-cache'], {
      env: { ...place.env, CI: '' },
      cwd: place.dir,
      onStart: (child) => {
        const watch = setInterval(() => {
          void runIds()
            .then((ids) =>
              readFile(path.join(place.cacheDir, 'runs', ids[0] ?? 'none', 'samples.jsonl'), 'utf8'),
            )
            .then((text) => {
              seen = text;
              if (text.split('\n').length > 12) child.kill('SIGKILL');
            })
            .catch(() => undefined);
        }, 5);
        child.once('close', () => clearInterval(watch));
      },
    });
    const [id] = await runIds();
    expect(seen.split('\n').length).toBeGreaterThan(12);
    const resumed = recordIn((await run(['resume', id!, '--json', '--no-cache'])).stdout);
    expect(resumed.id).toBe(id);
    expect(resumed.state).toBe('complete');
    expect(textsOf(resumed)).toEqual(textsOf(whole));
    expect(resumed.samples.map(({ position }) => position)).toEqual(
      whole.samples.map(({ position }) => position),
    );
    expect(resumed.comparisons).toEqual(whole.comparisons);
    // What has come to its end is shown again.
    expect(recordIn((await run(['resume', id!, '--json'])).stdout)).toEqual(resumed);
  });

  it('says what is wrong with an id that is none', async () => {
    const { code, stderr } = await run(['resume', 'no-such-run']);
    expect(stderr).toContain('There is no check no-such-run that could go on.');
    expect(code).toBe(2);
  });
});
