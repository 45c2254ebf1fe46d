import { execFileSync, spawnSync } from 'node:child_process';
import { chmod, mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { makePlace, runCli } from './runCli';

const BEFORE = 'You are a helpful assistant. Tell me about the city of Paris in a short sentence.\n';
const HARMLESS = BEFORE.replace('short sentence', 'brief sentence');
const CHANGED = 'You are a helpful assistant. Count from 1 to 30 in digits. Write only the numbers.\n';
const SUITE = `version: 1
prompts: ['*.prompt']
model: local:smollm2-135m
samples: 8
answerTokens: 10
seed: 3
`;

let place: Awaited<ReturnType<typeof makePlace>>;
const at = (...parts: string[]) => path.join(place.dir, ...parts);
const gitEnv = () => ({
  ...place.env,
  GIT_AUTHOR_NAME: 't',
  GIT_AUTHOR_EMAIL: 't@example.org',
  GIT_COMMITTER_NAME: 't',
  GIT_COMMITTER_EMAIL: 't@example.org',
});
const git = (...args: string[]) =>
  execFileSync('git', args, { cwd: place.dir, env: gitEnv(), stdio: 'pipe' });
/** As a person commits: with the hook, and what it says. */
const commit = (message: string, ...more: string[]) =>
  spawnSync('git', ['commit', '--quiet', '--all', '--message', message, ...more], {
    cwd: place.dir,
    env: gitEnv(),
    encoding: 'utf8',
  });
const evenkeel = (...args: string[]) => runCli(args, { env: place.env, cwd: place.dir });

beforeEach(async () => {
  place = await makePlace();
  await writeFile(at('.gitignore'), 'cache\n');
  await writeFile(at('city.prompt'), BEFORE);
  await writeFile(at('evenkeel.yaml'), SUITE);
  git('init', '--quiet');
  git('add', '--all');
  git('commit', '--quiet', '--message', 'The prompt');
});
afterEach(() => rm(place.dir, { recursive: true, force: true }));

it('the story: a harmless edit is committed, one that changes the answers is refused, --no-verify goes past', async () => {
  expect((await evenkeel('hook', 'install')).stdout).toContain('.git/hooks/pre-commit (git)');

  await writeFile(at('city.prompt'), HARMLESS);
  const harmless = commit('Other words');
  expect(harmless.stderr + harmless.stdout).toContain('No change detected: the edit since HEAD');
  expect(harmless.status).toBe(0);

  await writeFile(at('city.prompt'), CHANGED);
  const refused = commit('Another task');
  expect(refused.status).not.toBe(0);
  expect(refused.stdout + refused.stderr).toMatch(/Changed: the edit since HEAD[\s\S]*before .+\n\s+after /);
  expect(git('log', '--format=%s').toString()).toBe('Other words\nThe prompt\n');

  expect(commit('Another task', '--no-verify').status).toBe(0);

  // Nothing of a prompt is staged: no model is asked, and nothing is in the way.
  await writeFile(at('.gitignore'), 'cache\nother\n');
  const other = commit('No prompt');
  expect([other.status, other.stdout + other.stderr]).toEqual([
    0,
    expect.stringContaining('No prompt has changed.'),
  ]);
});

describe('the hook', () => {
  it('runs before what the repository has, which stays and comes back whole', async () => {
    const own = '#!/bin/sh\necho own hook\n';
    await mkdir(at('.git', 'hooks'), { recursive: true });
    await writeFile(at('.git', 'hooks', 'pre-commit'), own);
    await chmod(at('.git', 'hooks', 'pre-commit'), 0o755);
    await evenkeel('hook', 'install');
    await evenkeel('hook', 'install');
    const text = await readFile(at('.git', 'hooks', 'pre-commit'), 'utf8');
    expect(text.match(/>>> evenkeel >>>/g)).toHaveLength(1);
    await writeFile(at('.gitignore'), 'cache\nx\n');
    expect(commit('x').stdout + commit('x').stderr).toContain('No prompt has changed.');
    expect((await evenkeel('hook', 'status')).stdout).toContain('Installed in');
    await evenkeel('hook', 'remove');
    expect(await readFile(at('.git', 'hooks', 'pre-commit'), 'utf8')).toBe(own);
    expect((await evenkeel('hook', 'status')).stdout).toContain('Not installed');
  });

  it('that was ours alone is gone after remove', async () => {
    await evenkeel('hook', 'install');
    expect((await stat(at('.git', 'hooks', 'pre-commit'))).mode & 0o111).not.toBe(0);
    await evenkeel('hook', 'remove');
    await expect(stat(at('.git', 'hooks', 'pre-commit'))).rejects.toThrow('ENOENT');
  });

  it('works with hardly a PATH, as graphical clients start it', async () => {
    await evenkeel('hook', 'install');
    await writeFile(at('.gitignore'), 'cache\nthin\n');
    git('add', '--all');
    const thin = spawnSync('/bin/sh', [at('.git', 'hooks', 'pre-commit')], {
      cwd: place.dir,
      env: { ...place.env, PATH: '/usr/bin:/bin' },
      encoding: 'utf8',
    });
    expect([thin.status, thin.stdout]).toEqual([0, 'No prompt has changed.\n']);
  });

  it('follows core.hooksPath', async () => {
    git('config', 'core.hooksPath', 'my hooks');
    await evenkeel('hook', 'install');
    expect(await readFile(at('my hooks', 'pre-commit'), 'utf8')).toContain('evenkeel');
  });

  it('refuses a hook that is no shell script', async () => {
    await mkdir(at('.git', 'hooks'), { recursive: true });
    await writeFile(at('.git', 'hooks', 'pre-commit'), '#!/usr/bin/env python3\nprint(1)\n');
    const { code, stderr } = await evenkeel('hook', 'install');
    expect(code).toBe(2);
    expect(stderr).toContain('no shell script');
  });

  it.each([
    ['.husky/pre-commit', 'npm test\n', 'husky'],
    ['lefthook.yml', '# ours\npre-commit:\n  commands:\n    lint:\n      run: npm run lint\n', 'lefthook'],
    [
      '.pre-commit-config.yaml',
      '# ours\nrepos:\n  - repo: local\n    hooks:\n      - id: lint\n',
      'pre-commit',
    ],
  ])('goes into %s and leaves it as it was', async (file, before, manager) => {
    await mkdir(path.dirname(at(file)), { recursive: true });
    await writeFile(at(file), before);
    expect((await evenkeel('hook', 'install')).stdout).toContain(`(${manager})`);
    const installed = await readFile(at(file), 'utf8');
    expect(installed).toContain('check --staged --hook');
    for (const line of before.trim().split('\n')) expect(installed).toContain(line.trim());
    // Files of hook managers are versioned.
    expect(installed).not.toContain(process.execPath);
    if (manager !== 'husky') expect(() => parse(installed) as unknown).not.toThrow();
    await evenkeel('hook', 'remove');
    const left = await readFile(at(file), 'utf8');
    expect(left).toBe(before);
  });

  it('time is up: the commit passes with a warning, or is refused, as the suite says', async () => {
    await evenkeel('hook', 'install');
    for (const [late, passes] of [
      ['pass', true],
      ['fail', false],
    ] as const) {
      await writeFile(
        at('evenkeel.yaml'),
        `${SUITE}hook: { seconds: 0.01, late: ${late} }\npolicy: { undecided: fail }\n`,
      );
      await writeFile(at('city.prompt'), `${CHANGED}${late}\n`);
      const { status, stderr } = commit(late);
      expect(status === 0).toBe(passes);
      if (passes) expect(stderr).toContain('the commit passes unchecked');
    }
  });

  it('a prompt that is deleted is in no commit’s way, and no cap but time lets one pass', async () => {
    await writeFile(at('evenkeel.yaml'), SUITE.replace("'*.prompt'", 'city.prompt'));
    git('add', '--all');
    git('commit', '--quiet', '--message', 'Plain path');
    await evenkeel('hook', 'install');
    git('rm', '--quiet', 'city.prompt');
    expect(commit('Gone').status).toBe(0);
    git('revert', '--no-edit', 'HEAD');
    await writeFile(at('evenkeel.yaml'), `${SUITE}budget: { calls: 2 }\npolicy: { undecided: fail }\n`);
    await writeFile(at('city.prompt'), CHANGED);
    const capped = commit('Capped');
    expect(capped.status).not.toBe(0);
    expect(capped.stderr).not.toContain('passes unchecked');
  });

  it('never asks a model that may cost money without a cap', async () => {
    await evenkeel('hook', 'install');
    await writeFile(at('evenkeel.yaml'), SUITE.replace('local:smollm2-135m', 'openai:gpt-4o-mini'));
    await writeFile(at('city.prompt'), CHANGED);
    const { status, stderr } = commit('x');
    expect(status).not.toBe(0);
    expect(stderr).toMatch(/may cost money, and the suite file sets no cap/);
  });

  it('outside a repository says so', async () => {
    const { code, stderr } = await runCli(['hook', 'install'], {
      env: place.env,
      cwd: path.dirname(place.dir),
    });
    expect(code).toBe(2);
    expect(stderr).toContain('no git repository');
  });
});
