/** Perturbation sets that are open as YAML: what can be done with them above the first line, faults at their place. */
import * as vscode from 'vscode';
import type { PerturbationSet } from '../contracts/perturbationSet';
import { parsePerturbationSet, setFaultOf } from '../perturb/perturbationSetFile';
import { COMMANDS } from './manifest';
import { plainText } from './plainText';
import { setSummary } from './setText';

const SET_FILE = /\.perturbations\.ya?ml$/;
/** A fault in the middle of typing a word is none. */
const TYPING_MS = 300;

export const isSetDocument = ({ uri }: vscode.TextDocument): boolean => SET_FILE.test(uri.path);

/** Shows CodeLenses and faults of every open set until it is disposed. */
export function createSetDocuments(): vscode.Disposable {
  const faults = vscode.languages.createDiagnosticCollection('evenkeel-sets');
  const waiting = new Map<string, NodeJS.Timeout>();
  const check = (document: vscode.TextDocument) => {
    if (isSetDocument(document) && !document.isClosed) faults.set(document.uri, faultsOf(document));
  };
  const later = (document: vscode.TextDocument) => {
    const key = document.uri.toString();
    clearTimeout(waiting.get(key));
    waiting.set(key, setTimeout(check, TYPING_MS, document));
  };
  vscode.workspace.textDocuments.forEach(check);
  return vscode.Disposable.from(
    faults,
    vscode.languages.registerCodeLensProvider(
      { pattern: '**/*.perturbations.{yaml,yml}' },
      { provideCodeLenses: lensesOf },
    ),
    vscode.workspace.onDidOpenTextDocument(check),
    vscode.workspace.onDidChangeTextDocument(({ document }) => {
      if (isSetDocument(document)) later(document);
    }),
    vscode.workspace.onDidCloseTextDocument((document) => faults.delete(document.uri)),
    { dispose: () => waiting.forEach((timer) => clearTimeout(timer)) },
  );
}

function lensesOf(document: vscode.TextDocument): vscode.CodeLens[] {
  const top = new vscode.Range(0, 0, 0, 0);
  const run = { title: `$(play) ${COMMANDS.runFlips.title}`, command: COMMANDS.runFlips.id };
  let summary: string;
  try {
    summary = setSummary(parsePerturbationSet(document.getText()));
  } catch (error) {
    const fault = setFaultOf(error);
    summary = fault === null ? 'This is no perturbation set.' : `Line ${fault.line} is not right.`;
  }
  return [
    new vscode.CodeLens(top, { ...run, arguments: [document.uri] }),
    new vscode.CodeLens(top, { title: plainText(summary), command: '' }),
  ];
}

function faultsOf(document: vscode.TextDocument): vscode.Diagnostic[] {
  try {
    // A set that is being opened is empty for a moment.
    if (document.getText() !== '') parsePerturbationSet(document.getText());
    return [];
  } catch (error) {
    const fault = setFaultOf(error);
    if (fault === null) throw error;
    const start = document.validatePosition(new vscode.Position(fault.line - 1, fault.col - 1));
    const word = document.getWordRangeAtPosition(start, /\S+/) ?? new vscode.Range(start, start);
    const diagnostic = new vscode.Diagnostic(word, `${fault.what}.`, vscode.DiagnosticSeverity.Error);
    diagnostic.source = 'Evenkeel';
    return [diagnostic];
  }
}

/** The set as it stands in the editor. @throws UserError `invalidFile` with line and column */
export const setOf = (document: vscode.TextDocument): PerturbationSet =>
  parsePerturbationSet(document.getText());
