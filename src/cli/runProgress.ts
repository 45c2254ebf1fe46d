import type { Evenkeel } from '../compose/evenkeel';
import type { RunEvent } from '../engine/events';
import { formatDuration } from '../report/format';
import { lookSentence } from '../report/looksSentences';
import { toPrintable } from '../report/visibleText';
import type { CliContext } from './context';
import { bytes } from './words';

/** Fetches a model that is not there yet, with progress. */
export async function fetchWeights(evenkeel: Evenkeel, modelId: string, context: CliContext): Promise<void> {
  await evenkeel.fetchWeights(modelId, {
    signal: context.signal,
    onProgress: (done, total) =>
      context.terminal.progress(`fetching the model  ${bytes(done)} of ${bytes(total)}`),
  });
  context.terminal.settle();
}

const PHASE_WORDS = {
  loading: 'loading the model',
  sampling: 'asking',
  embedding: 'reading the answers',
  testing: 'testing',
};

/** One line of progress on a terminal. */
export function showProgress(event: RunEvent, { terminal }: CliContext): void {
  if (event.type === 'warning') terminal.note(toPrintable(event.message));
  if (event.type === 'look') {
    terminal.settle();
    terminal.detail(lookSentence(event));
  }
  if (event.type === 'phase') terminal.progress(`${PHASE_WORDS[event.phase]} …`);
  if (event.type !== 'progress') return;
  const width = 20;
  const filled = Math.round((event.done / Math.max(1, event.total)) * width);
  const left = event.secondsLeft === null ? '' : `  ${formatDuration(event.secondsLeft)} left`;
  terminal.progress(
    `${PHASE_WORDS[event.phase].padEnd(19)}  ${'█'.repeat(filled)}${'░'.repeat(width - filled)}  ${event.done} of ${event.total}${left}`,
  );
}
