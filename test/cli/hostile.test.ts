/** The built command line among servers, shells and files that mean harm or are out of order. */
import { execFile, spawn } from 'node:child_process';
import { mkdir, readFile, readdir, rm, rmdir, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { runRecordSchema } from '../../src/contracts/runRecord';
import { GOOD, chunk, startFakeOpenAi, type Handler } from '../contract/fakeOpenAiServer';
import { dist, makePlace, runCli } from './runCli';

const KEY = 'plain-5ecret-5ecret';
const QUICK = ['--samples', '4', '--limit', '1', '--answer-tokens', '3', '--seed', '3'];
const LOCAL = ['--model', 'local:smollm2-135m', ...QUICK];

let place: Awaited<ReturnType<typeof makePlace>>;
beforeAll(async () => {
  place = await makePlace();
  await writeFile(path.join(place.dir, 'a.prompt'), 'Name a colour. Answer with one word.\n');
});
afterAll(() => rm(place.dir, { recursive: true, force: true }));

const run = (args: string[], more: Partial<Parameters<typeof runCli>[1]> = {}) =>
  runCli(args, { env: place.env, cwd: place.dir, ...more });
/** A shell around the command line, for what only a shell can do to it. */
const inShell = (script: string, env = place.env) =>
  promisify(execFile)('bash', ['-c', script], {
    cwd: place.dir,
    env: { ...env, EVENKEEL: path.join(dist, 'cli.cjs'), NODE: process.execPath },
  });

let stop: (() => Promise<void>) | null = null;
afterEach(async () => {
  await stop?.();
  stop = null;
});
async function against(chat: Handler, args: string[], key: string | undefined = KEY) {
  const server = await startFakeOpenAi(chat);
  stop = server.stop;
  const env = { ...place.env, EVENKEEL_KEY_LAB: key };
  const flags = ['--endpoint', `lab=${server.baseUrl}`, '--model', 'lab:m', ...QUICK];
  return { server, ...(await run(['--verbose', 'robustness', 'a.prompt', ...flags, ...args], { env })) };
}

const HOSTILE = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b\u202a-\u202e\u2066-\u2069]/;
const evil = '\u001b]0;owned\u0007\u009b31m\u202e';

describe('a server that means harm', () => {
  const replies: Handler = (_, answer, nth) =>
    answer.stream([
      { ...chunk(`Red ${evil}</script><img src=x onerror=alert(1)>`, 'stop'), model: `m${evil}${nth % 2}` },
      '[DONE]',
    ]);

  it('cannot move the cursor or write the title, by answers, its name or its warnings', async () => {
    const { stdout, stderr, code } = await against(replies, []);
    expect(stderr).toContain('The server changed in mid-run');
    expect(stdout + stderr).not.toMatch(HOSTILE);
    expect([0, 1, 3]).toContain(code);
  });

  it('nor by --json and the kept report, which still hold every character', async () => {
    const { stdout } = await against(replies, ['--json', '--report', 'r.html']);
    expect(stdout).not.toMatch(HOSTILE);
    const record = runRecordSchema.parse(JSON.parse(stdout));
    expect(record.samples[0]!.text).toContain(evil);
    const html = await readFile(path.join(place.dir, 'r.html'), 'utf8');
    expect(html).not.toContain('<img');
    expect(html.slice(html.indexOf('id="evenkeel-data"')).split('</script>')[0]).not.toMatch(HOSTILE);
    const shown = await run(['report', record.id]);
    expect(shown.stdout).not.toMatch(HOSTILE);
  });

  it.each([
    ['a refusal that repeats the key', 401],
    ['an error page that repeats the key', 500],
  ])('%s: the key is nowhere, not with --verbose, not in the cache', async (_, status) => {
    const { stdout, stderr } = await against(
      ({ headers }, answer) => answer.send(status, `you sent ${headers.authorization}`),
      ['--json'],
    );
    expect(stdout + stderr).not.toContain(KEY);
    const kept = await promisify(execFile)('grep', ['-rl', KEY, path.join(place.cacheDir, 'runs')]).catch(
      (error: { code: number }) => error,
    );
    expect(kept).toMatchObject({ code: 1 });
  });

  it('a key with a line break is refused in words that do not repeat it', async () => {
    const { stderr, code, server } = await against((_, answer) => answer.stream(GOOD), [], `${KEY}\nmore`);
    expect(stderr).toContain('EVENKEEL_KEY_LAB');
    expect(stderr).not.toContain(KEY);
    expect(server.requests).toEqual([]);
    expect(code).toBe(4);
  });
});

describe('addresses', () => {
  it.each(['htp://me:hunter2@x/v1', 'http://me:hunter2@127.0.0.1:4/v1', 'http://127.0.0.1:4/v1?key=hunter2'])(
    '%s as an endpoint is refused without being repeated: the command is part of the record',
    async (url) => {
      const args = ['robustness', 'a.prompt', '--endpoint', `lab=${url}`, '--model', 'lab:m'];
      const { stderr, code } = await run(args);
      expect(stderr).toMatch(/endpoint lab/);
      expect(stderr).not.toContain('hunter2');
      expect(code).toBe(2);
    },
  );

  it.each(['http://', 'a b', 'http://me:hunter2@127.0.0.1:4', ':4'])(
    'OLLAMA_HOST=%s spoils nothing but Ollama',
    async (OLLAMA_HOST) => {
      const env = { ...place.env, OLLAMA_HOST };
      const { stdout, stderr, code } = await run(['models', '--json'], { env });
      expect(JSON.parse(stdout).models).toContainEqual(
        expect.objectContaining({ id: 'local:smollm2-135m', state: 'ready' }),
      );
      expect(stdout + stderr).not.toContain('hunter2');
      expect(code).toBe(0);
    },
  );
});

describe('input without an end', () => {
  it.each(['"$NODE" "$EVENKEEL" robustness /dev/zero', 'cat /dev/zero | "$NODE" "$EVENKEEL" robustness -'])(
    '%s',
    async (script) => {
      await expect(inShell(script)).rejects.toMatchObject({
        code: 2,
        stderr: expect.stringContaining('4,000,000 bytes'),
      });
    },
  );

  it('a pipe in place of a file is read', async () => {
    const { stdout } = await inShell(
      '"$NODE" "$EVENKEEL" robustness <(echo Name a colour, please.) --dry-run --json',
    );
    expect(JSON.parse(stdout).perturbations.length).toBeGreaterThan(0);
  });
});

describe('output that goes nowhere', () => {
  const check = `"$NODE" "$EVENKEEL" robustness a.prompt ${LOCAL.join(' ')}`;

  it('a reader that goes away costs neither the report nor the exit code', async () => {
    const whole = await run(['robustness', 'a.prompt', ...LOCAL, '--json']);
    const { stdout } = await inShell(
      `rm -f r.html; ${check} --json --report r.html 2>/dev/null | head -c 1; echo " \${PIPESTATUS[0]}"; ls r.html`,
    );
    expect(stdout).toBe(`{ ${whole.code}\nr.html\n`);
  });

  it('a full disk behind standard output or standard error is said, and the run is kept', async () => {
    const before = (await readdir(path.join(place.cacheDir, 'runs'))).length;
    await expect(inShell(`${check} > /dev/full`)).rejects.toMatchObject({
      code: 4,
      stderr: expect.stringMatching(/cannot be written.*ENOSPC/s),
    });
    const { stdout } = await inShell(`${check} --json 2> /dev/full || true`);
    expect(runRecordSchema.parse(JSON.parse(stdout)).state).toBe('complete');
    expect(await readdir(path.join(place.cacheDir, 'runs'))).toHaveLength(before + 2);
  });

  it('a report path that cannot be written names the kept run', async () => {
    const result = await run(['report', '--format', 'html', '--output', '/nonexistent/r.html']);
    expect(result.stderr).toMatch(/cannot be written.*The run is kept/s);
    expect(result.code).toBe(4);
  });
});

describe('the folders around', () => {
  it('a working folder that is gone', async () => {
    const gone = path.join(place.dir, 'gone');
    await mkdir(gone);
    const prompt = path.join(place.dir, 'a.prompt');
    const { stdout } = await inShell(
      `cd ${gone} && rmdir ${gone} && "$NODE" "$EVENKEEL" robustness ${prompt} ${LOCAL.join(' ')} --json || true`,
    );
    expect(runRecordSchema.parse(JSON.parse(stdout)).state).toBe('complete');
    await rmdir(gone).catch(() => undefined);
  });

  it('what the cache holds is for its owner only, whatever made the folder', async () => {
    const cache = path.join(place.dir, 'fresh');
    const env = { ...place.env, EVENKEEL_CACHE: cache };
    await run(['doctor'], { env });
    const server = await startFakeOpenAi((_, answer) => answer.stream(GOOD));
    stop = server.stop;
    const flags = ['--endpoint', `lab=${server.baseUrl}`, '--model', 'lab:m', ...QUICK];
    await run(['robustness', 'a.prompt', ...flags], { env });
    const entries = await readdir(cache, { recursive: true, withFileTypes: true });
    expect(entries.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['runs', 'record.json', 'samples.jsonl']),
    );
    // What lies deeper in `answers` is behind its door.
    const doors = entries.filter(({ parentPath }) => !parentPath.startsWith(path.join(cache, 'answers')));
    expect(doors.map(({ name }) => name)).toContain('answers');
    for (const entry of [{ parentPath: place.dir, name: 'fresh' }, ...doors]) {
      const { mode } = await stat(path.join(entry.parentPath, entry.name));
      expect(`${entry.name} ${(mode & 0o077).toString(8)}`).toBe(`${entry.name} 0`);
    }
  });

  it('two runs at once on one cache, in the same second, are two runs', async () => {
    const results = await Promise.all([1, 2].map(() => run(['robustness', 'a.prompt', ...LOCAL, '--json'])));
    const ids = results.map(({ stdout }) => runRecordSchema.parse(JSON.parse(stdout)).id);
    expect(new Set(ids).size).toBe(2);
    for (const id of ids) expect((await run(['report', id])).code).not.toBe(4);
  });

  it.each(['../../x', '../runs', '/etc/passwd', '.', 'a/b'])(
    'a run id cannot name a path: %s',
    async (id) => {
      const { stderr, code } = await run(['report', id]);
      expect(stderr).toContain('There is no run');
      expect(code).toBe(2);
    },
  );
});

it('SIGTERM ends a run as Ctrl-C does', async () => {
  const child = spawn(
    process.execPath,
    [path.join(dist, 'cli.cjs'), 'robustness', 'a.prompt', ...LOCAL, '--samples', '200'],
    { cwd: place.dir, env: place.env },
  );
  child.stderr.once('data', () => setTimeout(() => child.kill('SIGTERM'), 1500));
  const code = await new Promise((resolve) => child.on('close', resolve));
  expect(code).toBe(130);
});
