import * as vscode from 'vscode';
import type { RunRecord } from '../contracts/runRecord';
import { UserError } from '../contracts/userError';
import { promptFromFile, selectAt } from '../prompts/promptFile';
import { checkPromptText } from '../prompts/readPrompt';
import { PROMPT_FILES } from './manifest';

export interface PromptUnderCheck {
  document: vscode.TextDocument;
  /** UTF-16 offset of the prompt's first character in the document, line ends as the document has them. */
  offset: number;
  text: string;
  /** Values that the file itself gives for its variables. */
  variables: Record<string, string>;
  source: NonNullable<RunRecord['prompt']['source']>;
}

/**
 * What a menu or a caller may name; without it the active editor's selection, else the prompt of its file, read as the command
 * line reads it: without front matter, whose sample values count. Of Markdown that is no prompt file, which may hold much else,
 * it is the section around the cursor.
 */
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
  const path = vscode.workspace.asRelativePath(document.uri, false);
  const found = range === undefined ? promptOfFile(document, path, selection) : partOfFile(document, range);
  // What is wrong with the whole is said of the whole.
  if (found.text === '') checkPromptText(document.getText());
  checkPromptText(found.text);
  const isPart = found.text.trim() !== promptFromFile(document.getText(), path).text.trim();
  const line = document.positionAt(found.range.start).line + 1;
  return {
    document,
    offset: found.range.start,
    text: found.text,
    variables: found.variables,
    source: {
      // As the command line names a part: the title then says that not the whole file was checked.
      path: isPart ? `${path}:${line}` : path,
      uri: document.uri.toString(),
      range: found.range,
    },
  };
}

function partOfFile(document: vscode.TextDocument, range: vscode.Range) {
  const text = document.getText(range);
  const start = document.offsetAt(range.start);
  const { variables } = promptFromFile(document.getText(), document.uri.path);
  return { text, range: { start, end: start + text.length }, variables };
}

function promptOfFile(document: vscode.TextDocument, path: string, selection: vscode.Selection | undefined) {
  const content = document.getText();
  if (selection === undefined || document.languageId !== 'markdown' || PROMPT_FILES.test(path)) {
    return promptFromFile(content, path);
  }
  // The cursor of a file that was just opened stands at its start: then the whole is meant.
  const line = selection.active.line + 1;
  return line === 1 ? promptFromFile(content, path) : selectAt(content, line, path);
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
