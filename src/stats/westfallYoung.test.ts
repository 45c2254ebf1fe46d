import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createStepDown, westfallYoung } from './westfallYoung';

const table = fc.integer({ min: 1, max: 6 }).chain((members) =>
  fc.array(fc.array(fc.integer({ min: -4, max: 4 }), { minLength: members, maxLength: members }), {
    minLength: 1,
    maxLength: 40,
  }),
);

describe('westfallYoung', () => {
  it('lies between the raw and the single-step p, rises as evidence falls, and is never below 1 / rows', () => {
    fc.assert(
      fc.property(table, (statistics) => {
        const { raw, adjusted, singleStep } = westfallYoung(statistics);
        const observed = statistics[0]!;
        adjusted.forEach((p, f) => {
          expect(p).toBeGreaterThanOrEqual(raw[f]!);
          expect(p).toBeLessThanOrEqual(singleStep[f]!);
          expect(p).toBeGreaterThanOrEqual(1 / statistics.length);
          observed.forEach((other, g) => {
            if (other > observed[f]!) expect(adjusted[g]).toBeLessThanOrEqual(p);
          });
        });
      }),
    );
  });

  it('is the raw p for one member', () => {
    expect(westfallYoung([[2], [1], [2], [3]])).toEqual({
      raw: [0.75],
      adjusted: [0.75],
      singleStep: [0.75],
    });
  });

  it.each<[string, number[][]]>([
    ['statistics is empty', []],
    ['statistics is empty', [[]]],
    ['statistics[1] has 1 values, 2 were expected', [[1, 2], [1]]],
    ['statistics[1][0] is NaN', [[1], [NaN]]],
  ])('refuses what is no table: %s', (message, statistics) => {
    expect(() => westfallYoung(statistics)).toThrow(RangeError);
    expect(() => westfallYoung(statistics)).toThrow(message);
  });

  it('needs a column', () => {
    expect(() => createStepDown([1, 2], [])).toThrow('columns');
  });
});
