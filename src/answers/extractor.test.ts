import { describe, expect, it } from 'vitest';
import {
  describeExtractor,
  extractAnswer,
  inferExtractor,
  regexExtractor,
  type Extractor,
} from './extractor';

describe('inferExtractor', () => {
  it.each<[string, Partial<Extractor> & { field?: string | null }]>([
    ['Classify the ticket. Return JSON with the key "category".', { kind: 'jsonField', field: 'category' }],
    ['Respond only in JSON with fields label and confidence.', { kind: 'jsonField', field: 'label' }],
    ['Return a JSON object with keys `name`, `age` and `city`.', { kind: 'jsonField', field: null }],
    ['Reply as JSON: {"verdict": "yes or no", "why": "…"}', { kind: 'jsonField', field: 'verdict' }],
    ['Output valid JSON like this:\n{"sentiment": "positive"}', { kind: 'jsonField', field: 'sentiment' }],
    ['Output valid JSON.', { kind: 'jsonField', field: null }],
    ['Is it JSON? Answer Yes or No.', { kind: 'yesNo' }],
    ['Classify it as positive, negative or neutral.', { kind: 'options' }],
    ['How many pencils are left? Answer with a number only.', { kind: 'number' }],
    ['What is 3 × 12? Reply with just the number.', { kind: 'number' }],
    ['Give the year as an integer.', { kind: 'number' }],
    ['Rate the essay on a scale from 1 to 5.', { kind: 'number' }],
    ['How many legs has a spider?', { kind: 'number' }],
    ['How many legs has a spider?\nA) six\nB) eight', { kind: 'options' }],
    ['Answer in one word. What colour is it?', { kind: 'oneWord' }],
    ['Write about a number of animals.', { kind: 'freeText' }],
    ['Reply with a number of reasons why cats purr.', { kind: 'freeText' }],
    ['Explain what JSON is.', { kind: 'freeText' }],
    ['Write a poem about the sea.', { kind: 'freeText' }],
  ])('%j', (prompt, expected) => {
    const found = inferExtractor(prompt);
    expect(found).toMatchObject(expected);
    expect(prompt).toContain(found.evidence);
  });
});

const number: Extractor = { kind: 'number', evidence: '' };
const field = (name: string | null): Extractor => ({ kind: 'jsonField', field: name, evidence: '' });

describe('extractAnswer', () => {
  it.each<[Extractor, string, string | null]>([
    [number, '30', '30'],
    [number, ' **30** pencils.', '30'],
    [number, '1,234.50', '1234.5'],
    [number, '$1,234', '1234'],
    [number, '-3', '-3'],
    [number, '−3', '-3'],
    [number, '30.0', '30'],
    [number, '12 × 3 = 36 and 36 − 6 = 30', '30'],
    [number, 'She buys 36, gives 6 away. The answer is 30.', '30'],
    [number, 'First 36.\n#### 30', '30'],
    [number, 'First 36, then 6.\n30', '30'],
    [number, 'So \\boxed{42}', '42'],
    [number, 'Thirty', null],
    [number, 'Three.', '3'],
    [number, 'It is 36 or 30.', null],
    [number, 'None', null],
    [number, 'B12', null],
    [number, '<think>36?</think>30', '30'],
    [number, '20%', '20'],
    [field('label'), '{"label": " Positive ", "why": "x"}', 'positive'],
    [field('label'), '```json\n{"Label": "neg"}\n```', 'neg'],
    [field('label'), "{'label': 'neg',}", 'neg'],
    [field('label'), '{"label": {"b": 1, "a": "X"}}', '{"a":"x","b":1}'],
    [field('a.b'), '{"a": {"b": 7}}', '7'],
    [field('a.b'), '{"a.b": 8, "a": {"b": 7}}', '8'],
    [field('label'), '{"label": null}', 'null'],
    [field('label'), '{"label": "a"} or rather {"label": "b"}', 'b'],
    [field('label'), '{"other": 1}', null],
    [field('label'), 'positive', null],
    [field('toString'), '{"a": 1}', null],
    [field(null), '{"b": 2, "a": "X"}', '{"a":"x","b":2}'],
    [regexExtractor('/answer: (\\w+)/i'), 'My Answer: Blue!', 'blue'],
    [regexExtractor('\\d+'), 'room 12, floor 3', '12'],
    [regexExtractor('/\\d+/g'), 'room 12', '12'],
    [regexExtractor('x'), 'y', null],
    [inferExtractor('Answer Yes or No.'), 'No, never.', 'No'],
  ])('%#: %j', (extractor, reply, expected) => {
    expect(extractAnswer(reply, extractor)).toBe(expected);
    // Nothing is kept from one answer to the next.
    expect(extractAnswer(reply, extractor)).toBe(expected);
  });

  it('a regular expression that is none is refused with how to write one', () => {
    expect(() => regexExtractor('(')).toThrow(expect.objectContaining({ code: 'invalidOption' }));
  });
});

it.each([
  ['Answer Yes or No.', 'one of Yes, No (“Answer Yes or No”)'],
  ['Reply with just the number.', 'a number (“Reply with just the number”)'],
  ['Output JSON.', 'the whole JSON object (“Output JSON”)'],
  ['Return JSON with the key answer.', 'the JSON field answer (“Return JSON with the key answer”)'],
  ['Use one word only, in one word.', 'one word (“in one word”)'],
  ['Sing.', 'free text: the prompt does not say what form the answer has'],
])('says in words how the answers to %j are read', (prompt, words) => {
  expect(describeExtractor(inferExtractor(prompt))).toBe(words);
});
