import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { applyEdits } from '../prompts/applyEdits';
import { protectedSpans } from '../prompts/protectedSpans';
import { createRng } from '../stats/rng';
import { customGenerators, type CustomRule } from './custom';
import { generatePerturbations } from './generate';

const text = 'Translate {{text}} into French, in 3 sentences. Answer Yes or No.';
const own = (...rules: CustomRule[]) =>
  generatePerturbations(text, { rng: createRng(1), kinds: [], own: customGenerators(rules) });

describe('own perturbations', () => {
  it('are the whole text, one by one from a list', () => {
    const first = text.replace('French', 'German');
    const second = text.replace('sentences', 'lines');
    const { perturbations, rejected } = own(
      { text: first, name: 'German', expectation: 'meaningful', level: 3 },
      {
        texts: [second, text],
      },
    );
    expect(perturbations.map(({ id, kind, name, text: changed }) => [id, kind, name, changed])).toEqual([
      ['custom.1', 'custom', 'German', first],
      ['custom.2', 'custom', 'Own text', second],
    ]);
    expect(perturbations[0]).toMatchObject({
      expectation: 'meaningful',
      strength: { level: 3, source: 'byConstruction' },
    });
    expect(perturbations[1]).toMatchObject({
      expectation: 'irrelevant',
      strength: { level: null, source: 'unrated' },
    });
    expect(rejected).toEqual([{ name: 'custom.3', reason: 'it equals the original' }]);
  });

  it('replace a pattern, with groups, but not in protected parts', () => {
    expect(own({ pattern: '(?<word>t)e', replacement: '[$<word>|$1|$&|$$]' }).perturbations[0]!.text).toBe(
      'Translate {{text}} into French, in 3 sen[t|t|te|$]nces. Answer Yes or No.'.replace(
        'Translate',
        'Transla[t|t|te|$]',
      ),
    );
    expect(own({ pattern: 'text', replacement: 'x' }).rejected[0]!.reason).toMatch(/matches nothing/);
    expect(own({ pattern: '\\d', replacement: '$1' }).perturbations[0]!.text).toContain('in $1 sentences');
  });

  it('are rejected when they damage what they are not about', () => {
    expect(own({ text: text.replace('{{text}}', 'it') }).rejected).toEqual([
      { name: 'custom.1', reason: 'it would damage a protected part (variable)' },
    ]);
    expect(own({ text: 'No. Yes.' }).rejected).toHaveLength(1);
    expect(own({ text: text.replace('{{text}}', 'it'), mayTouchProtected: true }).perturbations).toHaveLength(
      1,
    );
    expect(
      own({ pattern: 'text', replacement: 'x', mayTouchProtected: true }).perturbations[0]!.text,
    ).toContain('{{x}}');
  });

  it('must be a regular expression', () => {
    expect(() => customGenerators([{ pattern: '(', replacement: '' }])).toThrow(
      expect.objectContaining({ code: 'invalidOption' }),
    );
  });

  it('say exactly what they changed, whatever the text', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom('{{text}}', ' ', 'No', 'Yes', 'x', '3', '.', '\n'), { maxLength: 14 }),
        (words) => {
          const written = words.join('');
          for (const perturbation of own({ text: written }).perturbations) {
            expect(perturbation.text).toBe(written);
            expect(applyEdits(text, perturbation.edits)).toBe(written);
            for (const part of protectedSpans(text)) {
              expect(
                perturbation.edits.every(({ start, end }) => end <= part.start || start >= part.end),
              ).toBe(true);
            }
          }
        },
      ),
      { numRuns: 300 },
    );
  });
});
