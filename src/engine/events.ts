import type { Sample } from '../contracts/runRecord';

export type RunPhase = 'loading' | 'sampling' | 'embedding' | 'testing';

/** What a run tells while it goes on. Progress counts samples, texts or comparisons, by phase. */
export type RunEvent =
  | { type: 'phase'; phase: RunPhase }
  | { type: 'progress'; phase: RunPhase; done: number; total: number; secondsLeft: number | null }
  | { type: 'sample'; sample: Sample }
  | { type: 'warning'; message: string };

export interface RunHooks {
  signal: AbortSignal;
  onEvent?: (event: RunEvent) => void;
}
