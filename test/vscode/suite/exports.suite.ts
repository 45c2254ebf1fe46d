/** Reports that leave the editor, the history, and what a workspace remembers. */
import assert from 'node:assert/strict';
import { readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import { COMMANDS } from '../../../src/extension/manifest';
import { openFile, reportTabs, until } from './editing';
import { keepRun } from './keptRun';

const TEXT = 'Say positive or negative.\n';
const span = { start: 4, end: 24 };
const execute = <T>(name: keyof typeof COMMANDS, ...args: unknown[]) =>
  vscode.commands.executeCommand<T>(COMMANDS[name].id, ...args);
const accept = () => vscode.commands.executeCommand('workbench.action.acceptSelectedQuickOpenItem');

async function reported(name: string): Promise<vscode.TextDocument> {
  const document = await openFile(name, TEXT);
  await keepRun(document, [
    {
      id: 'order',
      span,
      replacement: 'negative or positive',
      verdict: 'changed',
      answer: 'A telling answer.',
    },
  ]);
  await execute('openLastReport');
  await until('the report', () => reportTabs().some(({ label }) => label === `Report: ${name}`));
  return document;
}

describe('the report, exported', () => {
  afterEach(async () => {
    await execute('clearFindings');
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });
  const formats: [format: string, holds: RegExp][] = [
    ['html', /^<!DOCTYPE html>[^]*Content-Security-Policy[^]*A telling answer\./],
    ['markdown', /Change order/],
    ['json', /^\{[^]*"conclusion"/],
    ['csv', /A telling answer\./],
    ['perturbations', /Change order/],
    ['junit', /^<\?xml[^]*<testcase[^]*<failure/],
    ['sarif', /"version": ?"2\.1\.0"[^]*Change order/],
  ];
  for (const [format, holds] of formats) {
    it(`as ${format}`, async () => {
      const document = await reported('export.prompt.md');
      const target = vscode.Uri.joinPath(document.uri, '..', `out.${format}`);
      const written = await execute<string>('exportReport', { format, uri: target });
      assert.equal(written, target.fsPath);
      assert.match(await readFile(written, 'utf8'), holds);
      await rm(written);
    });
  }

  it('asks for the format where none is named, and Escape writes nothing', async () => {
    const document = await reported('escape.prompt.md');
    const asking = Promise.resolve(execute<string | undefined>('exportReport'));
    await new Promise((resolve) => setTimeout(resolve, 500));
    await vscode.commands.executeCommand('workbench.action.closeQuickOpen');
    assert.equal(await asking, undefined);
    const folder = await vscode.workspace.fs.readDirectory(vscode.Uri.joinPath(document.uri, '..'));
    assert.deepEqual(
      folder.map(([name]) => name),
      [path.basename(document.uri.fsPath)],
    );
  });
});

describe('the history', () => {
  afterEach(async () => {
    await execute('clearFindings');
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });

  it('lists the newest check first, and opens it with its findings', async () => {
    const document = await openFile('history.prompt.md', TEXT);
    await keepRun(document, [{ id: 'order', span, replacement: 'x', verdict: 'changed' }]);
    const choosing = Promise.resolve(execute('showHistory'));
    await until('the report', async () => {
      await accept();
      return reportTabs().some(({ label }) => label === 'Report: history.prompt.md');
    });
    await choosing;
    assert.equal(vscode.languages.getDiagnostics(document.uri).length, 1);
  });

  it('opens nothing on Escape', async () => {
    const choosing = Promise.resolve(execute<unknown>('showHistory'));
    await until('the end', async () => {
      await vscode.commands.executeCommand('workbench.action.closeQuickOpen');
      return Promise.race([
        choosing.then(() => true),
        new Promise<boolean>((go) => setTimeout(go, 50, false)),
      ]);
    });
    assert.equal(reportTabs().length, 0);
  });
});
