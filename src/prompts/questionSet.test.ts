import { describe, expect, it } from 'vitest';
import { inferAnswerFormat } from '../answers/labels';
import { parseQuestions, questionPrompt } from './questionSet';

const line = (more: object = {}) =>
  JSON.stringify({
    id: 'q1',
    question: 'Where do bears live?',
    options: [
      { label: 'A', text: 'in woods' },
      { label: 'B', text: 'in the sea' },
    ],
    answer: 'A',
    ...more,
  });

describe('a question set', () => {
  it('is read line by line; empty lines, a BOM and CRLF do not matter', () => {
    const questions = parseQuestions(
      `\uFEFF${line()}\r\n\r\n${line({ id: 'q2', answer: null })}\n`,
      'q.jsonl',
    );
    expect(questions.map(({ id, answer }) => [id, answer])).toEqual([
      ['q1', 'A'],
      ['q2', null],
    ]);
  });

  it.each([
    ['malformed JSON', `${line()}\n{"id": "q2",`, 'line 2: this is not JSON'],
    ['an array', `\n[1]`, 'line 2: this is not an object'],
    ['a missing question', line({ question: undefined }), "line 1: 'question' is missing"],
    ['an id twice', `${line()}\n\n${line()}`, "line 3: the id 'q1' was used before, in line 1"],
    ['one option', line({ options: [{ label: 'A', text: 'x' }] }), 'line 1: a question needs at least two'],
    [
      'a label twice',
      line({
        options: [
          { label: 'A', text: 'x' },
          { label: 'a', text: 'y' },
        ],
      }),
      'line 1: two options have the same label',
    ],
    ['an answer that is no option', line({ answer: 'C' }), "line 1: the answer 'C' is none of its options"],
    ['nothing', '\n\n', 'holds no question'],
  ])('with %s is refused, and the place named', (_, text, message) => {
    expect(() => parseQuestions(text, 'q.jsonl')).toThrow(message);
  });

  it('makes prompts whose answers the rest of the product understands', () => {
    const [lettered] = parseQuestions(line(), 'q.jsonl');
    expect(questionPrompt(lettered!)).toBe(
      'Question: Where do bears live?\nA. in woods\nB. in the sea\nAnswer with the letter:',
    );
    expect(inferAnswerFormat(questionPrompt(lettered!)).options).toEqual(['A', 'B']);
    const [named] = parseQuestions(
      line({ options: ['Yes', 'No'].map((label) => ({ label, text: label })), answer: 'No' }),
      'q.jsonl',
    );
    expect(questionPrompt(named!)).toBe('Question: Where do bears live?\nAnswer with Yes or No:');
    expect(inferAnswerFormat(questionPrompt(named!)).options).toEqual(['Yes', 'No']);
  });
});
