import { describe, expect, it } from 'vitest';
import { createRng } from '../stats/rng';
import { observe, startConcurrency, type ConcurrencyState } from './concurrency';

/** What a server with so many slots answers: replies slow down together once there are more requests than slots. */
function replyOf(limit: number, slots: number, tokens = 20, slower = 1) {
  const latencyMs = tokens * 10 * slower * Math.max(1, limit / slots);
  return { kind: 'reply' as const, limit, inFlight: limit, latencyMs, tokens };
}

function settle(state: ConcurrencyState, slots: number, replies = 400): ConcurrencyState {
  const rng = createRng(5, 'answers');
  let now = state;
  // Answers of different lengths: the measure must not take short ones for a quick server.
  for (let i = 0; i < replies; i += 1) now = observe(now, replyOf(now.limit, slots, 1 + rng.below(60)));
  return now;
}

describe('concurrency', () => {
  it('begins low: parallel clients become queue time (ollama #11277)', () => {
    expect(startConcurrency(64).limit).toBe(2);
    expect(startConcurrency(1).limit).toBe(1);
  });

  it.each([
    [1, 2],
    [4, 4],
    [6, 8],
    [16, 16],
    [64, 64],
    [200, 128],
  ])('a server with %i slots settles at %i', (slots, expected) => {
    const state = settle(startConcurrency(128), slots);
    expect(state).toMatchObject({ phase: 'settled', limit: expected });
  });

  it('never exceeds the bound, and reaches 64 where a cluster takes it', () => {
    let state = startConcurrency(64);
    for (let i = 0; i < 500; i += 1) {
      state = observe(state, replyOf(state.limit, 1_000));
      expect(state.limit).toBeLessThanOrEqual(64);
    }
    expect(state.limit).toBe(64);
  });

  it('halves once for one burst of 429, then climbs one by one', () => {
    const settled = settle(startConcurrency(32), 100);
    expect(settled.limit).toBe(32);
    const overrun = { ...replyOf(32, 100), kind: 'overrun' as const };
    let state = observe(settled, overrun);
    for (let i = 0; i < 31; i += 1) state = observe(state, overrun);
    expect(state).toMatchObject({ limit: 16, phase: 'careful' });
    for (let i = 0; i < 8; i += 1) state = observe(state, replyOf(16, 100));
    expect(state.limit).toBe(17);
    state = observe(state, { ...overrun, limit: 17 });
    expect(state.limit).toBe(8);
  });

  it('goes down to one and no further', () => {
    let state = startConcurrency(8);
    for (let i = 0; i < 10; i += 1) state = observe(state, { ...replyOf(state.limit, 8), kind: 'overrun' });
    expect(state.limit).toBe(1);
  });

  it('gives a server fewer requests when its replies become slow, and climbs again where that pays', () => {
    const settled = settle(startConcurrency(32), 16);
    expect(settled.limit).toBe(16);
    let state = settled;
    for (let i = 0; i < 16 && state.limit === 16; i += 1) state = observe(state, replyOf(16, 16, 20, 3));
    expect(state).toMatchObject({ limit: 8, phase: 'growing' });
    expect(settle(state, 16).limit).toBe(16);
  });

  it('learns nothing from a run that has too little work, or from requests sent under another limit', () => {
    const state = startConcurrency(64);
    let after = state;
    for (let i = 0; i < 40; i += 1) after = observe(after, { ...replyOf(2, 100), inFlight: 1 });
    expect(after.limit).toBe(2);
    expect(observe(state, replyOf(9, 100))).toBe(state);
  });

  it('begins where an earlier run settled', () => {
    expect(startConcurrency(64, 16).limit).toBe(16);
    expect(startConcurrency(8, 16).limit).toBe(8);
  });
});
