import * as vscode from 'vscode';
import type { RunRecord } from '../contracts/runRecord';
import { UserError } from '../contracts/userError';
import { checkPromptText } from '../prompts/readPrompt';

export interface PromptUnderCheck {
  document: vscode.TextDocument;
  /** UTF-16 offset of the prompt's first character in the document, line ends as the document has them. */
  offset: number;
  text: string;
  source: NonNullable<RunRecord['prompt']['source']>;
}

/** What a menu or a caller may name; without it the active editor's selection, else its whole file. */
export interface PromptTarget {
  uri?: vscode.Uri;
  range?: vscode.Range;
}

/** @throws UserError `fileNotFound`, `emptyPrompt`, `binaryFile` or `promptTooLong` */
export async function promptUnderCheck(target: PromptTarget): Promise<PromptUnderCheck> {
  const editor = vscode.window.activeTextEditor;
  const { document, selection } = await find(target, editor);
  const range = target.range ?? (selection?.isEmpty === false ? selection : undefined);
  if (range !== undefined && document.getText(range).trim() === '' && document.getText().trim() !== '') {
    throw new UserError(
      'emptyPrompt',
      'The selection holds only spaces and line breaks.',
      'Select the prompt itself, or clear the selection to check the whole file.',
    );
  }
  const text = document.getText(range);
  checkPromptText(text);
  const offset = range === undefined ? 0 : document.offsetAt(range.start);
  return {
    document,
    offset,
    text,
    source: {
      path: vscode.workspace.asRelativePath(document.uri, false),
      uri: document.uri.toString(),
      range: { start: offset, end: offset + text.length },
    },
  };
}

async function find(target: PromptTarget, editor: vscode.TextEditor | undefined) {
  if (target.uri === undefined || editor?.document.uri.toString() === target.uri.toString()) {
    if (editor !== undefined) return editor;
    throw new UserError(
      'fileNotFound',
      'No text is open, so there is no prompt to check.',
      'Open the file that holds the prompt, select the prompt, and run the command again.',
    );
  }
  try {
    return { document: await vscode.workspace.openTextDocument(target.uri), selection: undefined };
  } catch (error) {
    // VS Code's own refusals: binary, too large, gone.
    const reason = error instanceof Error ? error.message : String(error);
    const code = /binary/i.test(reason) ? 'binaryFile' : 'fileNotFound';
    throw new UserError(code, `The file cannot be read as text: ${reason}`, 'Open a text file in UTF-8.');
  }
}
