import { describe, expect, it } from 'vitest';
import { isUserError } from '../contracts/userError';
import { parseSuite } from './suiteFile';

const messageOf = (text: string): string => {
  try {
    parseSuite(text, 'evenkeel.yaml');
  } catch (error) {
    if (isUserError(error)) return error.message;
    throw error;
  }
  return 'no error';
};

describe('evenkeel.yaml', () => {
  it('has a default for everything but version and prompts', () => {
    expect(parseSuite('version: 1\nprompts: [a.prompt]\n', 'evenkeel.yaml')).toEqual({
      version: 1,
      prompts: ['a.prompt'],
      model: 'local:qwen2.5-coder-0.5b',
      samples: 20,
      temperature: 1,
      answerTokens: 32,
      alpha: 0.05,
      changes: 10,
      budget: {},
      policy: { fail: ['changed', 'wobbles'], undecided: 'warn' },
      hook: { seconds: 120, late: 'pass' },
    });
  });

  it('takes cases in line, with numbers as people write them', () => {
    const suite = parseSuite('version: 1\nprompts: [a]\ncases:\n  - { age: 42, name: Ada }\n', 'x');
    expect(suite.cases).toEqual([{ age: '42', name: 'Ada' }]);
  });

  it.each([
    ['version: 1\nprompt: [a]\n', "evenkeel.yaml:2:1: there is no key 'prompt'; the nearest is 'prompts'."],
    [
      'version: 1\nprompts: [a]\nbudget:\n  cals: 3\n',
      "evenkeel.yaml:4:3: budget: there is no key 'cals'; the nearest is 'calls'.",
    ],
    [
      'version: 1\nprompts: [a]\npolicy:\n  undecided: maybe\n',
      'evenkeel.yaml:4:14: policy.undecided: must be pass or warn or fail.',
    ],
    ['version: 1\n', 'evenkeel.yaml:1:1: prompts: is missing.'],
    [
      'version: 2\nprompts: [a]\n',
      'evenkeel.yaml:1:10: this file is of version 2, and this Evenkeel reads up to 1; update it.',
    ],
    ['version: 1\nprompts: [a\n', /^evenkeel\.yaml:\d+:\d+: this is not YAML: /],
    ['version: 1\nprompts: [a]\nsamples: 2\n', /^evenkeel\.yaml:3:10: samples: /],
    ['- 1\n', /^evenkeel\.yaml:1:1: /],
    ['', /^evenkeel\.yaml:1:1: /],
    [
      'version: 1\nprompts: [a]\npolicy: { fail: [FR(0) > x] }\n',
      /^evenkeel\.yaml:3:18: policy\.fail\.0: write changed, wobbles, or a bound/,
    ],
  ])('%j is refused with its place', (text, message) => {
    const said = messageOf(text);
    if (typeof message === 'string') expect(said).toBe(message);
    else expect(said).toMatch(message);
  });
});
