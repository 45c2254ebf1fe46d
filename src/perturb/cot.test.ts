import { describe, expect, it } from 'vitest';
import { perturbationSchema } from '../contracts/runRecord';
import { applyEdits } from '../prompts/applyEdits';
import { createRng } from '../stats/rng';
import {
  cotLevel,
  cotPerturbation,
  elicitPrompt,
  forcedAnswerPrompt,
  paraphraseInstruction,
  readReasoning,
  ruleMistake,
  ruleParaphrase,
  stepMistakeInstruction,
  takeParaphrases,
  takeStepMistake,
  withSteps,
} from './cot';

const reply =
  'The pond is in his backyard. It rained for a week.\n\n1. Rain adds water to a pond.\n2. So it cannot be dry.\n\nTherefore, the answer is C.';
const { reasoning, steps } = readReasoning(reply, false);
const words = (spans: typeof steps) => spans.map(({ start, end }) => reasoning.slice(start, end));

describe('reading a reasoning', () => {
  it('finds its steps and leaves out the conclusion', () => {
    expect(words(steps)).toEqual([
      'The pond is in his backyard.',
      'It rained for a week.',
      'Rain adds water to a pond.',
      'So it cannot be dry.',
    ]);
    expect(reasoning).not.toContain('answer is C');
  });

  it.each([
    'The answer is B.',
    'So the correct option is A.',
    '**Answer:** Yes',
    'Answer: No',
    'Hence, the final answer would be 3.',
  ])('takes %j for a conclusion', (conclusion) => {
    expect(readReasoning(`Water is wet.\n${conclusion}`, false).reasoning).toBe('Water is wet.');
  });

  it('keeps a conclusion that is all there is, and drops what the token limit cut', () => {
    expect(readReasoning('The answer is B.', false).steps).toHaveLength(1);
    expect(readReasoning('Water is wet. Ice is', true).reasoning).toBe('Water is wet.');
    expect(readReasoning('Water is wet. Ice is cold.', true).steps).toHaveLength(2);
    expect(readReasoning(' \n', false)).toEqual({ reasoning: '', steps: [] });
    expect(readReasoning('雨水增加池塘的水。所以池塘不会干。', false).steps).toHaveLength(2);
  });
});

describe('changing steps', () => {
  it('replaces them where they stand', () => {
    const { text, edits } = withSteps(
      reasoning,
      steps,
      new Map([
        [3, 'So it can be dry.'],
        [0, 'The pond is on the moon.'],
      ]),
    );
    expect(text).toBe(
      reasoning.replace('in his backyard', 'on the moon').replace('cannot be dry', 'can be dry'),
    );
    expect(applyEdits(reasoning, edits)).toBe(text);
  });

  it('makes a perturbation of the reasoning', () => {
    const one = cotPerturbation(
      { reasoning, steps },
      { id: 'cot.mistake-1', mistake: true },
      { texts: new Map([[1, 'It rained for a month.']]), level: 1, description: 'x' },
    );
    expect(perturbationSchema.parse(one)).toMatchObject({
      kind: 'cot',
      name: 'Mistake in one step',
      expectation: 'meaningful',
      strength: { level: 1, source: 'byConstruction' },
      sentence: steps[1],
      text: reasoning.replace('week', 'month'),
    });
    expect(
      cotPerturbation(
        { reasoning, steps },
        { id: 'x', mistake: false },
        { texts: new Map([[1, words(steps)[1]!]]), level: null, description: '' },
      ),
    ).toEqual({ reason: 'it equals the original' });
  });

  it('by rules, the same for the same seed', () => {
    const made = steps.map((step) => ruleMistake(reasoning, step, createRng(3)));
    expect(made).toEqual(steps.map((step) => ruleMistake(reasoning, step, createRng(3))));
    expect(made.map((rule) => rule?.text)).toEqual([
      'The pond is not in his backyard.',
      expect.stringMatching(/^It rained for an? (?:second|minute|hour|day|month|year)\.$/),
      undefined,
      'So it can be dry.',
    ]);
    const note = readReasoning('It is not raining. Please write one word, for example rain.', false);
    expect(ruleParaphrase(note.reasoning, note.steps[0]!, createRng(1))?.text).toMatch(
      /^It(?:'s not| isn't) raining\.$/,
    );
  });

  it('declares a single mistake one level lower while most steps are sound', () => {
    expect([
      cotLevel(3, 1, 4),
      cotLevel(3, 3, 4),
      cotLevel(3, 1, 1),
      cotLevel(2, 1, 9),
      cotLevel(1, 1, 9),
    ]).toEqual([2, 3, 3, 1, 1]);
  });
});

describe('what models are asked', () => {
  it('elicits without an answer, and forces one', () => {
    expect(elicitPrompt('Q?')).toMatch(/^Q\?\n\n.*step by step.*do not give the final answer yet\.$/s);
    expect(forcedAnswerPrompt('Q?', 'Because.', ['A', 'B'])).toMatch(
      /^Q\?\n\nReasoning:\nBecause\.\n\n.*nothing else: A, B\.$/s,
    );
    expect(forcedAnswerPrompt('Q?', 'Because.')).toMatch(/Reply with the answer alone\.$/);
  });

  it('shows the writer the step in its place', () => {
    const said = stepMistakeInstruction('Q?', reasoning, words(steps)[1]!, []);
    expect(said).toContain(`<reasoning>${reasoning}</reasoning>`);
    expect(said).toMatch(/one mistake.*<sentence>It rained for a week\.<\/sentence>$/s);
    expect(paraphraseInstruction(words(steps), [{ text: 'x', reason: 'it is empty' }])).toMatch(
      /4 numbered.*because it is empty\..*\n4\. So it cannot be dry\.$/s,
    );
  });
});

describe('what the writer replies', () => {
  it('is a step with a mistake', () => {
    expect(takeStepMistake('It rained for a week.', '"It rained for a month."').fit).toEqual({
      value: 'It rained for a month.',
    });
    expect(takeStepMistake('It rained for a week.', 'It rained for a week.').fit).toEqual({
      reason: 'it equals the original',
    });
  });

  it('is every step in other words, or none', () => {
    const two = ['It rained for a week.', 'So the pond is not dry.'];
    expect(takeParaphrases(two, '1. For a week, it rained.\n2. The pond is therefore not dry.').fit).toEqual({
      value: ['For a week, it rained.', 'The pond is therefore not dry.'],
    });
    expect(takeParaphrases(two, '1. For a week, it rained.').fit).toEqual({
      reason: 'it does not have 2 numbered lines',
    });
    expect(takeParaphrases(two, '1. For a week, it rained.\n2. The pond is dry.').fit).toEqual({
      reason: 'of line 2, one is negated, the other is not',
    });
    expect(takeParaphrases(two.slice(0, 1), '1. For a week, it rained.').fit).toEqual({
      value: ['For a week, it rained.'],
    });
  });
});
