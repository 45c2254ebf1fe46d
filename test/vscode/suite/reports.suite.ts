/** Reports that are there already, the samples that ship, and what is remembered. */
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { COMMANDS } from '../../../src/extension/manifest';
import { openFile, reportTabs, until } from './editing';

const execute = <T>(name: keyof typeof COMMANDS, ...args: unknown[]) =>
  vscode.commands.executeCommand<T>(COMMANDS[name].id, ...args);

describe('reports and samples', () => {
  afterEach(async () => {
    await vscode.commands.executeCommand('workbench.action.closeQuickOpen');
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });

  it('opens the sample report without a model or a run', async () => {
    await execute('openSampleReport');
    await until('the report', () => reportTabs().some(({ label }) => label === 'Report: review.prompt'));
  });

  it('opens the sample prompt as a new file that can be checked', async () => {
    await execute('openSamplePrompt');
    const document = vscode.window.activeTextEditor?.document;
    assert.equal(document?.isUntitled, true);
    assert.match(document.getText(), /^---\nname: review[^]*Tell me if the review is positive or negative\./);
    assert.equal(vscode.window.activeTextEditor?.selection.active.line, 0);
    await execute('openSamplePrompt');
    assert.equal(document.getText().split('Tell me').length, 2, 'opened again, not written twice');
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
  });

  it('never opens the report over the prompt', async () => {
    await openFile('left.prompt.md', 'Say yes.\n');
    await execute('openSampleReport');
    await until('the report', () => reportTabs().length === 1);
    const column = reportTabs()[0]?.group.viewColumn;
    const document = await openFile('right.prompt.md', 'Say no.\n');
    await vscode.window.showTextDocument(document, { viewColumn: column });
    await execute('openSampleReport');
    await until('both are seen', () => {
      const report = reportTabs()[0];
      return report?.isActive === true && report.group.viewColumn !== column;
    });
    assert.ok(vscode.window.visibleTextEditors.some((editor) => editor.document === document));
  });

  it('explains its words', async () => {
    await execute('explainWords');
    await until('the glossary', () =>
      vscode.window.tabGroups.all.some(({ tabs }) =>
        tabs.some(({ label }) => /What the words mean/.test(label)),
      ),
    );
  });

  it('says from where it looks', async () => {
    const lines =
      await execute<{ name: string; status: string; detail: string; hint: string | null }[]>('doctor');
    const editor = lines.find(({ name }) => name === 'editor');
    assert.match(editor?.detail ?? '', /in a browser.*Evenkeel runs beside the workspace/);
    if (vscode.env.remoteName !== undefined) assert.match(editor?.hint ?? '', /forwarded port/);
  });
});
