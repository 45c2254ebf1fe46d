import type { Sample } from '../contracts/runRecord';

export type RunPhase = 'loading' | 'sampling' | 'embedding' | 'testing';

/** What a run tells while it goes on. Progress counts samples, texts or comparisons, by phase. */
export type RunEvent =
  | { type: 'phase'; phase: RunPhase }
  | { type: 'progress'; phase: RunPhase; done: number; total: number; secondsLeft: number | null }
  | { type: 'sample'; sample: Sample }
  /** A look at the answers so far was made; of `changes` so many are decided. */
  | { type: 'look'; look: number; looks: number; answers: number; decided: number; changes: number }
  | { type: 'warning'; message: string };

export interface RunHooks {
  /** Stops asking the model; what was received is still tested. */
  signal: AbortSignal;
  /** Stops everything at once. */
  abandon?: AbortSignal;
  onEvent?: (event: RunEvent) => void;
}

/** A flips run also tells how many reasonings it has. */
export interface FlipsHooks extends Omit<RunHooks, 'onEvent'> {
  onEvent?: (event: RunEvent | { type: 'reasoning'; done: number; total: number }) => void;
}
