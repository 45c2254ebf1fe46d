import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { simpleGit } from 'simple-git';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { commitOf } from './commitOf';

const text = 'Name a colour.\n';
let dir: string;
let hash: string;
beforeAll(async () => {
  dir = await mkdtemp(path.join(os.tmpdir(), 'evenkeel-commit-'));
  await writeFile(path.join(dir, 'a.prompt'), text);
  const git = simpleGit(dir);
  await git.init();
  await git.addConfig('user.email', 'a@example.org');
  await git.addConfig('user.name', 'A');
  await git.add('a.prompt');
  await git.commit('first');
  hash = await git.revparse('HEAD');
});
afterAll(() => rm(dir, { recursive: true, force: true }));

const at = (folder: string, checked: string) =>
  commitOf({
    source: {
      path: 'a.prompt',
      uri: pathToFileURL(path.join(folder, 'a.prompt')).href,
      range: { start: 0, end: checked.length },
    },
    text: checked,
  });

it('is the commit of the prompt’s file, and says whether it holds the text that was checked', async () => {
  expect(await at(dir, text)).toEqual({ hash, edited: false });
  expect(await at(dir, 'Name an animal.\n')).toEqual({ hash, edited: true });
});

it('is nothing outside a repository, for other places than files, and for text without a file', async () => {
  const bare = await mkdtemp(path.join(os.tmpdir(), 'evenkeel-bare-'));
  expect(await at(bare, text)).toBeUndefined();
  await rm(bare, { recursive: true, force: true });
  expect(await commitOf({ source: null, text })).toBeUndefined();
  const remote = { path: 'a.prompt', uri: 'vscode-vfs://github/a', range: { start: 0, end: 3 } };
  expect(await commitOf({ source: remote, text })).toBeUndefined();
});
