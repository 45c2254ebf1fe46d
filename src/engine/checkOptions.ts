import type { RunOptions } from '../contracts/runRecord';
import { UserError } from '../contracts/userError';
import { DEFAULT_OPTIONS, PUBLISHED_OPTIONS } from './defaults';

type NumericOption = 'samples' | 'permutations' | 'alpha' | 'temperature' | 'topP' | 'answerTokens' | 'bins';

/** `title`: what the command line and the editor call it, for a person who set it in either. */
const RANGES: Record<
  NumericOption,
  { title: string; low: number; high: number; integer: boolean; words: string }
> = {
  samples: {
    title: 'The number of samples',
    low: 4,
    high: 2_000,
    integer: true,
    words: 'a whole number from 4 to 2,000',
  },
  permutations: {
    title: 'The number of permutations',
    low: 99,
    high: 1_000_000,
    integer: true,
    words: 'a whole number from 99 to 1,000,000',
  },
  alpha: {
    title: 'The level (alpha)',
    low: 0.0001,
    high: 0.5,
    integer: false,
    words: 'between 0.0001 and 0.5',
  },
  temperature: { title: 'The temperature', low: 0, high: 5, integer: false, words: 'between 0 and 5' },
  topP: { title: 'top-p', low: 0.01, high: 1, integer: false, words: 'between 0.01 and 1' },
  answerTokens: {
    title: 'The number of answer tokens',
    low: 1,
    high: 4_096,
    integer: true,
    words: 'a whole number from 1 to 4,096',
  },
  bins: {
    title: 'The number of bins',
    low: 2,
    high: 256,
    integer: true,
    words: 'a whole number from 2 to 256',
  },
};

/**
 * Fills in the defaults and refuses values that make no sense.
 * @param perturbations how many will be tested; the number of permutations is raised so that Holm over all of
 *   them can reach alpha: perturbations / (B+1) ≤ alpha / 5 (methods.md 1.5)
 * @throws UserError `invalidOption`
 */
export function completeOptions(given: Partial<RunOptions>, perturbations: number): RunOptions {
  const published = given.statistic === undefined ? {} : PUBLISHED_OPTIONS;
  const options: RunOptions = { ...DEFAULT_OPTIONS, ...published, ...withoutUndefined(given) };
  for (const [name, range] of Object.entries(RANGES) as [NumericOption, (typeof RANGES)[NumericOption]][]) {
    const value = options[name];
    if (!(value >= range.low && value <= range.high) || (range.integer && !Number.isInteger(value))) {
      throw new UserError('invalidOption', `${range.title} is ${value}.`, `Give ${range.words}.`);
    }
  }
  const margin = options.equivalenceMargin;
  if (margin !== null && !(margin > 0 && margin <= 1)) {
    throw new UserError(
      'invalidOption',
      `The equivalence margin is ${margin}.`,
      'Give an effect between 0 and 1, such as 0.1.',
    );
  }
  const { looks } = options;
  if (looks !== undefined && !(Number.isInteger(looks) && looks >= 2 && looks <= 10)) {
    throw new UserError('invalidOption', `looks is ${looks}.`, 'Give a whole number from 2 to 10.');
  }
  const needed = Math.ceil((5 * perturbations) / options.alpha) - 1;
  return { ...options, permutations: Math.max(options.permutations, needed) };
}

function withoutUndefined<T extends object>(value: T): Partial<T> {
  return Object.fromEntries(Object.entries(value).filter(([, entry]) => entry !== undefined)) as Partial<T>;
}
