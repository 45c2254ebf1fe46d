/** The Test Explorer's commands on the prompts of the workspace. Its results cannot be read by API; what was run can. */
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { findingsOf, openFile, until } from './editing';
import { runStore } from './keptRun';

const PROMPT = 'You are a nurse. Please say whether the patient is ill or well.\n\nShe coughs.\n';

describe('prompts as tests', () => {
  before(async () => {
    const configuration = vscode.workspace.getConfiguration('evenkeel');
    const target = vscode.ConfigurationTarget.Workspace;
    await configuration.update('model', 'local:smollm2-135m', target);
    await configuration.update('samples', 4, target);
    await configuration.update('perturbations', 3, target);
    await configuration.update('answerTokens', 4, target);
    await vscode.commands.executeCommand('workbench.view.testing.focus');
  });
  afterEach(() => vscode.commands.executeCommand('workbench.action.closeAllEditors'));

  const newestOf = async (document: vscode.TextDocument) => {
    const runs = runStore();
    for (const { id } of await runs.list()) {
      const record = await runs.read(id);
      if (record.prompt.source?.uri === document.uri.toString()) return record;
    }
    return null;
  };

  it('runs the check of the prompt file in the editor, and leaves its findings', async () => {
    const document = await openFile('nurse.prompt.md', PROMPT);
    // The file watcher tells the Test Explorer of the new file some time later.
    await until('the run', async () => {
      await vscode.commands.executeCommand('testing.runCurrentFile');
      return (await newestOf(document)) !== null;
    });
    const record = await newestOf(document);
    assert.equal(record?.prompt.text, PROMPT.trim());
    assert.equal(record.model.id, 'local:smollm2-135m');
    const moved = record.comparisons.filter(({ verdict }) => verdict === 'changed').length;
    await until('its findings', () => findingsOf(document).length > 0 === moved > 0);
  });

  it('runs again what the person runs again', async () => {
    const document = await openFile('again.prompt.md', PROMPT.replace('nurse', 'vet'));
    await until('the run', async () => {
      await vscode.commands.executeCommand('testing.runCurrentFile');
      return (await newestOf(document)) !== null;
    });
    const first = await newestOf(document);
    await vscode.commands.executeCommand('testing.reRunLastRun');
    await until('another run', async () => (await newestOf(document))?.id !== first?.id);
  });
});
