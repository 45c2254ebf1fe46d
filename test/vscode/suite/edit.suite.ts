/** An edit against the last commit, by VS Code's own Git extension and a real repository and model. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import path from 'node:path';
import * as vscode from 'vscode';
import { COMMANDS } from '../../../src/extension/manifest';
import { edit, openFile } from './editing';
import { runStore } from './keptRun';

const BEFORE = 'You are a helpful assistant. Tell me about the city of Paris in a short sentence.\n';
const git = (cwd: string, ...args: string[]) =>
  execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.org', ...args], {
    cwd,
    stdio: 'ignore',
  });
const check = () =>
  Promise.resolve(
    vscode.commands.executeCommand<{ runId: string; state: string } | undefined>(COMMANDS.checkEdit.id, {
      modelId: 'local:smollm2-135m',
    }),
  );

/** A prompt file in a repository of its own, committed. */
async function committed(name: string): Promise<vscode.TextDocument> {
  const document = await openFile(name, BEFORE);
  const dir = path.dirname(document.uri.fsPath);
  git(dir, 'init', '--quiet');
  git(dir, 'add', '--all');
  git(dir, 'commit', '--quiet', '--message', 'The prompt');
  return document;
}

describe('an edit against HEAD', () => {
  before(async () => {
    const configuration = vscode.workspace.getConfiguration('evenkeel');
    await configuration.update('samples', 8, vscode.ConfigurationTarget.Workspace);
    await configuration.update('answerTokens', 10, vscode.ConfigurationTarget.Workspace);
  });
  afterEach(() => vscode.commands.executeCommand('workbench.action.closeAllEditors'));

  it('that changes what the model does is called changed, also before it is saved', async () => {
    const document = await committed('city.prompt.md');
    await edit(document, 0, BEFORE.length - 1, 'Count from 1 to 30 in digits. Write only the numbers.');
    assert.ok(document.isDirty);
    const result = await check();
    const record = await runStore().read(result?.runId ?? '');
    assert.equal(record.kind, 'edit');
    assert.equal(record.against, 'HEAD');
    assert.equal(record.prompt.text, BEFORE.trim());
    assert.equal(record.comparisons[0]?.verdict, 'changed');
    assert.equal(record.comparisons[0]?.composite?.rewordings, 19);
  });

  it('that is none starts nothing', async () => {
    await committed('same.prompt.md');
    const before = await runStore().list();
    assert.equal(await check(), undefined);
    assert.deepEqual(await runStore().list(), before);
  });

  it('of a file that was never committed starts nothing, and says so', async () => {
    const document = await openFile('new.prompt.md', BEFORE);
    git(path.dirname(document.uri.fsPath), 'init', '--quiet');
    const before = await runStore().list();
    assert.equal(await check(), undefined);
    assert.deepEqual(await runStore().list(), before);
  });
});
