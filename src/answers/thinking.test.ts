import { expect, test } from 'vitest';
import { splitThinking } from './thinking';

test.each([
  ['yes', 'yes', ''],
  ['<think>a</think>yes', 'yes', 'a'],
  ['\n<think>\na\n</think>\n\nyes\n', 'yes\n', 'a'],
  ['<THINK>a</THINK>yes', 'yes', 'a'],
  ['<think></think>yes', 'yes', ''],
  ['<think>a, and then', '', 'a, and then'],
  ['a</think>yes', 'yes', 'a'],
  ['<reasoning>a <think>b</think></reasoning>yes', 'yes', 'a <think>b</think>'],
  // A model that talks about the tags is not thinking.
  ['Write <think>x</think> to think.', 'Write <think>x</think> to think.', ''],
  ['', '', ''],
])('splitThinking(%j)', (reply, text, thinking) => {
  expect(splitThinking(reply)).toEqual({ text, thinking });
});
