import { expect, test } from 'vitest';
import { emptyDraft, refuseCutPrompt, replyOf, shareTokens, tokenProbabilities, type Draft } from './replies';
import { fault } from './serverFault';

const facts = { seed: 1, startedAtMs: 100, latencyMs: 50, maxTokens: 10, fault: null };
const draft = (more: Partial<Draft>): Draft => ({ ...emptyDraft(), ...more });

test.each<[Partial<Draft>, string]>([
  [{ text: 'a', finishReason: 'stop' }, 'ok'],
  [{ text: 'a', finishReason: 'length', completionTokens: 10 }, 'ok'],
  [{ text: 'a', finishReason: 'length', completionTokens: 9 }, 'truncated'],
  [{ text: 'a', finishReason: 'length' }, 'ok'],
  [{ text: ' \n' }, 'empty'],
  [{ text: '', thinking: 'a' }, 'thinkingOnly'],
  [{ text: 'a', refused: true }, 'refused'],
])('the outcome of %j is %s', (part, outcome) => {
  expect(replyOf(draft(part), facts).outcome).toBe(outcome);
});

test('a fault decides the outcome, and what came is kept', () => {
  const reply = replyOf(draft({ text: 'half' }), {
    ...facts,
    fault: fault('timeout', 'totalTimeout', 'Too long.'),
  });
  expect(reply).toMatchObject({
    outcome: 'timeout',
    text: 'half',
    latencyMs: 50,
    error: { code: 'totalTimeout', message: 'Too long.' },
  });
});

test('tokens of several answers in one request are shared out and keep their sum', () => {
  const drafts = [
    draft({ text: 'aaaa', completionTokens: 10 }),
    draft({ text: '' }),
    draft({ text: 'bbbbbbbb' }),
  ] as [Draft, ...Draft[]];
  shareTokens(drafts);
  const counts = drafts.map(({ completionTokens }) => completionTokens!);
  expect(counts.reduce((sum, one) => sum + one, 0)).toBe(10);
  expect(counts[2]).toBeGreaterThan(counts[0]!);
  const uncounted = [draft({ text: 'a' }), draft({ text: 'b' })] as [Draft, ...Draft[]];
  shareTokens(uncounted);
  expect(uncounted[1]!.completionTokens).toBeNull();
});

test('tokenProbabilities sorts, stays within [0,1] and drops what is no number', () => {
  const top = [
    { token: 'b', logprob: Math.log(0.25) },
    { token: 'a', logprob: 1e-9 },
    { token: 'c', logprob: Number.NaN },
  ];
  expect(tokenProbabilities(top)).toEqual([
    { token: 'a', probability: 1 },
    { token: 'b', probability: expect.closeTo(0.25, 12) },
  ]);
  expect(tokenProbabilities([])).toBeUndefined();
  expect(tokenProbabilities(null)).toBeUndefined();
});

test('refuseCutPrompt lets scripts without spaces and unknown counts pass', () => {
  const ask = (content: string, promptTokens: number | null) => () =>
    refuseCutPrompt([{ role: 'user', content }], draft({ promptTokens }));
  expect(ask('one two three four five', 3)).toThrowError(/cut the prompt/);
  expect(ask('one two three four five', 5)).not.toThrow();
  expect(ask('one two three four five', null)).not.toThrow();
  expect(ask('你好世界'.repeat(50), 30)).not.toThrow();
});
