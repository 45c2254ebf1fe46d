import { expect, test } from 'vitest';
import { outcomeOf } from './replyOutcome';

test.each([
  ['Paris', 'stop', 'ok'],
  ['Par', 'length', 'ok'],
  [' \n', 'stop', 'empty'],
  ['<think>so</think>', 'stop', 'thinkingOnly'],
  ['<think>so', 'length', 'thinkingOnly'],
  ['<think></think>', 'stop', 'empty'],
  ['Par', 'cancelled', 'cancelled'],
] as const)('%j ended by %s is %s', (text, finishReason, outcome) => {
  expect(outcomeOf(text, finishReason).outcome).toBe(outcome);
});

test('the answer keeps its own white space', () => {
  expect(outcomeOf(' Paris\n', 'stop').text).toBe(' Paris\n');
});
