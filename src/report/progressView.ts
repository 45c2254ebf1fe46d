/** A run that is going on, in words. */
import type { ProgressView } from '../contracts/reportView';
import { lookSentence } from './looksSentences';
import { formatCount, formatDuration } from './format';
import { toPrintable } from './visibleText';

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
  arms: ArmProgress[];
  /** The last look that was made at answers so far. */
  look?: { look: number; looks: number; answers: number; decided: number; changes: number };
}

/** What has arrived of one prompt. */
export interface ArmProgress {
  conditionId: string;
  name: string;
  total: number;
  done: number;
  failed: number;
  /** Distinct answers, and how often each was given. */
  answers: ReadonlyMap<string, number>;
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
    looksText: progress.look === undefined ? null : lookSentence(progress.look),
    arms: progress.arms.map(({ name, done: came, total: planned, failed, answers }) => ({
      name,
      done: came,
      total: planned,
      failed,
      commonest: commonest(answers),
    })),
  };
}

const MAX_ANSWER_CHARS = 60;

/** The commonest answer in one line, with its share; null before there is any. */
function commonest(answers: ReadonlyMap<string, number>): string | null {
  const [first] = [...answers].sort((a, b) => b[1] - a[1]);
  if (first === undefined) return null;
  const line = first[0].trim().replace(/\s+/g, ' ');
  const short = line.length > MAX_ANSWER_CHARS ? `${line.slice(0, MAX_ANSWER_CHARS - 1)}…` : line;
  return `${toPrintable(short)} (${formatCount(first[1])})`;
}
