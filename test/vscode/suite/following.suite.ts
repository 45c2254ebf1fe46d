/** Findings through editing: as people type, with several cursors, on closed and copied files. */
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { COMMANDS } from '../../../src/extension/manifest';
import { edit, findingsOf, openFile, underlined, until } from './editing';
import { keepRun } from './keptRun';

const TEXT = 'You are terse.\nSay positive or negative, and never explain.\nReview: it broke.\n';
const WORDS = ['terse', 'positive or negative'];
const changes = WORDS.map((words) => ({
  id: words,
  span: { start: TEXT.indexOf(words), end: TEXT.indexOf(words) + words.length },
  replacement: 'other words',
  verdict: 'changed' as const,
}));
const stale = (document: vscode.TextDocument) =>
  findingsOf(document).map(({ message }) => message.startsWith('Stale'));

describe('findings while people edit', () => {
  afterEach(async () => {
    await vscode.commands.executeCommand(COMMANDS.clearFindings.id);
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });
  const shown = async (text = TEXT) => {
    const document = await openFile('follow.prompt.md', text);
    await keepRun(document, changes);
    await vscode.commands.executeCommand(COMMANDS.openLastReport.id);
    assert.deepEqual(underlined(document), WORDS);
    return document;
  };

  it('keep their words when something is typed right before or behind them', async () => {
    const document = await shown();
    const end = TEXT.indexOf('terse') + 'terse'.length;
    await edit(document, end, end, ' and brief');
    await edit(document, end - 5, end - 5, 'very ');
    assert.deepEqual(underlined(document), WORDS);
    assert.deepEqual(stale(document), [false, false]);
  });

  it('follow several edits of one step', async () => {
    const document = await shown();
    const step = new vscode.WorkspaceEdit();
    step.insert(document.uri, new vscode.Position(0, 0), 'Hello.\n');
    step.insert(document.uri, new vscode.Position(1, 0), 'Then: ');
    step.delete(document.uri, new vscode.Range(2, 0, 2, 7));
    await vscode.workspace.applyEdit(step);
    assert.deepEqual(underlined(document), WORDS);
  });

  it('are stale one by one', async () => {
    const document = await shown();
    const start = document.getText().indexOf('terse');
    await edit(document, start, start + 1, 'T');
    assert.deepEqual(stale(document), [true, false]);
  });

  it('survive that everything is deleted and put back', async () => {
    const document = await shown();
    await edit(document, 0, TEXT.length, '');
    // Both stand at the same empty place now, and are one underline.
    assert.deepEqual(stale(document), [true]);
    await edit(document, 0, 0, TEXT);
    assert.deepEqual(underlined(document), WORDS);
    assert.deepEqual(stale(document), [false, false]);
  });

  it('count in UTF-16, as VS Code does, when emoji are typed before them', async () => {
    const document = await shown();
    await edit(document, 0, 0, '👩‍👩‍👧 é אב ');
    assert.deepEqual(underlined(document), WORDS);
  });

  it('are back when the file is reverted', async () => {
    const document = await shown();
    await edit(document, 8, 9, 'X');
    assert.deepEqual(stale(document), [true, false]);
    await vscode.commands.executeCommand('workbench.action.files.revert');
    await until('the old text', () => document.getText() === TEXT);
    await until('the findings', () => stale(document).every((one) => !one));
    assert.deepEqual(underlined(document), WORDS);
  });

  it('are of one document only', async () => {
    await shown();
    const copy = await openFile('copy.prompt.md', TEXT);
    assert.deepEqual(underlined(copy), []);
  });

  it('are found again where the prompt has moved as a whole', async () => {
    const document = await openFile('moved.prompt.md', TEXT);
    await keepRun(document, changes);
    await edit(document, 0, 0, 'A note above.\n\n');
    await vscode.commands.executeCommand(COMMANDS.openLastReport.id);
    assert.deepEqual(underlined(document), WORDS);
  });

  it('are not guessed where the prompt stands twice', async () => {
    const document = await openFile('twice.prompt.md', TEXT);
    await keepRun(document, changes);
    await edit(document, 0, 0, `# Copy\n${TEXT}\n`);
    await vscode.commands.executeCommand(COMMANDS.openLastReport.id);
    assert.deepEqual(underlined(document), []);
  });

  it('go when they are cleared, and stay away', async () => {
    const document = await shown();
    await vscode.commands.executeCommand(COMMANDS.clearFindings.id);
    await edit(document, 0, 0, 'x');
    assert.deepEqual(underlined(document), []);
  });
});
