import * as vscode from 'vscode';
import { REPORT_VIEW } from '../../../src/extension/manifest';

let opened = 0;

/**
 * A new file of the workspace with this text, open in an editor. In a folder of its own: VS Code lets go of a closed
 * document some time later, and a file written anew meanwhile is reloaded into the old one, in mid-test.
 */
export async function openFile(name: string, text: string): Promise<vscode.TextDocument> {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  if (folder === undefined) throw new Error('the suite needs a folder');
  opened += 1;
  const uri = vscode.Uri.joinPath(folder, String(opened), name);
  await vscode.workspace.fs.writeFile(uri, Buffer.from(text));
  const document = await vscode.workspace.openTextDocument(uri);
  await vscode.window.showTextDocument(document);
  return document;
}

export function findingsOf(document: vscode.TextDocument): vscode.Diagnostic[] {
  return vscode.languages.getDiagnostics(document.uri).filter(({ source }) => source === 'Evenkeel');
}

export const underlined = (document: vscode.TextDocument): string[] =>
  findingsOf(document).map(({ range }) => document.getText(range));

export async function edit(
  document: vscode.TextDocument,
  start: number,
  end: number,
  text: string,
): Promise<void> {
  const change = new vscode.WorkspaceEdit();
  const range = new vscode.Range(document.positionAt(start), document.positionAt(end));
  change.replace(document.uri, range, text);
  await vscode.workspace.applyEdit(change);
}

export const reportTabs = (): vscode.Tab[] =>
  vscode.window.tabGroups.all.flatMap(({ tabs }) =>
    tabs.filter(
      ({ input }) => input instanceof vscode.TabInputWebview && input.viewType.includes(REPORT_VIEW),
    ),
  );

/** Waits until `holds` is true; fails with `what` after a while. */
export async function until(
  what: string,
  holds: () => boolean | Promise<boolean>,
  timeoutMs = 60_000,
): Promise<void> {
  const end = Date.now() + timeoutMs;
  while (!(await holds())) {
    if (Date.now() > end) throw new Error(`waited ${timeoutMs} ms in vain: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
