import { expect, test } from 'vitest';
import { createRng } from '../stats/rng';
import { customGenerators } from './custom';
import { parseCustomRules } from './customRulesFile';
import { generatePerturbations } from './generate';

test('own texts, lists and patterns become perturbations of the prompt', () => {
  const rules = parseCustomRules(`
- text: Is tea warm?
  level: 0
- texts: [Is tea cold?, Is it tea?]
  expectation: meaningful
- { name: Coffee, pattern: "\\\\btea\\\\b", replacement: coffee, level: 3 }
`);
  const { perturbations } = generatePerturbations('Is tea hot?', {
    rng: createRng(1),
    kinds: [],
    own: customGenerators(rules),
  });
  expect(
    perturbations.map(({ id, text, strength, expectation }) => [id, text, strength.level, expectation]),
  ).toEqual([
    ['custom.1', 'Is tea warm?', 0, 'irrelevant'],
    ['custom.2', 'Is tea cold?', null, 'meaningful'],
    ['custom.3', 'Is it tea?', null, 'meaningful'],
    ['custom.4', 'Is coffee hot?', 3, 'irrelevant'],
  ]);
});

test.each([
  ['text: x', 'the list'],
  ['[]', 'the list'],
  ['- text: a\n- text: b\n  level: 4', 'entry 2'],
  ['- text: a\n  pattern: b', 'entry 1'],
  ['- pattern: a', 'entry 1'],
  ['- {', 'not YAML'],
])('%j is refused', (yaml, says) => {
  expect(() => parseCustomRules(yaml)).toThrow(
    expect.objectContaining({ code: 'invalidFile', message: expect.stringContaining(says) as string }),
  );
});
