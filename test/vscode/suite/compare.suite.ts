/** Two real models compared from the editor, in the extension host, from the packaged VSIX. */
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { COMMANDS } from '../../../src/extension/manifest';
import { createCompareStore } from '../../../src/store/compareStore';
import { openFile, reportTabs, until } from './editing';
import { cacheDir } from './keptRun';

const PROMPT = 'Is the review below good? Please answer Yes or No.\n\nThe soup was cold, and nobody cared.\n';
const MODELS = ['local:smollm2-135m', 'local:qwen2.5-coder-0.5b'];

const compare = (modelIds: string[]) =>
  Promise.resolve(
    vscode.commands.executeCommand<{ id: string; state: string } | undefined>(COMMANDS.compareModels.id, {
      modelIds,
    }),
  );

describe('models compared on a prompt', () => {
  before(async () => {
    const configuration = vscode.workspace.getConfiguration('evenkeel');
    for (const [key, value] of Object.entries({ samples: 5, perturbations: 2, answerTokens: 3 }))
      await configuration.update(key, value, vscode.ConfigurationTarget.Workspace);
  });
  afterEach(() => vscode.commands.executeCommand('workbench.action.closeAllEditors'));

  it('asks both the same, keeps the comparison and opens the result', async () => {
    await openFile('compared.prompt.md', PROMPT);
    const result = await compare(MODELS);
    assert.equal(result?.state, 'complete');
    const record = await createCompareStore({ cacheDir: cacheDir() }).read(result.id);
    assert.deepEqual(
      record.models.map(({ id }) => id),
      MODELS,
    );
    assert.deepEqual(
      record.models.map(({ answers }) => answers.asked),
      [15, 15],
    );
    assert.equal(new Set(record.models.map(({ identity }) => identity?.digest)).size, 2);
    assert.equal(record.pairs.length, 1);
    await until('the result', () => reportTabs().some(({ label }) => label === 'Comparison of models'));
  });

  it('asks nothing where only one model is named', async () => {
    await openFile('alone.prompt.md', PROMPT);
    assert.equal(await compare(MODELS.slice(0, 1)), undefined);
    assert.equal(reportTabs().length, 0);
  });
});
