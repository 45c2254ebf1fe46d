import { describe, expect, it } from 'vitest';
import { extractLabel, inferAnswerFormat } from './labels';
import { classifyText } from './outcome';

describe('inferAnswerFormat', () => {
  it.each([
    ['Is Paris in France? Answer Yes or No.', 'yesNo', ['Yes', 'No']],
    ['Is it urgent (yes/no)?', 'yesNo', ['yes', 'no']],
    ['Reply with "urgent" or "routine" only.', 'options', ['urgent', 'routine']],
    ['Classify it as positive, negative or neutral.', 'options', ['positive', 'negative', 'neutral']],
    ['Label it. One of: billing, bug, other', 'options', ['billing', 'bug', 'other']],
    ['Which?\nA) red\nB) blue\nC) green\nAnswer:', 'options', ['A', 'B', 'C']],
    ['Reply with one of A, B, C or D.', 'options', ['A', 'B', 'C', 'D']],
    ['Decide whether the claim is true or false.', 'options', ['true', 'false']],
    ['Tell me if the review is positive or negative.', 'options', ['positive', 'negative']],
    ['What colour is it? Answer in one word.', 'oneWord', undefined],
    ['Write a poem or a story about cats and dogs.', 'freeText', undefined],
    ['Answer briefly or in detail.', 'freeText', undefined],
    ['Pipe (head/tail) only when needed.', 'freeText', undefined],
    ['```\nAnswer Yes or No.\n```', 'freeText', undefined],
  ])('%j', (prompt, kind, options) => {
    const format = inferAnswerFormat(prompt);
    expect({ kind: format.kind, options: format.options }).toEqual({ kind, options });
    expect(prompt).toContain(format.evidence);
  });

  it('shows the words that it went by', () => {
    expect(inferAnswerFormat('Is it? Answer Yes or No.').evidence).toBe('Answer Yes or No');
  });
});

describe('extractLabel', () => {
  const yesNo = inferAnswerFormat('Answer Yes or No.');
  const letters = inferAnswerFormat('A) x\nB) y\nC) z');
  const words = inferAnswerFormat(
    'Classify it as positive, very positive or negative.'.replace('very positive', 'mixed'),
  );
  it.each([
    [yesNo, 'Yes', 'Yes'],
    [yesNo, ' **no.**', 'No'],
    [yesNo, 'Yes, because it is.', 'Yes'],
    [yesNo, 'The answer is no.', 'No'],
    [yesNo, 'Let me see.\nYes', 'Yes'],
    [yesNo, 'There is no reason to say so.', null],
    [yesNo, 'Nobody knows', null],
    [yesNo, '', null],
    [letters, 'B', 'B'],
    [letters, '(B) y', 'B'],
    [letters, 'C. z', 'C'],
    [letters, 'Answer: A', 'A'],
    [letters, 'The correct answer is B) y', 'B'],
    [letters, 'A doctor would say so', null],
    [letters, 'b y', null],
    [words, 'Positive', 'positive'],
    [words, 'The review is clearly negative in tone.', 'negative'],
    [words, 'It is not positive.', null],
    [words, 'Partly positive and partly negative', null],
    [words, 'positively', null],
    [{ kind: 'oneWord', evidence: '' } as const, '“Blue.”', 'blue'],
    [{ kind: 'oneWord', evidence: '' } as const, 'It is blue', null],
    [{ kind: 'freeText', evidence: '' } as const, 'Yes', null],
  ])('%#: %j', (format, answer, expected) => {
    expect(extractLabel(answer, format)).toBe(expected);
  });
});

describe('classifyText', () => {
  it.each([
    ['Paris.', 'ok'],
    ['', 'empty'],
    [' \n', 'empty'],
    ['<think>hm</think>', 'thinkingOnly'],
    ['<think>hm', 'thinkingOnly'],
    ['<think></think>\n', 'empty'],
    ['<think>hm</think>Yes', 'ok'],
    ["I'm sorry, but I can't assist with that.", 'refused'],
    ['I’m sorry, but I can’t help you.', 'refused'],
    ['As an AI language model, I cannot give medical advice.', 'refused'],
    ['Sorry, I cannot provide that.', 'refused'],
    ['I cannot answer this question.', 'refused'],
    ['I cannot find it in the text.', 'ok'],
    ["I'm sorry to hear that! Your refund is on its way.", 'ok'],
    ['She said: I cannot help you.', 'ok'],
    [`I'm sorry, but I can't say for sure. ${'Here is what helps. '.repeat(40)}`, 'ok'],
  ])('%j is %s', (answer, expected) => {
    expect(classifyText(answer)).toBe(expected);
  });
});
