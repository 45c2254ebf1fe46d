import * as vscode from 'vscode';
import { toUserError, UserError } from '../contracts/userError';
import { formatPerturbationSet } from '../perturb/perturbationSetFile';
import { askVariables } from './askVariables';
import type { CheckDeps } from './checkPrompt';
import { ensureWeights } from './fetchWeights';
import { plainText } from './plainText';
import { promptUnderCheck, type PromptTarget } from './promptUnderCheck';
import { maySendTo } from './sendingConsent';
import { readSettings } from './settings';
import { signalOf } from './withSignal';

export interface ReviewArguments extends PromptTarget {
  variables?: Record<string, string>;
}

/** Kept on this machine, or on a server that takes no money. */
export const isFree = (modelId: string): boolean => /^(?:local|ollama):/.test(modelId);

/**
 * Makes the perturbations of the prompt and opens them as YAML beside it, to be edited. The model under test is not
 * asked; writer and judge only where the settings name them.
 * @returns the set's document; undefined when the person stopped
 * @throws UserError on bad input, and when writer or judge cannot be used
 */
export async function reviewPerturbations(
  deps: Pick<CheckDeps, 'evenkeel' | 'prompts' | 'memory' | 'log'>,
  args: ReviewArguments,
): Promise<{ uri: string } | undefined> {
  const prompt = await promptUnderCheck(args, deps.prompts);
  const evenkeel = await deps.evenkeel();
  const settings = readSettings(prompt.document.uri);
  const { judgeId, writerId, modelId } = settings;
  const names = evenkeel.variablesOf(prompt.text).map(({ name }) => name);
  // Rules need no values; whoever reads the prompt does.
  const variables =
    judgeId === null && writerId === null
      ? {}
      : await askVariables(names, { ...prompt.variables, ...args.variables }, deps.memory);
  if (variables === undefined) return undefined;
  const helpers = [...new Set([writerId, judgeId])].filter((id) => id !== null);
  for (const id of helpers) {
    if (!isFree(id) && !(await confirmHelper(id))) return undefined;
    if (!(await maySendTo(id, settings.ollamaUrl, deps.memory))) return undefined;
    if (!(await ensureWeights(evenkeel, id))) return undefined;
  }

  const notes: string[] = [];
  const { set, stopped } = await vscode.window.withProgress(
    {
      location: vscode.ProgressLocation.Notification,
      title: vscode.l10n.t('Evenkeel: perturbations'),
      cancellable: true,
    },
    (progress, token) =>
      evenkeel.perturbationSet(
        {
          text: prompt.text,
          variables,
          limit: settings.perturbations,
          seed: settings.seed,
          writerId,
          judgeId,
          modelId,
        },
        {
          signal: signalOf(token),
          onEvent(event) {
            if (event.type === 'warning') notes.push(event.message);
            if (event.type === 'progress')
              progress.report({ message: `${event.phase} ${event.done} of ${event.total}` });
          },
        },
      ),
  );
  if (judgeId === null) {
    notes.push(
      'No judge: each strength is what the rule that made the perturbation declares. Relabel freely.',
    );
  }
  if (stopped !== null) notes.push(`Rating stopped: ${toUserError(stopped.error).message}`);
  for (const note of notes) deps.log.info(note);
  const document = await showSet(prompt.document.uri, formatPerturbationSet(set, notes));
  return { uri: document.uri.toString() };
}

async function confirmHelper(modelId: string): Promise<boolean> {
  const ask = vscode.l10n.t('Ask');
  const answer = await vscode.window.showInformationMessage(
    plainText(`Ask ${modelId} about this prompt?`),
    { modal: true, detail: 'It writes or rates perturbations, as the settings say. Its price is not known.' },
    ask,
  );
  return answer === ask;
}

/** Not written to disk: it has the name under which it is saved, when the person saves it or runs it. */
async function showSet(prompt: vscode.Uri, text: string): Promise<vscode.TextDocument> {
  const uri = await freeName(prompt);
  const document = await vscode.workspace.openTextDocument(uri);
  // Shown before it is filled: VS Code opens a changed document without an editor in a place of its own.
  const editor = await vscode.window.showTextDocument(document, {
    viewColumn: vscode.ViewColumn.Beside,
    preview: false,
  });
  if (!(await editor.edit((edit) => edit.insert(new vscode.Position(0, 0), text)))) {
    throw new UserError('internal', 'The set could not be shown.', 'Run the command again.');
  }
  await vscode.commands.executeCommand('cursorTop');
  return document.languageId === 'yaml'
    ? document
    : vscode.languages.setTextDocumentLanguage(document, 'yaml').then(undefined, () => document);
}

async function freeName(prompt: vscode.Uri): Promise<vscode.Uri> {
  const open = new Set(vscode.workspace.textDocuments.map(({ uri }) => uri.path));
  for (let number = 1; ; number++) {
    const path = `${prompt.path}${number === 1 ? '' : `-${number}`}.perturbations.yaml`;
    if (open.has(path)) continue;
    const taken = await vscode.workspace.fs.stat(prompt.with({ path })).then(
      () => true,
      () => false,
    );
    if (!taken) return vscode.Uri.from({ scheme: 'untitled', path });
  }
}
