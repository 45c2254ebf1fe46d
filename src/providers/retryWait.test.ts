import { describe, expect, it } from 'vitest';
import { retryWaitMs } from './retryWait';
import { fault, faultFromStatus } from './serverFault';

const limits = { retries: 3, rateLimitRetries: 5, retryDelayMs: 100, longestWaitMs: 2_000 };
const failed = fault('unavailable', 'serverError', 'The server failed.', { retry: true });
const answered = (status: number, headers: Record<string, string> = {}, body = '') =>
  faultFromStatus(status, body, new Headers(headers), Date.UTC(2026, 0, 1), []);

describe('retryWaitMs', () => {
  it('doubles, half of it by chance, up to the longest wait', () => {
    expect([0, 1, 2].map((attempt) => retryWaitMs(failed, attempt, limits, 1))).toEqual([100, 200, 400]);
    expect(retryWaitMs(failed, 0, limits, 0)).toBe(50);
    expect(retryWaitMs(failed, 9, { ...limits, retries: 20 }, 1)).toBe(2_000);
  });

  it('ends after so many retries; a rate limit has more of them', () => {
    expect(retryWaitMs(failed, 3, limits, 0.5)).toBeNull();
    expect(retryWaitMs(answered(429), 4, limits, 0.5)).not.toBeNull();
    expect(retryWaitMs(answered(429), 5, limits, 0.5)).toBeNull();
  });

  it('honours Retry-After in seconds and as a date, never sooner (promptfoo #1970)', () => {
    expect(retryWaitMs(answered(429, { 'retry-after': '2' }), 0, limits, 0)).toBe(2_000);
    expect(
      retryWaitMs(answered(503, { 'retry-after': 'Thu, 01 Jan 2026 00:00:01 GMT' }), 0, limits, 0.5),
    ).toBeCloseTo(1_050);
  });

  it('gives up where the server wants hours', () => {
    expect(retryWaitMs(answered(429, { 'retry-after': '7200' }), 0, limits, 0)).toBeNull();
  });

  it('does not retry on a daily quota (promptfoo #7727), nor what would fail again', () => {
    const quota = answered(429, { 'retry-after': '1' }, '{"error":{"code":"insufficient_quota"}}');
    const day = answered(429, {}, '{"error":{"message":"Limit: 200 requests per day"}}');
    for (const fault of [quota, day, ...[400, 401, 403, 404, 413, 501].map((status) => answered(status))])
      expect(retryWaitMs(fault, 0, limits, 0)).toBeNull();
    for (const status of [408, 429, 500, 502, 503, 529])
      expect(retryWaitMs(answered(status), 0, limits, 0)).not.toBeNull();
  });
});
