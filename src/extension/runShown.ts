import * as vscode from 'vscode';
import type { Evenkeel } from '../compose/evenkeel';
import type { RunRecord } from '../contracts/runRecord';
import { isUserError, toUserError } from '../contracts/userError';
import type { RunHooks } from '../engine/events';
import { progressView } from '../report/progressView';
import { headline } from '../report/sentences';
import { replaceWeights } from './fetchWeights';
import type { TrackedPrompt } from './findings';
import { COMMANDS } from './manifest';
import { plainText } from './plainText';
import type { ReportPanel } from './reportPanel';
import type { RunQueue } from './runQueue';
import { createRunSession, type RunSession, type RunToShow } from './runSession';
import type { UnfinishedRuns } from './unfinishedRuns';
import { signalOf } from './withSignal';

export interface RunDeps {
  panel: ReportPanel;
  log: vscode.LogOutputChannel;
  queue: RunQueue;
  unfinished: UnfinishedRuns;
  /** The check that runs; null when it ended. */
  setSession(session: RunSession | null): void;
  remember(record: RunRecord): Promise<void>;
}

/** A run that is about to begin, whatever it checks. */
export interface ShownRun extends RunToShow {
  summary: string;
  run(hooks: RunHooks): Promise<RunRecord>;
  /** Cancels it, beside the person. */
  signal?: AbortSignal;
  /** Follows the places of its findings in the document; left out where it has none. */
  track?: () => TrackedPrompt;
}

export interface RunResult {
  runId: string;
  state: RunRecord['state'];
  conclusion: string;
}

/**
 * Waits for its turn, runs with progress and report; weights that turn out to be damaged are fetched again where the person agrees.
 * @returns undefined where it was cancelled before its turn
 */
export async function runShown(
  deps: RunDeps,
  evenkeel: Evenkeel,
  shown: ShownRun,
): Promise<RunResult | undefined> {
  const { modelId } = shown.request;
  // From now on, also while it waits: what is underlined afterwards is what was there when it was asked for.
  const tracked = shown.track?.();
  try {
    return await vscode.window.withProgress(
      {
        location: vscode.ProgressLocation.Notification,
        title: plainText(`Evenkeel: ${shown.summary}`),
        cancellable: true,
      },
      (progress, token) => {
        const own = signalOf(token);
        const signal = shown.signal === undefined ? own : AbortSignal.any([own, shown.signal]);
        const waiting = deps.queue.waiting().length;
        if (deps.queue.held) progress.report({ message: `waits: ${COMMANDS.resumeRun.title} goes on` });
        else
          progress.report({ message: waiting > 0 ? `waits behind ${waiting + 1} others` : 'waits its turn' });
        return deps.queue.add(titleOf(shown), signal, async () => {
          const once = () => runOnce(deps, shown, tracked, { progress, signal });
          try {
            return await once();
          } catch (error) {
            if (!isUserError(error) || error.code !== 'weightsDamaged') throw error;
            if (!(await replaceWeights(evenkeel, modelId))) throw error;
            return once();
          }
        });
      },
    );
  } finally {
    tracked?.dispose();
  }
}

const titleOf = ({ request }: RunToShow) => request.source?.path ?? 'a selection';

async function runOnce(
  deps: RunDeps,
  shown: ShownRun,
  tracked: TrackedPrompt | undefined,
  shownBy: { progress: vscode.Progress<{ message?: string; increment?: number }>; signal: AbortSignal },
): Promise<RunResult> {
  const session = createRunSession(shown);
  let runId: string | null = null;
  deps.setSession(session);
  deps.panel.showProgress(session);
  deps.log.info(`check of ${titleOf(shown)}: ${shown.summary}`);
  shownBy.signal.addEventListener('abort', () => session.cancel());
  if (shownBy.signal.aborted) session.cancel();
  reportProgress(session, shownBy.progress);
  try {
    const record = await shown.run({
      signal: session.signal,
      onEvent: session.take,
      onKept(id) {
        runId = id;
        void deps.unfinished.begun({ runId: id, title: titleOf(shown) });
      },
    });
    if (!session.pausing()) await deps.unfinished.ended(record.id);
    await deps.remember(record);
    tracked?.show(record);
    announce(deps, record, deps.panel.showRecord(record, { open: false }), session.pausing());
    return { runId: record.id, state: record.state, conclusion: record.conclusion.state };
  } catch (error) {
    // Nothing came: there is nothing to go on from.
    if (runId !== null && !session.pausing()) await deps.unfinished.ended(runId);
    // Stopped before the first answer: no failure, and nothing to show.
    if (toUserError(error).code === 'cancelled') deps.panel.showNothing();
    else deps.panel.showProblem(error);
    throw error;
  } finally {
    deps.setSession(null);
    session.dispose();
  }
}

/** Counts, rate and time left; the bar is that of the phase that takes the time, asking the model. */
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
    const parts = [view.phaseText, view.countText, session.rateText(), view.timeLeftText];
    const message = parts.filter((part) => part).join(', ');
    progress.report({ message, increment: Math.max(0, share - shown) });
    shown = Math.max(shown, share);
  });
}

function announce({ log, panel }: RunDeps, record: RunRecord, visible: boolean, paused: boolean): void {
  const { state, sentence } = headline(record);
  log.info(`run ${record.id}: ${sentence}`);
  for (const warning of record.conclusion.warnings) log.warn(warning);
  if (visible || paused) return;
  const show = state === 'wobbles' || state === 'failed' ? 'showWarningMessage' : 'showInformationMessage';
  void vscode.window[show](plainText(sentence), 'Open Report').then((answer) => {
    if (answer !== undefined) panel.showRecord(record, { open: true });
  });
}
