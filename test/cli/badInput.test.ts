import { cp, mkdir, rm, symlink, truncate, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cacheDirOf } from '../../src/compose/paths';
import { dist, makePlace, root, runCli, type CliResult } from './runCli';

let place: Awaited<ReturnType<typeof makePlace>>;
beforeAll(async () => {
  place = await makePlace();
});
afterAll(() => rm(place.dir, { recursive: true, force: true }));

const PROMPT = 'Is Paris the capital of France? Answer Yes or No.\n';

async function check(content: string | Buffer, args: string[] = [], env = place.env): Promise<CliResult> {
  await writeFile(path.join(place.dir, 'a.prompt'), content);
  return runCli(['robustness', 'a.prompt', ...args], { env, cwd: place.dir });
}

/** Every error: nothing on standard output, and what, why and the next step on standard error. */
function expectError(result: CliResult, code: number, words: RegExp): void {
  expect(result.stderr).toMatch(words);
  expect(result.stderr).toMatch(/error {2}.+\nnext {3}.+/s);
  expect(result.stdout).toBe('');
  expect(result.code).toBe(code);
}

describe('a prompt that cannot be checked', () => {
  it.each([
    ['an empty file', '', /empty/i],
    ['white space only', ' \n\t\n', /empty|blank|white space/i],
    ['more than can be checked', 'word '.repeat(40_000), /199,999 characters; at most 100,000/],
    ['a binary file', Buffer.from([0x7f, 0x45, 0x4c, 0x46, 0, 0, 1, 0, 0xff]), /not a text file/],
    ['text with NUL characters', 'abc\0def, and more', /binary|control/i],
    ['variables without a value', 'Summarise {{ticket}} for {{reader}} in one sentence.', /ticket, reader/],
  ])('%s', async (_name, content, words) => {
    expectError(await check(content), 2, words);
  });

  it('a file that does not exist, a folder, a line that is not there', async () => {
    const run = (file: string) => runCli(['robustness', file], { env: place.env, cwd: place.dir });
    expectError(await run('nowhere.prompt'), 2, /nowhere\.prompt does not exist/);
    expectError(await run('.'), 2, /folder/);
    await writeFile(path.join(place.dir, 'b.prompt'), PROMPT);
    expectError(await run('b.prompt:99'), 2, /no line 99/);
  });
});

describe('options that make no sense', () => {
  it.each([
    ['--samples', '2', /number of samples is 2/],
    ['--alpha', '1.5', /level \(alpha\) is 1.5/],
    ['--temperature', '-1', /temperature is -1/],
    ['--limit', '0', /Give a whole number from 1 to 1000/],
    ['--answer-tokens', '0', /number of answer tokens is 0/],
  ])('%s %s', async (flag, value, words) => {
    expectError(await check(PROMPT, [flag, value]), 2, words);
  });

  it('words where numbers belong, and unknown commands, are usage errors', async () => {
    expect((await check(PROMPT, ['--samples', 'many'])).code).toBe(2);
    expect((await runCli(['wobble'], { env: place.env, cwd: place.dir })).code).toBe(2);
  });
});

describe('a model that cannot be used', () => {
  it('an unknown name lists the known ones', async () => {
    expectError(await check(PROMPT, ['--model', 'local:gpt-9']), 2, /qwen2\.5-coder-0\.5b/);
    expectError(await check(PROMPT, ['--model', 'nowhere:x']), 2, /local, ollama, openai/);
  });

  it('a server that is down says what was tried', async () => {
    expectError(await check(PROMPT, ['--model', 'ollama:gemma3:270m']), 4, /127\.0\.0\.1:4/);
  });

  it('a hosted model without a key names the variable', async () => {
    expectError(await check(PROMPT, ['--model', 'openai:gpt-4o-mini']), 4, /OPENAI_API_KEY/);
  });

  it('weights that are damaged are not loaded', async () => {
    const broken = path.join(place.dir, 'broken.gguf');
    await cp(path.join(cacheDirOf(process.env), 'models', 'SmolLM2-135M-Instruct.Q4_1.gguf'), broken);
    await truncate(broken, 1_000_000);
    expectError(await check(PROMPT, ['--model', `local:${broken}`]), 4, /cannot be read/);
    await writeFile(broken, 'not a model');
    expectError(await check(PROMPT, ['--model', `local:${broken}`]), 4, /damaged: it is not a GGUF file/);
  });

  it('a native part that is missing says so, and doctor names it', async () => {
    // The same files, where no node_modules is above them.
    const bare = path.join(place.dir, 'bare');
    await mkdir(bare);
    await cp(dist, path.join(bare, 'dist'), { recursive: true });
    await symlink(path.join(root, 'media'), path.join(bare, 'media'));
    const cli = path.join(bare, 'dist', 'cli.cjs');
    const options = { env: place.env, cwd: place.dir, cli };
    await writeFile(path.join(place.dir, 'a.prompt'), PROMPT);
    expectError(
      await runCli(['robustness', 'a.prompt', '--model', 'local:smollm2-135m'], options),
      4,
      /native part/,
    );
    const doctor = await runCli(['doctor'], options);
    // The host of the extension is not always where the server is (ollama-vscode #56, continue #1145).
    expect(doctor.stdout).toContain(`host ${os.hostname()}`);
    expect(doctor.stdout).toMatch(/problem +in-process model/);
    expect(doctor.stdout).toMatch(/ok +sentence encoder/);
    expect(doctor.code).toBe(4);
  });
});

it('a cache that cannot be written is said before any answer is asked for', async () => {
  const file = path.join(place.dir, 'a-file');
  await writeFile(file, '');
  const env = { ...place.env, EVENKEEL_CACHE: path.join(file, 'cache') };
  const result = await check(PROMPT, ['--model', 'local:smollm2-135m'], env);
  expectError(result, 4, /cache|cannot be written/i);
});
