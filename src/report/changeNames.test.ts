import { expect, it } from 'vitest';
import type { Perturbation } from '../contracts/runRecord';
import { changeNames } from './changeNames';

const text = 'The patient told the nurse.';
const change = (id: string, name: string, start: number, end: number, to: string) =>
  ({ id, name, span: { start, end }, edits: [{ start, end, text: to }] }) as Perturbation;

it('tells changes of one name apart by what they replace, else by their place in the prompt', () => {
  const names = changeNames({
    prompt: { source: null, text, variables: {} },
    perturbations: [
      change('typo@2', 'Typing mistake', 21, 26, 'nusre'),
      change('typo@1', 'Typing mistake', 4, 11, 'pateint'),
      change('space@2', 'Double space', 17, 17, ' '),
      change('space@1', 'Double space', 4, 4, ' '),
      change('quote', 'Quotes', 0, 0, '"'),
    ],
  });
  expect(Object.fromEntries(names)).toEqual({
    'typo@1': 'Typing mistake: patient → pateint',
    'typo@2': 'Typing mistake: nurse → nusre',
    'space@1': 'Double space, place 1',
    'space@2': 'Double space, place 2',
    quote: 'Quotes',
  });
});
