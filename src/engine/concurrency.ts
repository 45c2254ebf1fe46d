/**
 * How many requests a server gets side by side, as a plain function of what was observed: it begins low, doubles while
 * that brings more tokens a second, and settles. A server that is overrun (429, 503, time-outs) or whose replies
 * become slow gets fewer. After congestion control of networks: slow start, then additive increase and multiplicative
 * decrease (Jacobson 1988).
 */

/** One request that came back. */
export interface Observation {
  /** `overrun`: the server could not take the request or not in time. Other failures say nothing and are not given. */
  kind: 'reply' | 'overrun';
  /** The limit in force when it was sent. */
  limit: number;
  /** Requests on their way when it was sent, itself included. */
  inFlight: number;
  /** From dispatch to the last token. */
  latencyMs: number;
  /** Completion tokens; 1 where the server does not count, so that replies are measured instead. */
  tokens: number;
}

export interface ConcurrencyState {
  /** Requests side by side now. */
  limit: number;
  /** Never more than this. */
  most: number;
  phase: 'growing' | 'settled' | 'careful';
  /** What has come back at the present limit. */
  window: { replies: number; tokens: number; latencyMs: number; inFlight: number };
  /** The best limit measured since the last change of course. */
  best: { limit: number; tokensPerMs: number; tokensPerMsOfOne: number } | null;
}

/** Pain point: parallel clients become queue time. A server with one slot is found out within a few replies. */
const FIRST_LIMIT = 2;
/** Replies that a measurement takes at least. */
const SMALLEST_WINDOW = 4;
/** Doubling must bring this much more. */
const WORTHWHILE_GAIN = 1.1;
/** A settled server whose single replies have become this much slower is shared with others by now. */
const MUCH_SLOWER = 2;

const emptyWindow = () => ({ replies: 0, tokens: 0, latencyMs: 0, inFlight: 0 });

/** `most` ≥ 1. `settledBefore`: the limit that an earlier run of the same server and model came to. */
export function startConcurrency(most: number, settledBefore: number | null = null): ConcurrencyState {
  const limit = Math.max(1, Math.min(most, settledBefore ?? FIRST_LIMIT));
  return { limit, most: Math.max(1, most), phase: 'growing', window: emptyWindow(), best: null };
}

/** The state after one more observation. O(1). */
export function observe(state: ConcurrencyState, seen: Observation): ConcurrencyState {
  if (seen.kind === 'overrun') {
    // The rest of a burst that was sent before the limit was lowered says nothing new.
    if (seen.limit > state.limit) return state;
    return fewer(state, 'careful');
  }
  // Sent under another limit: its time is a mixture.
  if (seen.limit !== state.limit) return state;
  const window = {
    replies: state.window.replies + 1,
    tokens: state.window.tokens + seen.tokens,
    latencyMs: state.window.latencyMs + seen.latencyMs,
    inFlight: state.window.inFlight + seen.inFlight,
  };
  const full = window.replies >= Math.max(SMALLEST_WINDOW, state.limit / 2) && window.latencyMs > 0;
  return full ? measured({ ...state, window: emptyWindow() }, window) : { ...state, window };
}

function measured(state: ConcurrencyState, window: ConcurrencyState['window']): ConcurrencyState {
  const inFlight = window.inFlight / window.replies;
  // Too little work to fill the limit: nothing can be learned about it.
  if (inFlight < state.limit * 0.75) return state;
  const tokensPerMsOfOne = window.tokens / window.latencyMs;
  // Little's law: so many streams, each of this speed.
  const tokensPerMs = inFlight * tokensPerMsOfOne;
  const here = { limit: state.limit, tokensPerMs, tokensPerMsOfOne };
  const { best } = state;
  const grownTo = (limit: number) => Math.min(state.most, limit);
  switch (state.phase) {
    case 'growing':
      if (best !== null && tokensPerMs < best.tokensPerMs * WORTHWHILE_GAIN)
        return { ...state, phase: 'settled', limit: best.limit };
      if (state.limit === state.most) return { ...state, phase: 'settled', best: here };
      return { ...state, best: here, limit: grownTo(state.limit * 2) };
    case 'careful':
      return { ...state, best: here, limit: grownTo(state.limit + 1) };
    case 'settled':
      if (best !== null && tokensPerMsOfOne * MUCH_SLOWER < best.tokensPerMsOfOne)
        return fewer(state, 'growing');
      return state;
  }
}

const fewer = (state: ConcurrencyState, phase: ConcurrencyState['phase']): ConcurrencyState => ({
  ...state,
  phase,
  limit: Math.max(1, Math.floor(state.limit / 2)),
  window: emptyWindow(),
  best: null,
});
