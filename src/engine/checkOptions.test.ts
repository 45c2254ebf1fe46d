import { describe, expect, it } from 'vitest';
import { completeOptions } from './checkOptions';
import { DEFAULT_OPTIONS } from './defaults';

describe('completeOptions', () => {
  it('takes the defaults for what is not given', () => {
    expect(completeOptions({ samples: undefined }, 10)).toEqual(DEFAULT_OPTIONS);
  });

  it('raises too few permutations to what the correction over all changes needs', () => {
    // 10 / (B + 1) ≤ .05 / 5
    expect(completeOptions({ permutations: 99 }, 10).permutations).toBe(999);
    expect(completeOptions({ permutations: 99, alpha: 0.01 }, 10).permutations).toBe(4_999);
    expect(completeOptions({ permutations: 2_000 }, 10).permutations).toBe(2_000);
    expect(completeOptions({}, 200).permutations).toBe(19_999);
  });

  it('takes the paper’s own number of permutations and correction with its statistic, unless others are given', () => {
    const statistic = 'published-jsd' as const;
    expect(completeOptions({ statistic }, 10)).toMatchObject({
      ...{ statistic, permutations: 1_000, multiplicity: 'bonferroni' },
    });
    expect(completeOptions({ statistic, permutations: 4_999, multiplicity: 'holm' }, 10)).toMatchObject({
      ...{ permutations: 4_999, multiplicity: 'holm' },
    });
  });

  it.each([
    [{ permutations: 98 }, 'from 99 to'],
    [{ samples: 3 }, 'from 4 to'],
    [{ alpha: 0 }, 'between 0.0001 and 0.5'],
    [{ alpha: 1 }, 'between 0.0001 and 0.5'],
    [{ alpha: Number.NaN }, 'between 0.0001 and 0.5'],
    // The statistics count bins in a byte.
    [{ bins: 257 }, 'from 2 to 256'],
    [{ bins: 1 }, 'from 2 to 256'],
    [{ equivalenceMargin: 0 }, 'between 0 and 1'],
    [{ equivalenceMargin: 1.1 }, 'between 0 and 1'],
  ])('refuses %o, saying what to give', (given, hint) => {
    expect(() => completeOptions(given, 10)).toThrow(
      expect.objectContaining({
        code: 'invalidOption',
        hint: expect.stringContaining(hint) as string,
      }) as Error,
    );
  });
});
