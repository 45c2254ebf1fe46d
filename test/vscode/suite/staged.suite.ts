/** Staged prompts, by VS Code's own Git extension and real repositories. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import path from 'node:path';
import * as vscode from 'vscode';
import { COMMANDS } from '../../../src/extension/manifest';
import { edit, openFile } from './editing';
import { runStore } from './keptRun';

// Several lines: git sees a rename by the lines that stayed.
const BEFORE = 'You teach geography.\nBe friendly.\nDo not explain.\nName the capital of France.\n';
const git = (cwd: string, ...args: string[]) =>
  execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.org', ...args], {
    cwd,
    stdio: 'ignore',
  });
const checkStaged = (root: string) =>
  Promise.resolve(
    vscode.commands.executeCommand<{ runId: string; state: string }[] | undefined>(COMMANDS.checkStaged.id, {
      rootUri: vscode.Uri.file(root),
      modelId: 'local:smollm2-135m',
    }),
  );

/** A repository with this file committed. */
async function repository(name: string): Promise<{ document: vscode.TextDocument; dir: string }> {
  const document = await openFile(name, BEFORE);
  const dir = path.dirname(document.uri.fsPath);
  git(dir, 'init', '--quiet');
  git(dir, 'add', '--all');
  git(dir, 'commit', '--quiet', '--message', 'The prompt');
  return { document, dir };
}
async function stage(document: vscode.TextDocument, dir: string, text: string): Promise<void> {
  await edit(document, 0, document.getText().length, text);
  await document.save();
  git(dir, 'add', '--all');
}

describe('staged prompts', () => {
  before(async () => {
    const configuration = vscode.workspace.getConfiguration('evenkeel');
    await configuration.update('samples', 4, vscode.ConfigurationTarget.Workspace);
    await configuration.update('answerTokens', 4, vscode.ConfigurationTarget.Workspace);
  });
  afterEach(() => vscode.commands.executeCommand('workbench.action.closeAllEditors'));

  it('are checked as they are staged, not as they stand in the editor', async () => {
    const { document, dir } = await repository('staged.prompt.md');
    await stage(document, dir, 'Name the capital of Italy.\n');
    await edit(document, 0, document.getText().length, 'Something else that is not staged.\n');
    const results = await checkStaged(dir);
    assert.equal(results?.length, 1);
    const record = await runStore().read(results[0]?.runId ?? '');
    assert.equal(record.kind, 'edit');
    assert.equal(record.prompt.text, BEFORE.trim());
    assert.equal(record.perturbations[0]?.text, 'Name the capital of Italy.');
  });

  it('are followed through a rename', async () => {
    const { document, dir } = await repository('old.prompt.md');
    git(dir, 'mv', 'old.prompt.md', 'new.prompt.md');
    const renamed = vscode.Uri.joinPath(document.uri, '..', 'new.prompt.md');
    await vscode.workspace.fs.writeFile(renamed, Buffer.from(BEFORE.replace('Be friendly', 'Be strict')));
    git(dir, 'add', '--all');
    const results = await checkStaged(dir);
    const record = await runStore().read(results?.[0]?.runId ?? '');
    assert.equal(record.prompt.text, BEFORE.trim());
    assert.match(record.prompt.source?.path ?? '', /new\.prompt\.md$/);
  });

  it('cost nothing where no prompt is staged', async () => {
    const { document, dir } = await repository('none.prompt.md');
    await vscode.workspace.fs.writeFile(
      vscode.Uri.joinPath(document.uri, '..', 'notes.txt'),
      Buffer.from('Not a prompt.\n'),
    );
    git(dir, 'add', '--all');
    const before = await runStore().list();
    assert.equal(await checkStaged(dir), undefined);
    assert.deepEqual(await runStore().list(), before);
  });
});
