import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { UserError } from '../contracts/userError';
import { changedPromptFiles, parseNameStatus } from './changedPrompts';

let dir: string;
const git = (...args: string[]) =>
  execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.org', ...args], {
    cwd: dir,
    stdio: ['ignore', 'pipe', 'ignore'],
  }).toString();
const put = async (name: string, content: string | Buffer) => {
  await mkdir(path.dirname(path.join(dir, name)), { recursive: true });
  await writeFile(path.join(dir, name), content);
};
const commit = () => {
  git('add', '--all');
  git('commit', '--quiet', '--message', 'x');
};
const changed = (given: { ref?: string; staged?: boolean; paths?: string[]; cwd?: string } = {}) =>
  changedPromptFiles(
    {
      cwd: given.cwd ?? dir,
      ref: given.ref ?? 'HEAD',
      staged: given.staged ?? false,
      paths: given.paths ?? [],
    },
    new AbortController().signal,
  );

beforeEach(async () => {
  dir = await mkdtemp(path.join(os.tmpdir(), 'evenkeel git ü-'));
  git('init', '--quiet', '--initial-branch=main');
});
afterEach(() => rm(dir, { recursive: true, force: true }));

describe('changed prompts', () => {
  it('are the prompt files that differ in content, wherever in the repository one stands', async () => {
    await put('a b/ü.prompt', 'One.\n');
    await put('same.prompt', 'Same.\n');
    await put('code.ts', 'x');
    commit();
    await put('a b/ü.prompt', 'Two.\n');
    await put('code.ts', 'y');
    const expected = [
      { path: 'a b/ü.prompt', before: 'a b/ü.prompt', contentBefore: 'One.\n', contentAfter: 'Two.\n' },
    ];
    expect((await changed()).changed).toEqual(expected);
    expect((await changed({ cwd: path.join(dir, 'a b') })).changed).toEqual(expected);
  });

  it('are read from the index when staged, not from the working tree', async () => {
    await put('p.prompt', 'One.\n');
    commit();
    await put('p.prompt', 'Staged.\n');
    git('add', '--all');
    await put('p.prompt', 'Later.\n');
    expect((await changed({ staged: true })).changed[0]!.contentAfter).toBe('Staged.\n');
    expect((await changed()).changed[0]!.contentAfter).toBe('Later.\n');
  });

  it('are followed through a rename', async () => {
    await put('old.prompt', `${'A line that stays.\n'.repeat(9)}One.\n`);
    commit();
    await rename(path.join(dir, 'old.prompt'), path.join(dir, 'new.prompt'));
    await put('new.prompt', `${'A line that stays.\n'.repeat(9)}Two.\n`);
    git('add', '--all');
    expect((await changed({ staged: true })).changed).toMatchObject([
      { path: 'new.prompt', before: 'old.prompt' },
    ]);
  });

  it('can be named whatever they are called', async () => {
    await put('notes.txt', 'One.');
    commit();
    await put('notes.txt', 'Two.');
    expect((await changed()).changed).toEqual([]);
    expect((await changed({ paths: ['notes.txt'] })).changed).toHaveLength(1);
  });

  it('leave out new, binary and deleted files, and say so where it matters', async () => {
    await put('binary.prompt', Buffer.from([0xff, 0, 1]));
    await put('gone.prompt', 'x');
    commit();
    await put('binary.prompt', Buffer.from([0xff, 0, 2]));
    await put('new.prompt', 'Something else.');
    await rm(path.join(dir, 'gone.prompt'));
    git('add', '--all');
    const result = await changed({ staged: true });
    expect(result.changed).toEqual([]);
    expect(result.skipped.map(({ path: name }) => name)).toEqual(['binary.prompt', 'new.prompt']);
  });

  it('are none in a repository without a commit', async () => {
    await put('p.prompt', 'x');
    expect(await changed()).toEqual({ changed: [], skipped: [] });
  });

  it('work on a detached HEAD and against any commit', async () => {
    await put('p.prompt', 'One.\n');
    commit();
    await put('p.prompt', 'Two.\n');
    commit();
    git('checkout', '--quiet', '--detach');
    expect((await changed()).changed).toEqual([]);
    expect((await changed({ ref: 'HEAD~1' })).changed[0]).toMatchObject({ contentBefore: 'One.\n' });
  });

  it.each<[string, string]>([
    ['a ref that is not there', 'no-such-branch'],
    ['a ref that reads as an option', '--output=stolen'],
  ])('are refused for %s', async (_, ref) => {
    await put('p.prompt', 'x');
    commit();
    await expect(changed({ ref })).rejects.toThrow(UserError);
  });

  it('are refused where a merge left a conflict', async () => {
    await put('p.prompt', 'One.\n');
    commit();
    git('checkout', '--quiet', '-b', 'other');
    await put('p.prompt', 'Theirs.\n');
    commit();
    git('checkout', '--quiet', 'main');
    await put('p.prompt', 'Ours.\n');
    commit();
    expect(() => git('merge', '--quiet', 'other')).toThrow();
    await expect(changed()).rejects.toThrow('p.prompt has a merge conflict.');
  });

  it('are refused outside a repository', async () => {
    await rm(path.join(dir, '.git'), { recursive: true });
    await expect(changed()).rejects.toThrow('This is no git repository');
  });
});

it('reads renames with both names', () => {
  expect(parseNameStatus('M\0a\0R087\0b\0c\0')).toEqual([
    { status: 'M', before: 'a', path: 'a' },
    { status: 'R', before: 'b', path: 'c' },
  ]);
});
