import { describe, expect, it } from 'vitest';
import { outcomeSchema, type Outcome } from '../contracts/runRecord';
import { CIRCUIT_FAILURES, createCircuit, isServerFailure, serverFailure } from './circuit';
import type { Reply } from './ports';

const reply = (outcome: Outcome, error?: Reply['error']): Reply => ({
  seed: 1,
  outcome,
  text: '',
  finishReason: null,
  promptTokens: null,
  completionTokens: null,
  latencyMs: 1,
  startedAtMs: 0,
  ...(error ? { error } : {}),
});
const down = reply('unavailable', { code: 'serverError', message: 'The server failed (500).' });

describe('the circuit', () => {
  it('opens after so many failures in a row and says what to do', () => {
    const circuit = createCircuit('The model');
    for (let i = 1; i < CIRCUIT_FAILURES; i += 1) expect(circuit.note(down)).toBeNull();
    expect(circuit.note(down)).toMatchObject({
      code: 'serverUnreachable',
      message: 'The model failed 5 times in a row: The server failed (500).',
      hint: 'See that its server runs and is well, then run again.',
    });
  });

  it('is closed again by an answer, also by one that is no use', () => {
    const circuit = createCircuit('The model');
    for (const outcome of ['ok', 'refused', 'empty', 'thinkingOnly', 'truncated'] as const) {
      for (let i = 1; i < CIRCUIT_FAILURES; i += 1) expect(circuit.note(down)).toBeNull();
      expect(circuit.note(reply(outcome))).toBeNull();
    }
  });

  it('opens at once for what every other request would meet', () => {
    const error = { code: 'quotaExhausted', message: 'The quota is used up (429).', fatal: true };
    expect(createCircuit('The judge').note(reply('rateLimited', error))).toMatchObject({
      code: 'rateLimited',
      message: expect.stringContaining('The judge cannot be asked'),
      hint: expect.stringContaining('until the quota renews'),
    });
  });
});

it('blames the server for four outcomes and for no other', () => {
  expect(outcomeSchema.options.filter(isServerFailure)).toEqual([
    'timeout',
    'rateLimited',
    'unavailable',
    'malformed',
  ]);
  for (const outcome of outcomeSchema.options)
    expect(serverFailure(reply(outcome), 'x') === null).toBe(!isServerFailure(outcome));
});
