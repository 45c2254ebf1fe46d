import * as vscode from 'vscode';
import type { PreparedCheck } from '../compose/evenkeel';
import type { RunEvent } from '../engine/events';
import type { Progress } from '../report/progressView';

/** A check that is going on. Whoever shows it listens; nobody who stops listening stops it. */
export interface RunSession {
  progress(): Progress;
  onChange: vscode.Event<void>;
  signal: AbortSignal;
  /** Stops asking the model; what has arrived is tested and kept. */
  cancel(): void;
  take(event: RunEvent): void;
  dispose(): void;
}

export function createRunSession({ request }: PreparedCheck): RunSession {
  const controller = new AbortController();
  const changed = new vscode.EventEmitter<void>();
  let progress: Progress = {
    title: request.source?.path ?? 'Selection',
    modelId: request.modelId,
    phase: 'loading',
    done: 0,
    total: 0,
    secondsLeft: null,
    cancelling: false,
    warnings: [],
  };
  const update = (change: Partial<Progress>) => {
    progress = { ...progress, ...change };
    changed.fire();
  };
  return {
    progress: () => progress,
    onChange: changed.event,
    signal: controller.signal,
    cancel() {
      controller.abort();
      update({ cancelling: true });
    },
    take(event) {
      if (event.type === 'phase') update({ phase: event.phase, done: 0, total: 0, secondsLeft: null });
      else if (event.type === 'progress') {
        const { phase, done, total, secondsLeft } = event;
        update({ phase, done, total, secondsLeft });
      } else if (event.type === 'warning') update({ warnings: [...progress.warnings, event.message] });
    },
    dispose: () => changed.dispose(),
  };
}
