/** The checks of this window: which one runs, which wait, which are paused, and what the status bar says of them. */
import * as vscode from 'vscode';
import type { RunRecord } from '../contracts/runRecord';
import { progressView } from '../report/progressView';
import { headline } from '../report/sentences';
import { CONTEXT_KEYS } from './manifest';
import { plainText } from './plainText';
import type { ReportPanel } from './reportPanel';
import { createRunQueue } from './runQueue';
import type { RunSession } from './runSession';
import type { RunDeps } from './runShown';
import { readSettings } from './settings';
import type { StatusBar } from './statusBar';
import { createUnfinishedRuns } from './unfinishedRuns';

export interface Runs extends RunDeps {
  session(): RunSession | null;
  pause(): void;
  /** The window closes: what runs stops, and is offered again. */
  close(): void;
}

export function createRuns(deps: {
  panel: ReportPanel;
  log: vscode.LogOutputChannel;
  memory: vscode.Memento;
  statusBar: StatusBar;
  remember(record: RunRecord): Promise<void>;
}): Runs {
  const { panel, log, statusBar } = deps;
  const unfinished = createUnfinishedRuns(deps.memory);
  let session: RunSession | null = null;
  const setContext = (key: string, value: boolean) =>
    void vscode.commands.executeCommand('setContext', key, value);
  const showPaused = () => {
    const paused = session === null ? unfinished.list().length : 0;
    setContext(CONTEXT_KEYS.paused, paused > 0);
    return paused;
  };
  const say = () => {
    if (session === null) return;
    const view = progressView(session.progress());
    const waiting = queue.waiting().length;
    const text = view.countText === '' ? view.phaseText : view.countText;
    const more = waiting === 0 ? '' : ` (+${waiting})`;
    const tooltip = [view.phaseText, view.title, session.rateText(), view.timeLeftText].filter(
      (part) => part,
    );
    statusBar.running(`${text}${more}`, tooltip.join(' · '));
  };
  const queue = createRunQueue(say);
  showPaused();
  return {
    panel,
    log,
    queue,
    unfinished,
    session: () => session,
    setSession(next) {
      session = next;
      setContext(CONTEXT_KEYS.running, next !== null);
      next?.onChange(say);
      const paused = showPaused();
      // Paused before there was anything to go on from: nothing is to wait for it.
      if (next === null && queue.held && paused === 0) queue.release();
      if (next !== null) say();
      else if (queue.held && paused > 0) statusBar.paused(paused);
      else statusBar.ended(readSettings().modelId);
    },
    async remember(record) {
      await deps.remember(record);
      // After the session has ended, which shows the model alone.
      setTimeout(() => {
        if (session !== null || queue.held) return;
        const { state, word } = headline(record);
        statusBar.ended(record.model.id, { words: plainText(word), wobbles: state !== 'steady' });
      }, 0);
    },
    pause() {
      if (session === null) return;
      queue.hold();
      session.pause();
    },
    close() {
      unfinished.freeze();
      queue.hold();
      session?.cancel();
    },
  };
}
