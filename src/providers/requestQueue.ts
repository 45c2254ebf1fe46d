import { setTimeout as sleep } from 'node:timers/promises';
import PQueue from 'p-queue';
import { observe, startConcurrency, type Observation } from '../engine/concurrency';

/** What a finished request says about its server; null: nothing. */
export type Sign = Pick<Observation, 'kind' | 'latencyMs' | 'tokens'>;

/**
 * The requests of one server: as many side by side as it takes well (`src/engine/concurrency.ts`), in the order in which
 * they came, none while the server wants us to wait.
 */
export function createRequestQueue(most: number) {
  let state = startConcurrency(most);
  const queue = new PQueue({ concurrency: state.limit });
  /** By a clock that cannot be set. */
  let resumeAtMs = 0;

  return {
    /** Begins where an earlier run came to; null: low. */
    beginAt(settledBefore: number | null): void {
      state = startConcurrency(most, settledBefore);
      queue.concurrency = state.limit;
    },
    /** The limit that was found to suit, for the next run; null before it was. */
    settled: () => (state.phase === 'growing' ? null : state.limit),
    /** Nothing is sent for so long. */
    holdBack(waitMs: number): void {
      resumeAtMs = Math.max(resumeAtMs, performance.now() + waitMs);
    },
    /**
     * `send` is called in its turn, or not at all once `signal` is aborted (then null). `again`: before those that have
     * not been sent yet.
     */
    async run<T>(
      send: () => Promise<T>,
      signOf: (result: T) => Sign | null,
      { signal, again }: { signal: AbortSignal; again: boolean },
    ): Promise<T | null> {
      return queue.add(
        async () => {
          const waitMs = resumeAtMs - performance.now();
          if (waitMs > 0) await sleep(waitMs, undefined, { signal }).catch(() => undefined);
          if (signal.aborted) return null;
          const sentAt = { limit: state.limit, inFlight: queue.pending };
          const result = await send();
          const sign = signOf(result);
          if (sign !== null) state = observe(state, { ...sign, ...sentAt });
          queue.concurrency = state.limit;
          return result;
        },
        { priority: again ? 1 : 0 },
      );
    },
  };
}
