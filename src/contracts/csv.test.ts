import { expect, it } from 'vitest';
import { toCsv } from './csv';

it('quotes what needs it and ends lines as the standard says', () => {
  expect(toCsv([['a', 'b,c', 'say "x"', 'two\nlines', null, 1.5]])).toBe(
    'a,"b,c","say ""x""","two\nlines",,1.5\r\n',
  );
});

it('keeps numbers, and takes the power from formulas', () => {
  expect(toCsv([['−0.03', '12,345', '-5']])).toBe('-0.03,12345,-5\r\n');
  for (const text of ['=1+1', '+SUM(A1)', '-2+cmd|x', '@x', '\t=1', ' =1', '\r=1', '＝1'])
    expect(toCsv([[text]]).replace(/^"/, '')).toMatch(/^'/);
});
