import * as vscode from 'vscode';
import type { RunRecord, Span } from '../contracts/runRecord';
import { placesOf } from './trackedSpans';

/** Shows a place of the checked prompt in its file, and marks it for a moment. False where the prompt is not there any more. */
export async function revealPlace(record: RunRecord, span: Span): Promise<boolean> {
  const uri = record.prompt.source?.uri;
  if (uri === null || uri === undefined) return false;
  const document = await vscode.workspace.openTextDocument(vscode.Uri.parse(uri));
  const spans = placesOf(document.getText(), record.prompt)?.(span);
  if (spans?.[0] === undefined) return false;
  const range = new vscode.Range(
    document.positionAt(spans[0].start),
    document.positionAt((spans.at(-1) ?? spans[0]).end),
  );
  const beside = vscode.window.visibleTextEditors.find((entry) => entry.document === document);
  const editor = await vscode.window.showTextDocument(document, {
    viewColumn: beside?.viewColumn ?? vscode.ViewColumn.One,
  });
  // No selection: the next check would be one of these words alone.
  editor.selection = new vscode.Selection(range.start, range.start);
  editor.revealRange(range, vscode.TextEditorRevealType.InCenterIfOutsideViewport);
  flash(editor, range);
  return true;
}

const FLASH_MS = 1_500;

function flash(editor: vscode.TextEditor, range: vscode.Range): void {
  const mark = vscode.window.createTextEditorDecorationType({
    backgroundColor: new vscode.ThemeColor('editor.findMatchHighlightBackground'),
  });
  editor.setDecorations(mark, [range]);
  setTimeout(() => mark.dispose(), FLASH_MS);
}
