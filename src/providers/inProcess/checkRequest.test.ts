import { expect, test } from 'vitest';
import type { SampleRequest, SamplingOptions } from '../../engine/ports';
import { checkRequest } from './checkRequest';

const request = (options: Partial<SamplingOptions>, content = 'Hi', seeds = [0]): SampleRequest => ({
  messages: [{ role: 'user', content }],
  options: { temperature: 1, topP: 1, maxTokens: 8, ...options },
  seeds,
  signal: new AbortController().signal,
  onReply: () => undefined,
});

test.each([
  { temperature: NaN },
  { temperature: -1 },
  { temperature: Infinity },
  { topP: 0 },
  { topP: 1.1 },
  { topP: NaN },
  { maxTokens: 0 },
  { maxTokens: 1.5 },
  { firstTokenTop: -1 },
])('%j is an invalid option', (options) => {
  expect(() => checkRequest(request(options))).toThrow(expect.objectContaining({ code: 'invalidOption' }));
});

test('seeds are whole numbers of 0 or more', () => {
  expect(() => checkRequest(request({}, 'Hi', [0, -1]))).toThrow(
    expect.objectContaining({ code: 'invalidOption' }),
  );
  expect(() => checkRequest(request({}, 'Hi', [0.5]))).toThrow(
    expect.objectContaining({ code: 'invalidOption' }),
  );
});

test('a prompt without a visible character is empty', () => {
  expect(() => checkRequest(request({}, ' \n\t'))).toThrow(expect.objectContaining({ code: 'emptyPrompt' }));
});
