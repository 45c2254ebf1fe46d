import * as vscode from 'vscode';
import { inferExtractor } from '../answers/extractor';
import type { Evenkeel } from '../compose/evenkeel';
import type { FlipsView } from '../contracts/flipsView';
import type { FlipsRecord } from '../contracts/flipsRecord';
import { UserError } from '../contracts/userError';
import { judgeAgreement } from '../judge/judgeAgreement';
import { agreementFigure, agreementHead } from '../judge/agreementSentence';
import { flipsView } from '../report/flipsView';
import { countOf } from '../report/format';
import { createRng } from '../stats/rng';
import { askVariables } from './askVariables';
import { ensureWeights } from './fetchWeights';
import { COMMANDS } from './manifest';
import { plainText } from './plainText';
import { isFree } from './reviewPerturbations';
import { maySendTo } from './sendingConsent';
import { isSetDocument, setOf } from './setDocuments';
import { readSettings } from './settings';
import { signalOf } from './withSignal';

export interface FlipsArguments {
  uri?: vscode.Uri;
  modelId?: string;
  variables?: Record<string, string>;
  /** Answers that the prompt allows, where it does not say. */
  options?: string[];
}

export interface FlipsDeps {
  evenkeel(): Promise<Evenkeel>;
  memory: vscode.Memento;
  log: vscode.LogOutputChannel;
  /** Shows Markdown read-only. */
  show(view: FlipsView): void;
}

/**
 * Asks the model under test the set as it stands in the editor, and shows what flipped. The set is saved first: its
 * labels are kept.
 * @returns the run; undefined when the person stopped before it began
 * @throws UserError on a faulty set, and when nothing could be measured
 */
export async function runFlips(
  deps: FlipsDeps,
  args: FlipsArguments,
): Promise<{ runId: string; state: FlipsRecord['state'] } | undefined> {
  const document = await setDocument(args.uri);
  const set = setOf(document);
  const evenkeel = await deps.evenkeel();
  const settings = readSettings(document.uri);
  const names = evenkeel.variablesOf(set.prompt).map(({ name }) => name);
  const variables = await askVariables(names, args.variables ?? {}, deps.memory);
  if (variables === undefined) return undefined;
  const options = args.options ?? (await askOptions(set.prompt));
  if (options === undefined) return undefined;
  const modelId = args.modelId ?? settings.modelId;
  const plan = evenkeel.flips.prepare({
    modelId,
    seed: settings.seed,
    source: {
      type: 'prompt',
      path: vscode.workspace.asRelativePath(document.uri.fsPath, false),
      text: set.prompt,
      variables,
      set: document.getText(),
      options,
      pattern: null,
    },
    reproduce: `${COMMANDS.runFlips.title} with model ${modelId}, seed ${settings.seed}`,
  });
  if (!isFree(modelId) && !(await confirmCalls(modelId, plan.conditions.length))) return undefined;
  if (!(await maySendTo(modelId, settings.ollamaUrl, deps.memory))) return undefined;
  if (!(await ensureWeights(evenkeel, modelId))) return undefined;
  if (!(await save(document))) return undefined;

  const record = await vscode.window.withProgress(
    {
      location: vscode.ProgressLocation.Notification,
      title: plainText(`Evenkeel: ${countOf(plan.conditions.length, 'answer')} of ${modelId}`),
      cancellable: true,
    },
    (progress, token) =>
      evenkeel.flips.run(plan, {
        signal: signalOf(token),
        onEvent(event) {
          if (event.type === 'progress')
            progress.report({
              message: `${event.done} of ${event.total}`,
              increment: 100 / Math.max(1, event.total),
            });
        },
      }),
  );
  deps.log.info(`flips run ${record.id}: ${record.state}`);
  const agreement = judgeAgreement([set], createRng(set.seed, 'agreement')).map(
    (one) => `${agreementHead(one)}. ${agreementFigure(one)}`,
  );
  const view = flipsView(record);
  deps.show({ ...view, notes: [...view.notes, ...agreement] });
  return { runId: record.id, state: record.state };
}

/** An unsaved set gets its name on disk, and its editor stays. False when the person declines. */
async function save(document: vscode.TextDocument): Promise<boolean> {
  if (!document.isDirty && !document.isUntitled) return true;
  const shown = vscode.window.tabGroups.all.some(({ tabs }) =>
    tabs.some(
      ({ input }) => input instanceof vscode.TabInputText && input.uri.toString() === document.uri.toString(),
    ),
  );
  return shown ? (await vscode.workspace.save(document.uri)) !== undefined : document.save();
}

async function setDocument(uri: vscode.Uri | undefined): Promise<vscode.TextDocument> {
  const document =
    uri === undefined
      ? vscode.window.activeTextEditor?.document
      : await vscode.workspace.openTextDocument(uri);
  if (document !== undefined && isSetDocument(document)) return document;
  throw new UserError(
    'usage',
    'No perturbation set is open.',
    `Run Evenkeel: ${COMMANDS.reviewPerturbations.title} on a prompt, then run flips on the file that it opens.`,
  );
}

/** Null: the prompt says which answers it allows. Undefined: the person does not. */
async function askOptions(prompt: string): Promise<string[] | null | undefined> {
  if (inferExtractor(prompt).kind !== 'freeText') return null;
  const given = await vscode.window.showInputBox({
    title: 'Answers that the prompt allows',
    prompt: 'The prompt does not say. Name them with commas between: Yes, No',
    ignoreFocusOut: true,
    validateInput: (value) =>
      answersIn(value).length < 2 ? 'Name at least two: one alone cannot flip.' : undefined,
  });
  return given === undefined ? undefined : answersIn(given);
}

const answersIn = (text: string): string[] =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');

async function confirmCalls(modelId: string, calls: number): Promise<boolean> {
  const start = 'Start';
  const answer = await vscode.window.showInformationMessage(
    plainText(`Ask ${modelId} ${countOf(calls, 'time')}?`),
    { modal: true, detail: 'One short answer each. The price of this server is not known.' },
    start,
  );
  return answer === start;
}
