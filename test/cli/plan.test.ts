/** What a plan says before anything is asked: what is kept already, and what the check could find. */
import { rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { runRecordSchema } from '../../src/contracts/runRecord';
import { chunk, startFakeOpenAi } from '../contract/fakeOpenAiServer';
import { makePlace, runCli } from './runCli';

let place: Awaited<ReturnType<typeof makePlace>>;
let server: Awaited<ReturnType<typeof startFakeOpenAi>>;
beforeAll(async () => {
  place = await makePlace();
  server = await startFakeOpenAi(({ body }, answer) =>
    answer.stream([
      chunk(`${body['seed'] as number}`.slice(0, 1), 'stop'),
      { choices: [], usage: { prompt_tokens: 40, completion_tokens: 1 } },
      '[DONE]',
    ]),
  );
  await writeFile(path.join(place.dir, 'old.prompt'), 'Will it rain tomorrow? Please do not explain.\n');
  await writeFile(path.join(place.dir, 'new.prompt'), 'Will it snow tomorrow? Please do not explain.\n');
});
afterAll(async () => {
  await server.stop();
  await rm(place.dir, { recursive: true, force: true });
});

const cli = async (args: string[]) => {
  const result = await runCli(
    [...args, '--model', 'lab:m', '--seed', '3', '--endpoint', `lab=${server.baseUrl}`],
    {
      env: place.env,
      cwd: place.dir,
    },
  );
  expect(result.stderr).not.toMatch(/^error/m);
  return result;
};

it('of an edit says how many of its answers are kept', async () => {
  const CHECK = ['check', 'new.prompt', '--base', 'old.prompt', '--samples', '6'];
  expect((await cli([...CHECK, '--dry-run'])).stdout).not.toContain('kept from before');
  const [record] = JSON.parse((await cli([...CHECK, '--json'])).stdout) as unknown[];
  const { samples } = runRecordSchema.parse(record);
  const again = (await cli([...CHECK, '--dry-run'])).stdout.replaceAll(/\s+/g, ' ');
  expect(again).toContain(`${samples.length} of them kept from before`);
});

it('of a flips run says how many of its answers are kept', async () => {
  const FLIPS = ['flips', 'old.prompt', '--limit', '5', '--options', '1,2'];
  expect((await cli([...FLIPS, '--dry-run'])).stderr).not.toContain('kept from before');
  await cli(FLIPS);
  expect((await cli([...FLIPS, '--dry-run'])).stderr.replaceAll(/\s+/g, ' ')).toContain(
    'all of them kept from before',
  );
});

it('of a check says the smallest change that it would find, and less of it with more answers', async () => {
  const shareFor = async (samples: string) => {
    const dry = await cli(['robustness', 'old.prompt', '--samples', samples, '--dry-run', '--json']);
    return (JSON.parse(dry.stdout) as { plan: { detectableAtBest: number } }).plan.detectableAtBest;
  };
  expect(await shareFor('40')).toBeLessThan(await shareFor('10'));
  const shown = (await cli(['robustness', 'old.prompt', '--dry-run'])).stdout.replaceAll(/\s+/g, ' ');
  expect(shown).toMatch(/a change of about \d+% of them would be noticed with 80% power/);
});

it('names the model, the calls, the time and the price before the first call; what nobody knows reads unknown (promptfoo #1864, chat-customizations #100)', async () => {
  const before = server.requests.length;
  const dry = async (more: string[]) =>
    (
      await cli(['robustness', 'old.prompt', '--samples', '9', '--fresh', '--dry-run', ...more])
    ).stdout.replaceAll(/\s+/g, ' ');
  const unknown = await dry([]);
  expect(unknown).toMatch(/\d+ changes, \d+ answers of up to 32 tokens from lab:m.*price unknown/);
  expect(await dry(['--price-in', '1000', '--price-out', '1000'])).toMatch(/at most \$\d/);
  expect(server.requests).toHaveLength(before);
  // The same line stands before a run, too; and what was paid beside what was planned after it.
  const run = await cli([
    'robustness',
    'old.prompt',
    '--samples',
    '9',
    '--limit',
    '2',
    '--price-in',
    '10',
    '--price-out',
    '10',
  ]);
  expect(run.stderr.replaceAll(/\s+/g, ' ')).toMatch(
    /Plan: 2 changes, 27 answers of up to 32 tokens from lab:m/,
  );
  expect(run.stdout.replaceAll(/\s+/g, ' ')).toMatch(
    /27 answers .*for \$[\d.]+ \(planned: at most \$[\d.]+\)/,
  );
});
