/**
 * Texts that make careless patterns run for minutes. Files, prompts, answers and server messages are hostile: each of
 * these inputs took between ten seconds and hours before its function was bounded. A hang shows as this file's timeout.
 */
import { describe, expect, test } from 'vitest';
import { extractLabel, inferAnswerFormat, type AnswerFormat } from '../../src/answers/labels';
import { classifyText } from '../../src/answers/outcome';
import { splitThinking } from '../../src/answers/thinking';
import { generatePerturbations } from '../../src/perturb/generate';
import { promptFromFile, selectAt } from '../../src/prompts/promptFile';
import { splitSentences } from '../../src/prompts/sentences';
import { bindVariables, findVariables } from '../../src/prompts/variables';
import { toPrintable } from '../../src/report/visibleText';
import { createRng } from '../../src/stats/rng';

/** A megabyte: more than any answer that is taken from a server. */
const ANSWER = 1_000_000;
/** The longest prompt. */
const PROMPT = 100_000;
const fill = (unit: string, length: number) => unit.repeat(Math.ceil(length / unit.length)).slice(0, length);

const UNITS = [
  'a',
  ' ',
  '\n',
  '\r\n',
  '\t',
  '(',
  '[',
  '{',
  '{{',
  '<',
  '<!--',
  '`',
  '``` ',
  '*',
  '_',
  '#',
  '"',
  "'",
  '“',
  '‘a',
  '.',
  '-',
  '> ',
  '- ',
  '1. ',
  '| a |',
  '/',
  '../',
  'a/',
  'a.',
  'a-',
  'a_',
  'a, ',
  'a or ',
  'a? ',
  'Sentence one. ',
  'answer is: ',
  'the answer is (',
  'one of a, b, ',
  '(a/',
  '---\n',
  'a: ',
  '- a\n',
  '\ud800',
  '\u202e',
  '\u200b',
  '漢',
  '😀',
  '\u0301',
  '<think>',
  '</think>',
  'not ',
  "'a",
  '[a](',
  '$',
  '${a:',
  '\\',
  'I am sorry ',
];
const FORMATS: AnswerFormat[] = [
  { kind: 'oneWord', evidence: '' },
  { kind: 'yesNo', options: ['Yes', 'No'], evidence: '' },
  { kind: 'options', options: ['A', 'B'], evidence: '' },
  { kind: 'options', options: ['very positive', 'positive', 'a'], evidence: '' },
];

describe('a megabyte of answer', () => {
  test.each([
    ...UNITS.map((unit) => fill(unit, ANSWER)),
    `a${fill(' ', ANSWER)}b`,
    `answer is${fill(' ', ANSWER)}x`,
  ])('%.12j…', (answer) => {
    expect(['ok', 'refused', 'empty', 'thinkingOnly']).toContain(classifyText(answer));
    const { text, thinking } = splitThinking(answer);
    expect(text.length + thinking.length).toBeLessThanOrEqual(answer.length);
    for (const format of FORMATS) {
      const label = extractLabel(answer, format);
      if (format.options) expect([null, ...format.options]).toContain(label);
    }
    expect(toPrintable(answer)).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e]/);
  });
});

describe('the longest prompt', () => {
  test.each(UNITS)('%j over and over', (unit) => {
    const text = fill(unit, PROMPT);
    for (const { start, end } of splitSentences(text)) expect(end).toBeGreaterThan(start);
    expect(inferAnswerFormat(text).kind).toBeDefined();
    const values = Object.fromEntries(findVariables(text).map(({ name }) => [name, 'x']));
    expect(bindVariables(text, values).text.length).toBeGreaterThan(0);
    const { perturbations } = generatePerturbations(text, { rng: createRng(1, 'hostile'), limit: 2 });
    for (const perturbation of perturbations) expect(perturbation.text).not.toBe(text);
  });
});

test.each(['a: ', 'a: &a [', '[', '{a: ', '- ', '? ', '*a ', '!!a ', '# a\n', '"'])(
  'front matter that is %j for four megabytes',
  (unit) => {
    const content = `---\na: 1\n${fill(unit, 4_000_000)}\n---\nName a colour.\n`;
    expect(promptFromFile(content, 'a.prompt').text).toBe('Name a colour.');
    expect(selectAt(content, 1, 'a.md').text).toContain('Name a colour.');
  },
);
