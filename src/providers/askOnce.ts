/** One request to a server: its time limits, and what came of it. */
import { setMaxListeners } from 'node:events';
import { isUserError } from '../contracts/userError';
import type { Clock } from '../engine/ports';
import { emptyDraft, shareTokens, type Draft } from './replies';
import type { Sign } from './requestQueue';
import { fault, faultOf, type Fault } from './serverFault';
import type { ServerLimits } from './serverLimits';

/**
 * Asks the server once, for as many answers as there are drafts. Writes what arrives into them, calls `heard` at the
 * first sign of a reply, and resolves only when the reply is complete. A UserError means that nothing can go on;
 * anything else is the fault of this request.
 */
export type Ask = (call: {
  seed: number;
  drafts: [Draft, ...Draft[]];
  signal: AbortSignal;
  heard: () => void;
}) => Promise<void>;

export const CANCELLED = fault('cancelled', 'cancelled', 'Stopped before the reply was complete.');

export interface Attempt {
  /** As sent. */
  seed: number;
  drafts: [Draft, ...Draft[]];
  fault: Fault | null;
  startedAtMs: number;
  latencyMs: number;
}

/** Failures that mean too many requests at once. */
const OVERRUN = new Set(['rateLimited', 'overloaded', 'requestTimeout', 'firstTokenTimeout', 'totalTimeout']);

/** What it says about how many requests suit the server. */
export function signOf(attempt: Attempt | null): Sign | null {
  if (attempt === null) return null;
  const { drafts, fault, latencyMs } = attempt;
  if (fault === null)
    return {
      kind: 'reply',
      latencyMs,
      tokens: drafts.reduce((sum, one) => sum + (one.completionTokens ?? 1), 0),
    };
  return OVERRUN.has(fault.code) ? { kind: 'overrun', latencyMs, tokens: 0 } : null;
}

/** Sends one request after another; never rejects but for a UserError: then nothing can go on. */
export function createAskOnce({ clock, limits }: { clock: Clock; limits: ServerLimits }) {
  /** The first requests may have to wait for the model to be loaded. */
  let loaded = false;

  return async (
    ask: Ask,
    { seed, answers }: { seed: number; answers: number },
    signal: AbortSignal,
  ): Promise<Attempt> => {
    const drafts = Array.from({ length: answers }, emptyDraft) as [Draft, ...Draft[]];
    // Not AbortSignal.any: Node keeps such a signal for good while anybody listens, and client libraries never stop.
    const call = new AbortController();
    const stop = () => call.abort(signal.reason);
    // As many listen to it as requests are under way, which Node would take for a leak.
    setMaxListeners(0, signal);
    signal.addEventListener('abort', stop, { once: true });
    if (signal.aborted) stop();
    let expired: Fault | null = null;
    const arm = (ms: number, code: string, what: string) =>
      setTimeout(() => {
        expired = fault('timeout', code, `${what} within ${ms / 1000} s.`);
        call.abort();
      }, ms);
    const startedAtMs = clock.nowMs();
    // The wall clock can be set in mid-request; this one cannot.
    const fromMs = performance.now();
    const firstMs = loaded ? limits.firstTokenMs : Math.max(limits.loadMs, limits.firstTokenMs);
    const first = arm(firstMs, 'firstTokenTimeout', 'No reply began');
    const total = arm(limits.totalMs, 'totalTimeout', 'The reply did not end');
    let failed: Fault | null = null;
    try {
      await ask({
        seed,
        drafts,
        signal: call.signal,
        heard: () => {
          loaded = true;
          clearTimeout(first);
        },
      });
    } catch (error) {
      if (isUserError(error)) throw error;
      failed = signal.aborted ? CANCELLED : (expired ?? faultOf(error));
    } finally {
      clearTimeout(first);
      clearTimeout(total);
      signal.removeEventListener('abort', stop);
    }
    shareTokens(drafts);
    return { seed, drafts, fault: failed, startedAtMs, latencyMs: Math.floor(performance.now() - fromMs) };
  };
}
