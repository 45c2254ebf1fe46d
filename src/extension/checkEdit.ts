import * as vscode from 'vscode';
import type { PreparedEdit } from '../compose/edits';
import type { RunRecord } from '../contracts/runRecord';
import { UserError } from '../contracts/userError';
import { promptFromFile } from '../prompts/promptFile';
import { chooseModel, confirmPlan, valuesFor, type CheckArguments, type CheckDeps } from './checkPrompt';
import { ensureWeights } from './fetchWeights';
import { textInHead } from './gitHead';
import { COMMANDS } from './manifest';
import { plainText } from './plainText';
import { editPlanDetail, editPlanSummary } from './planText';
import { runShown } from './runShown';
import { maySendTo } from './sendingConsent';
import { readSettings } from './settings';

const AGAINST = 'HEAD';

/**
 * Did the edit of the prompt file since the last commit change the behaviour, and by more than harmless rewordings would? The text
 * is that of the editor, saved or not.
 * @returns the run's id and how it ended; undefined when the person stopped before it began, or nothing has changed
 * @throws UserError on bad input, and when nothing could be measured
 */
export async function checkEdit(
  deps: CheckDeps,
  args: CheckArguments,
): Promise<{ runId: string; state: RunRecord['state']; conclusion: string } | undefined> {
  const document = await documentOf(args);
  return checkVersions(deps, args, {
    uri: document.uri,
    before: await textInHead(document.uri),
    after: document.getText(),
  });
}

/** Two versions of a prompt file: is what changed more than a rewording? As `checkEdit`, which names them. */
export async function checkVersions(
  deps: CheckDeps,
  args: CheckArguments,
  versions: { uri: vscode.Uri; before: string; after: string },
): Promise<{ runId: string; state: RunRecord['state']; conclusion: string } | undefined> {
  const { uri } = versions;
  const path = vscode.workspace.asRelativePath(uri, false);
  const before = promptFromFile(versions.before, path);
  const after = promptFromFile(versions.after, path);
  // Line ends are the editor's business, and no edit.
  const lines = (text: string) => text.replaceAll('\r\n', '\n');
  if (lines(before.text) === lines(after.text)) {
    void vscode.window.showInformationMessage(
      plainText(`The prompt of ${path} is the same as in ${AGAINST}: there is nothing to check.`),
    );
    return undefined;
  }
  const evenkeel = await deps.evenkeel();
  const given = { ...before.variables, ...after.variables, ...args.variables };
  const variables = await valuesFor(evenkeel, `${before.text}\n${after.text}`, given, deps.memory);
  const modelId = await chooseModel(evenkeel, args.modelId, uri);
  if (modelId === undefined || !(await ensureWeights(evenkeel, modelId))) return undefined;

  const { samples, answerTokens, budget, seed, ollamaUrl } = readSettings(uri);
  const prepared: PreparedEdit = await evenkeel.edits.prepare({
    text: before.text,
    editedText: after.text,
    source: { path, uri: uri.toString(), range: before.range },
    against: AGAINST,
    variables,
    modelId,
    writerId: null,
    seed,
    options: { samples, answerTokens, ...(budget === undefined ? {} : { budget }) },
    reproduce: (usedSeed) =>
      `${COMMANDS.checkEdit.title} on ${path} with model ${modelId}, samples ${samples}, seed ${usedSeed}`,
  });
  if (prepared.plan.priceUsd !== 0 && !(await confirmPlan(modelId, editPlanDetail(prepared)))) {
    return undefined;
  }
  if (!(await maySendTo(modelId, ollamaUrl, deps.memory))) return undefined;
  return runShown(deps, evenkeel, {
    request: prepared.request,
    options: prepared.options,
    perturbations: [prepared.edit],
    summary: editPlanSummary(prepared),
    run: (hooks) => evenkeel.edits.run(prepared, hooks),
  });
}

async function documentOf({ uri }: CheckArguments): Promise<vscode.TextDocument> {
  if (uri !== undefined) return vscode.workspace.openTextDocument(uri);
  const document = vscode.window.activeTextEditor?.document;
  if (document !== undefined) return document;
  throw new UserError(
    'fileNotFound',
    'No text is open, so there is no prompt to check.',
    'Open the prompt file that you edited, and run the command again.',
  );
}
