import * as vscode from 'vscode';
import type { RunRecord } from '../contracts/runRecord';
import type { FoundPrompt } from '../contracts/foundPrompt';
import { UserError } from '../contracts/userError';
import { promptAt } from '../prompts/discover';
import { askedPrompt } from '../prompts/discovery/askedPrompt';
import { isPromptFile } from '../prompts/discovery/wholeFile';
import { promptFromFile, selectAt } from '../prompts/promptFile';
import { checkPromptText } from '../prompts/readPrompt';

export interface PromptUnderCheck {
  document: vscode.TextDocument;
  text: string;
  /** Variables that are no part of `text` as it is, and need a value before it is complete: `withValues`. */
  hidden: string[];
  /** The prompt as it was found in code or in a list; null for text that is a prompt as it stands. */
  found: FoundPrompt | null;
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
  /** Of a prompt that was found in the document. */
  symbol?: string;
}

/** @throws UserError `fileNotFound`, `emptyPrompt`, `binaryFile` or `promptTooLong` */
export async function promptUnderCheck(
  target: PromptTarget,
  discover: (document: vscode.TextDocument) => Promise<FoundPrompt[]>,
): Promise<PromptUnderCheck> {
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
  if (range === undefined && !isPromptFile(path)) {
    const prompt = chosen(await discover(document), target.symbol, document, selection);
    if (prompt !== null)
      return withValues({ document, found: prompt, variables: prompt.values }, prompt.values);
  }
  const found = range === undefined ? promptOfFile(document, path, selection) : partOfFile(document, range);
  // What is wrong with the whole is said of the whole.
  if (found.text === '') checkPromptText(document.getText());
  checkPromptText(found.text);
  const isPart = found.text.trim() !== promptFromFile(document.getText(), path).text.trim();
  const line = document.positionAt(found.range.start).line + 1;
  return {
    document,
    text: found.text,
    hidden: [],
    found: null,
    variables: found.variables,
    source: {
      // As the command line names a part: the title then says that not the whole file was checked.
      path: isPart ? `${path}:${line}` : path,
      uri: document.uri.toString(),
      range: found.range,
    },
  };
}

/**
 * A found prompt with the values that it needs as a text of its own; what has no place of its own in it is filled in.
 * @throws UserError as `promptUnderCheck`
 */
export function withValues(
  { document, found, variables }: Pick<PromptUnderCheck, 'document' | 'variables'> & { found: FoundPrompt },
  values: Record<string, string>,
): PromptUnderCheck {
  const { text, map, missing } = askedPrompt(found, values);
  checkPromptText(text);
  const { path, span, symbol } = found;
  const source = { path, uri: document.uri.toString(), range: span, symbol, map };
  return { document, text, hidden: missing, found, variables, source };
}

/**
 * The found prompt that is meant: named, around the cursor or on its line, else the only one. Null in a document without any.
 * @throws UserError `usage` where it cannot be told
 */
function chosen(
  found: FoundPrompt[],
  symbol: string | undefined,
  document: vscode.TextDocument,
  selection: vscode.Selection | undefined,
): FoundPrompt | null {
  const lineOf = (offset: number) => document.positionAt(offset).line;
  const line = selection?.active.line ?? -1;
  const prompt =
    symbol !== undefined
      ? found.find((entry) => entry.symbol === symbol)
      : ((selection && promptAt(found, document.offsetAt(selection.active))) ??
        found.find(({ span }) => lineOf(span.start) <= line && line <= lineOf(span.end)) ??
        (found.length === 1 ? found[0] : undefined));
  if (prompt !== undefined) return prompt;
  if (found.length === 0 && symbol === undefined) return null;
  throw new UserError(
    'usage',
    symbol === undefined
      ? `This file holds ${found.length} prompts, and the cursor is in none of them.`
      : `The prompt ${symbol} is not there any more.`,
    'Put the cursor into the prompt, or select the text to check, and run the command again.',
  );
}

function partOfFile(document: vscode.TextDocument, range: vscode.Range) {
  const text = document.getText(range);
  const start = document.offsetAt(range.start);
  const { variables } = promptFromFile(document.getText(), document.uri.path);
  return { text, range: { start, end: start + text.length }, variables };
}

function promptOfFile(document: vscode.TextDocument, path: string, selection: vscode.Selection | undefined) {
  const content = document.getText();
  if (selection === undefined || document.languageId !== 'markdown' || isPromptFile(path)) {
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
