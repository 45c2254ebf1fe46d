/** Full runs with a key: it is in the requests and nowhere else; what people wrote and models said is in no log. */
import { readFile, readdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { chunk, startFakeOpenAi, type Handler } from '../contract/fakeOpenAiServer';
import { makePlace, runCli } from './runCli';

const KEY = 'key-of-test-5ecret5ecret';
const PROMPT_WORD = 'zebrafinch';
const ANSWER_WORD = 'quetzalbird';

let place: Awaited<ReturnType<typeof makePlace>>;
beforeAll(async () => {
  place = await makePlace();
  await writeFile(
    path.join(place.dir, 'a.prompt'),
    `You know birds like the ${PROMPT_WORD}. Name a bird. Answer with one word, please.\n`,
  );
});
afterAll(() => rm(place.dir, { recursive: true, force: true }));

async function against(chat: Handler, command: string, args: string[], globals: string[] = []) {
  const server = await startFakeOpenAi(chat);
  const env = { ...place.env, EVENKEEL_KEY_LAB: KEY };
  const flags = ['--endpoint', `lab=${server.baseUrl}`, '--model', 'lab:m', '--seed', '3', ...args];
  const result = await runCli([...globals, command, 'a.prompt', ...flags], { env, cwd: place.dir });
  await server.stop();
  return { ...result, server };
}

const usage = { choices: [], usage: { prompt_tokens: 60, completion_tokens: 2 } };
const answers: Handler = (_, answer, nth) =>
  answer.stream([chunk(`${ANSWER_WORD} ${nth % 3}`, 'stop'), usage, '[DONE]']);
const ENDED_WELL = [0, 1, 3];

/** Everything below the working folder, home and cache included, but for the weights that all tests share. */
async function filesWritten(): Promise<string[]> {
  const entries = await readdir(place.dir, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => path.join(entry.parentPath, entry.name));
}

const FORMS = [
  KEY,
  KEY.slice(4),
  Buffer.from(KEY).toString('base64').slice(0, 20),
  encodeURIComponent(`Bearer ${KEY}`),
];

it('the key is in no file that full runs write, and not in what they print', async () => {
  const printed: string[] = [];
  const runs: [string, string[]][] = [
    ['robustness', ['--samples', '4', '--limit', '1', '--report', 'r.html']],
    ['robustness', ['--samples', '4', '--limit', '1', '--json', '--per-request', '4', '--concurrency', '8']],
    ['flips', ['--limit', '2', '--options', 'Yes,No']],
  ];
  for (const [command, args] of runs) {
    const { stdout, stderr, code, server } = await against(answers, command, args, ['--verbose']);
    expect(ENDED_WELL).toContain(code);
    printed.push(stdout, stderr);
    expect(server.requests.length).toBeGreaterThan(2);
    expect(server.requests.every(({ headers }) => headers.authorization === `Bearer ${KEY}`)).toBe(true);
  }
  // Servers that answer with what they were sent.
  for (const status of [200, 400, 401, 500])
    printed.push(
      ...Object.values(
        await against(
          ({ headers }, answer) => answer.send(status, { error: { message: headers.authorization } }),
          'robustness',
          ['--samples', '4', '--limit', '1', '--json'],
          ['--verbose'],
        ).then(({ stdout, stderr }) => ({ stdout, stderr })),
      ),
    );

  const files = await filesWritten();
  const names = files.map((file) => path.basename(file));
  expect(names).toEqual(expect.arrayContaining(['record.json', 'samples.jsonl', 'servers.json', 'r.html']));
  for (const form of FORMS) {
    for (const file of files)
      expect((await readFile(file)).includes(form), `${path.basename(file)} holds the key`).toBe(false);
    expect(printed.join('\n')).not.toContain(form);
  }
});

it('no prompt and no answer is in the log at the default level', async () => {
  const { stderr, stdout, code } = await against(answers, 'robustness', [
    '--samples',
    '4',
    '--limit',
    '1',
    '--json',
  ]);
  expect(ENDED_WELL).toContain(code);
  expect(stdout).toContain(ANSWER_WORD);
  expect(stderr).not.toMatch(new RegExp(`${PROMPT_WORD}|${ANSWER_WORD}`));
  const failed = await against((_, answer) => answer.send(500, 'no'), 'robustness', [
    '--samples',
    '4',
    '--limit',
    '1',
  ]);
  expect(failed.stderr).not.toContain(PROMPT_WORD);
  expect(failed.code).toBe(4);
});

it('a key does not go over plain http to another machine unless its endpoint is named', async () => {
  const env = { ...place.env, EVENKEEL_KEY_LAB: KEY };
  // Documentation address: nothing is there, and nothing is sent.
  const args = ['robustness', 'a.prompt', '--endpoint', 'lab=http://192.0.2.1:9/v1', '--model', 'lab:m'];
  const { stderr, code } = await runCli(args, { env, cwd: place.dir });
  expect(stderr).toMatch(/plain http to another machine.*was not sent/s);
  expect(stderr).toContain('--key-over-http');
  expect(code).toBe(4);
});

it('a keyless server is not refused for want of a key (CommitSage #31)', async () => {
  const server = await startFakeOpenAi(answers);
  const flags = ['--endpoint', `lab=${server.baseUrl}`, '--model', 'lab:m', '--samples', '4', '--limit', '1'];
  const { code, stdout } = await runCli(['robustness', 'a.prompt', ...flags, '--json'], {
    env: place.env,
    cwd: place.dir,
  });
  await server.stop();
  expect(server.requests.every(({ headers }) => !('authorization' in headers))).toBe(true);
  expect(ENDED_WELL).toContain(code);
  expect(JSON.parse(stdout).state).toBe('complete');
});
