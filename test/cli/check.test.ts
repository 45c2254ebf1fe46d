import { execFileSync } from 'node:child_process';
import { readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { runRecordSchema } from '../../src/contracts/runRecord';
import { makePlace, runCli } from './runCli';

const BEFORE = 'You are a helpful assistant. Tell me about the city of Paris in a short sentence.\n';
const HARMLESS = BEFORE.replace('short sentence', 'brief sentence');
const CHANGED = 'You are a helpful assistant. Count from 1 to 30 in digits. Write only the numbers.\n';
const QUICK = ['--model', 'local:smollm2-135m', '--samples', '8', '--answer-tokens', '10', '--seed', '3'];

let place: Awaited<ReturnType<typeof makePlace>>;
const file = () => path.join(place.dir, 'city.prompt');
const git = (...args: string[]) =>
  execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.org', ...args], {
    cwd: place.dir,
    env: { ...process.env, HOME: place.dir },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
const check = (...args: string[]) => runCli(['check', ...args], { env: place.env, cwd: place.dir });

beforeAll(async () => {
  place = await makePlace();
  await writeFile(path.join(place.dir, '.gitignore'), 'cache\n');
  await writeFile(file(), BEFORE);
  git('init', '--quiet');
  git('add', '--all');
  git('commit', '--quiet', '--message', 'The prompt');
});
beforeEach(() => writeFile(file(), BEFORE));
afterAll(() => rm(place.dir, { recursive: true, force: true }));

describe('evenkeel check, on a real model and a real repository', () => {
  it('passes a harmless edit, and asks no rewording for it', async () => {
    await writeFile(file(), HARMLESS);
    const { code, stdout } = await check(...QUICK);
    expect(stdout).toMatch(/^No change detected: the edit since HEAD/);
    expect(stdout).toContain('16 answers in');
    expect(code).toBe(0);
  });

  it('refuses an edit that changes the answers, with what they were before and after', async () => {
    await writeFile(file(), CHANGED);
    const { code, stdout } = await check(...QUICK, '--report', 'edit.html');
    expect(stdout).toMatch(/^Changed: the edit since HEAD/);
    expect(stdout).toMatch(/before .+\n\s+after /);
    expect(stdout.replaceAll(/\s+/g, ' ')).toContain(
      'Harmless rewordings of the old prompt were asked as well',
    );
    expect(code).toBe(1);
    expect(await readFile(path.join(place.dir, 'edit.html'), 'utf8')).toContain(
      'Changed: the edit since HEAD',
    );
  });

  it('checks what is staged, not what came after', async () => {
    await writeFile(file(), CHANGED);
    git('add', '--all');
    await writeFile(file(), BEFORE);
    const staged = await check('--staged', ...QUICK, '--json');
    git('reset', '--quiet');
    const [record] = z.array(runRecordSchema).parse(JSON.parse(staged.stdout));
    expect(record).toMatchObject({ kind: 'edit', against: 'HEAD', comparisons: [{ verdict: 'changed' }] });
    expect(record!.perturbations[0]!.text).toBe(CHANGED.trim());
    expect(record!.reproduce).toContain('--staged');
    expect(staged.code).toBe(1);
  });

  it('needs no model where nothing has changed', async () => {
    const result = await check('--model', 'local:no-such-model');
    expect(result).toMatchObject({ code: 0, stdout: 'No prompt has changed.\n' });
  });

  it('shows the rewordings and the plan without asking', async () => {
    await writeFile(file(), HARMLESS);
    const { code, stdout } = await check(...QUICK, '--dry-run');
    expect(stdout.replaceAll(/\s+/g, ' ')).toContain(
      '16 answers of up to 10 tokens from local:smollm2-135m; 80 more, to 19 harmless rewordings',
    );
    expect(code).toBe(0);
  });

  it('compares two files without git', async () => {
    await writeFile(path.join(place.dir, 'old.txt'), BEFORE);
    await writeFile(path.join(place.dir, 'new.txt'), HARMLESS);
    const { stdout } = await check('new.txt', '--base', 'old.txt', ...QUICK);
    expect(stdout).toContain('the edit since old.txt');
  });

  it.each<[string, string[], string]>([
    ['a commit that is not there', ['--against', 'nowhere'], "There is no commit 'nowhere' here."],
    ['--base without a prompt', ['--base', 'old.txt'], '--base compares one prompt file'],
    ['too few rewordings', [...QUICK, '--rewordings', '5'], 'Give a whole number from 19'],
  ])('refuses %s', async (_, args, message) => {
    await writeFile(file(), HARMLESS);
    const { code, stderr } = await check(...args);
    expect(stderr).toContain(message);
    expect(code).toBe(2);
  });
});
