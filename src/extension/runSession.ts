import * as vscode from 'vscode';
import type { PreparedCheck } from '../compose/evenkeel';
import type { Sample } from '../contracts/runRecord';
import type { RunEvent } from '../engine/events';
import type { Progress } from '../report/progressView';

/** A check that is going on. Whoever shows it listens; nobody who stops listening stops it. */
export interface RunSession {
  progress(): Progress;
  onChange: vscode.Event<void>;
  signal: AbortSignal;
  /** Stops asking the model; what has arrived is tested and kept. */
  cancel(): void;
  /** Stops as well, to go on later. */
  pause(): void;
  pausing(): boolean;
  /** `3.2 answers/s` while the model is asked; empty before there is a rate. */
  rateText(): string;
  take(event: RunEvent): void;
  dispose(): void;
}

/** What the page shows of a run while it goes on. */
export interface RunToShow {
  request: Pick<PreparedCheck['request'], 'source' | 'modelId'>;
  perturbations: Pick<PreparedCheck['perturbations'][number], 'id' | 'name'>[];
  options: Pick<PreparedCheck['options'], 'repeatArm' | 'samples'>;
}

const titleOf = (source: RunToShow['request']['source']) =>
  source === null ? 'Selection' : `${source.path}${source.symbol ? `#${source.symbol}` : ''}`;

export function createRunSession({ request, perturbations, options }: RunToShow): RunSession {
  const controller = new AbortController();
  const changed = new vscode.EventEmitter<void>();
  const planned = [
    { id: 'baseline', name: 'Baseline' },
    ...(options.repeatArm ? [{ id: 'repeat', name: 'Baseline, asked again' }] : []),
    ...perturbations,
  ];
  let progress: Progress = {
    title: titleOf(request.source),
    modelId: request.modelId,
    phase: 'loading',
    done: 0,
    total: 0,
    secondsLeft: null,
    cancelling: false,
    warnings: [],
    arms: planned.map(({ id, name }) => ({
      conditionId: id,
      name,
      total: options.samples,
      done: 0,
      failed: 0,
      answers: new Map<string, number>(),
    })),
  };
  const count = ({ conditionId, outcome, text }: Sample) => {
    const arms = progress.arms.map((arm) => {
      if (arm.conditionId !== conditionId) return arm;
      if (outcome !== 'ok') return { ...arm, done: arm.done + 1, failed: arm.failed + 1 };
      const answers = new Map(arm.answers).set(text, (arm.answers.get(text) ?? 0) + 1);
      return { ...arm, done: arm.done + 1, answers };
    });
    progress = { ...progress, arms };
  };
  const update = (change: Partial<Progress>) => {
    progress = { ...progress, ...change };
    changed.fire();
  };
  let pausing = false;
  let asking: { sinceMs: number; done: number } | null = null;
  const rateText = () => {
    if (asking === null || progress.phase !== 'sampling') return '';
    const seconds = (performance.now() - asking.sinceMs) / 1000;
    const rate = (progress.done - asking.done) / seconds;
    if (seconds < 0.5 || rate <= 0) return '';
    return rate >= 1 ? `${rate.toFixed(1)} answers/s` : `${(rate * 60).toFixed(0)} answers/min`;
  };
  return {
    progress: () => progress,
    rateText,
    pausing: () => pausing,
    pause() {
      pausing = true;
      controller.abort();
      update({ cancelling: true });
    },
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
        // Kept answers come all at once and are no rate.
        if (phase === 'sampling') asking ??= { sinceMs: performance.now(), done };
        update({ phase, done, total, secondsLeft });
      } else if (event.type === 'sample') count(event.sample);
      else if (event.type === 'look') update({ look: event });
      else if (event.type === 'warning') update({ warnings: [...progress.warnings, event.message] });
    },
    dispose: () => changed.dispose(),
  };
}
