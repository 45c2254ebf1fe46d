import * as vscode from 'vscode';
import type { CheckRequest, Evenkeel } from '../compose/evenkeel';
import type { FoundPrompt } from '../contracts/foundPrompt';
import type { RunRecord } from '../contracts/runRecord';
import { isUserError, UserError } from '../contracts/userError';
import type { RunHooks } from '../engine/events';
import { progressView } from '../report/progressView';
import { headline } from '../report/sentences';
import { askVariables } from './askVariables';
import { ensureWeights, replaceWeights } from './fetchWeights';
import type { Findings, TrackedPrompt } from './findings';
import { COMMANDS } from './manifest';
import { pickModel } from './pickModel';
import { needsConsent, planDetail, planSummary } from './planText';
import { promptUnderCheck, withValues, type PromptTarget, type PromptUnderCheck } from './promptUnderCheck';
import type { ReportPanel } from './reportPanel';
import { createRunSession, type RunSession, type RunToShow } from './runSession';
import { readSettings, saveModel } from './settings';
import { plainText } from './plainText';
import { maySendTo } from './sendingConsent';

/** Arguments of the command, for key bindings and other extensions; what is missing is asked for. */
export interface CheckArguments extends PromptTarget {
  modelId?: string;
  variables?: Record<string, string>;
}

export interface CheckDeps {
  evenkeel(): Promise<Evenkeel>;
  /** Prompts that are found in a document. */
  prompts(document: vscode.TextDocument): Promise<FoundPrompt[]>;
  findings: Findings;
  panel: ReportPanel;
  memory: vscode.Memento;
  log: vscode.LogOutputChannel;
  /** The one check that may run; null when it ended. */
  setSession(session: RunSession | null): void;
  session(): RunSession | null;
  remember(record: RunRecord): Promise<void>;
}

/**
 * The main flow: text, variables, model, weights, plan, run, report.
 * @returns the run's id and how it ended; undefined when the person stopped before it began
 * @throws UserError on bad input, and when nothing could be measured
 */
export async function checkPrompt(
  deps: CheckDeps,
  args: CheckArguments,
): Promise<{ runId: string; state: RunRecord['state']; conclusion: string } | undefined> {
  if (deps.session() !== null) return offerToCancel(deps);
  const found = await promptUnderCheck(args, deps.prompts);
  const evenkeel = await deps.evenkeel();
  const given = { ...found.variables, ...args.variables };
  const variables = await valuesFor(evenkeel, found.text, given, deps.memory, found.hidden);
  const prompt =
    found.found === null ? found : withValues({ ...found, found: found.found }, { ...given, ...variables });
  const modelId = await chooseModel(evenkeel, args.modelId, prompt);
  if (modelId === undefined || !(await ensureWeights(evenkeel, modelId))) return undefined;

  const prepared = await evenkeel.prepare(requestOf(prompt, variables, modelId));
  if (needsConsent(prepared) && !(await confirmPlan(modelId, planDetail(prepared)))) return undefined;
  if (!(await maySendTo(modelId, readSettings(prompt.document.uri).ollamaUrl, deps.memory))) return undefined;
  return runShown(deps, evenkeel, {
    ...prepared,
    summary: planSummary(prepared),
    run: (hooks) => evenkeel.run(prepared, hooks),
    track: () => deps.findings.track(prompt.document, prompt, prepared.perturbations),
  });
}

/** @param more variables that the text does not show. @throws UserError `unboundVariables` when the person presses Escape */
export async function valuesFor(
  evenkeel: Evenkeel,
  text: string,
  given: Record<string, string>,
  memory: vscode.Memento,
  more: readonly string[] = [],
): Promise<Record<string, string>> {
  const names = [...new Set([...evenkeel.variablesOf(text).map(({ name }) => name), ...more])];
  const variables = await askVariables(names, given, memory);
  if (variables !== undefined) return variables;
  throw new UserError(
    'unboundVariables',
    `The check was not started: a variable of the prompt has no value (${names.join(', ')}).`,
    'Run the command again and give each variable a value.',
  );
}

export async function offerToCancel({ session }: CheckDeps): Promise<undefined> {
  const answer = await vscode.window.showInformationMessage(
    plainText(`A check of ${session()?.progress().title ?? 'a prompt'} is running. One runs at a time.`),
    COMMANDS.cancelRun.title,
  );
  if (answer !== undefined) session()?.cancel();
  return undefined;
}

export async function chooseModel(
  evenkeel: Evenkeel,
  asked: string | undefined,
  { document }: Pick<PromptUnderCheck, 'document'>,
): Promise<string | undefined> {
  const settings = readSettings(document.uri);
  if (asked !== undefined) return asked;
  if (settings.modelChosen) return settings.modelId;
  const picked = await pickModel(evenkeel, settings.modelId);
  if (picked !== undefined) await saveModel(picked);
  return picked;
}

function requestOf(
  { document, text, source }: PromptUnderCheck,
  variables: Record<string, string>,
  modelId: string,
): CheckRequest {
  const { samples, answerTokens, perturbations, seed } = readSettings(document.uri);
  return {
    text,
    source,
    variables,
    modelId,
    seed,
    limit: perturbations,
    options: { samples, answerTokens },
    reproduce: (usedSeed) =>
      `${COMMANDS.checkRobustness.title} on ${source.path} with model ${modelId}, samples ${samples}, seed ${usedSeed}`,
  };
}

export async function confirmPlan(modelId: string, detail: string): Promise<boolean> {
  const start = 'Start';
  const answer = await vscode.window.showInformationMessage(
    plainText(`Check with ${modelId}?`),
    { modal: true, detail: plainText(detail) },
    start,
  );
  return answer === start;
}

/** A run that is about to begin, whatever it checks. */
interface ShownRun extends RunToShow {
  summary: string;
  run(hooks: RunHooks): Promise<RunRecord>;
  /** Follows the places of its findings in the document; left out where it has none. */
  track?: () => TrackedPrompt;
}

/** Runs with progress and report; weights that turn out to be damaged are fetched again where the person agrees. */
export async function runShown(deps: CheckDeps, evenkeel: Evenkeel, shown: ShownRun) {
  const { modelId } = shown.request;
  try {
    return await runOnce(deps, shown);
  } catch (error) {
    if (!isUserError(error) || error.code !== 'weightsDamaged') throw error;
    if (!(await replaceWeights(evenkeel, modelId))) throw error;
    return runOnce(deps, shown);
  }
}

async function runOnce(deps: CheckDeps, shown: ShownRun) {
  const session = createRunSession(shown);
  const tracked = shown.track?.();
  deps.setSession(session);
  deps.panel.showProgress(session);
  deps.log.info(`check of ${shown.request.source?.path ?? 'a selection'}: ${shown.summary}`);
  try {
    const record = await vscode.window.withProgress(
      {
        location: vscode.ProgressLocation.Notification,
        title: plainText(`Evenkeel: ${shown.summary}`),
        cancellable: true,
      },
      (progress, token) => {
        token.onCancellationRequested(() => session.cancel());
        reportProgress(session, progress);
        return shown.run({ signal: session.signal, onEvent: session.take });
      },
    );
    await deps.remember(record);
    tracked?.show(record);
    announce(deps, record, deps.panel.showRecord(record, { open: false }));
    return { runId: record.id, state: record.state, conclusion: record.conclusion.state };
  } catch (error) {
    deps.panel.showProblem(error);
    throw error;
  } finally {
    tracked?.dispose();
    deps.setSession(null);
    session.dispose();
  }
}

/** Counts and time left; the bar is that of the phase that takes the time, asking the model. */
function reportProgress(
  session: RunSession,
  progress: vscode.Progress<{ message?: string; increment?: number }>,
) {
  let shown = 0;
  session.onChange(() => {
    const state = session.progress();
    const view = progressView(state);
    const share =
      state.phase === 'loading'
        ? 0
        : state.phase === 'sampling'
          ? (90 * view.done) / Math.max(1, view.total)
          : 95;
    const message = [view.phaseText, view.countText, view.timeLeftText].filter((part) => part).join(', ');
    progress.report({ message, increment: Math.max(0, share - shown) });
    shown = Math.max(shown, share);
  });
}

function announce({ log, panel }: CheckDeps, record: RunRecord, visible: boolean): void {
  const { state, sentence } = headline(record);
  log.info(`run ${record.id}: ${sentence}`);
  for (const warning of record.conclusion.warnings) log.warn(warning);
  if (visible) return;
  const show = state === 'wobbles' || state === 'failed' ? 'showWarningMessage' : 'showInformationMessage';
  void vscode.window[show](plainText(sentence), 'Open Report').then((answer) => {
    if (answer !== undefined) panel.showRecord(record, { open: true });
  });
}
