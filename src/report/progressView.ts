/** A run that is going on, in words. */
import type { ProgressView } from '../contracts/reportView';
import { formatCount, formatDuration } from './format';

const phases = {
  loading: { text: 'Loading the model', unit: 'steps' },
  sampling: { text: 'Asking the model', unit: 'answers' },
  embedding: { text: 'Reading the answers', unit: 'answers' },
  testing: { text: 'Testing for differences', unit: 'changes' },
} as const;

export interface Progress {
  /** What is being checked: a file name, or `Selection`. */
  title: string;
  modelId: string;
  phase: keyof typeof phases;
  done: number;
  /** 0 while it is not known. */
  total: number;
  secondsLeft: number | null;
  cancelling: boolean;
  warnings: string[];
}

export function progressView(progress: Progress): ProgressView {
  const { done, total, phase, secondsLeft } = progress;
  const order = Object.keys(phases);
  return {
    title: progress.title,
    modelId: progress.modelId,
    phaseText: progress.cancelling ? 'Stopping; what has arrived is kept' : phases[phase].text,
    phase: order.indexOf(phase) + 1,
    phases: order.length,
    done: Math.min(done, total),
    total,
    countText: total === 0 ? '' : `${formatCount(done)} of ${formatCount(total)} ${phases[phase].unit}`,
    timeLeftText:
      secondsLeft === null || progress.cancelling
        ? null
        : `about ${formatDuration(Math.max(1, Math.ceil(secondsLeft))).replace('.0', '')} left`,
    cancelling: progress.cancelling,
    warnings: progress.warnings,
  };
}
