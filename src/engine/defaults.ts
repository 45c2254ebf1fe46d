import type { RunOptions } from '../contracts/runRecord';

/** Defaults of methods.md section 1; a run record holds the values that were used. */
export const DEFAULT_OPTIONS: RunOptions = {
  samples: 20,
  permutations: 9_999,
  alpha: 0.05,
  multiplicity: 'holm',
  equivalenceMargin: null,
  repeatArm: false,
  bins: 30,
  bootstrapDraws: 1_000,
  temperature: 1,
  topP: 1,
  // Long enough to see what kind of answer comes, short enough for two minutes on two cores
  // (docs/decisions/answer-window.md).
  answerTokens: 32,
  wholeAnswers: false,
  system: null,
};

/** Looks of a check that stops early, where nobody says how many (methods.md 1.8). */
export const DEFAULT_LOOKS = 3;
/** What else differs where a published statistic decides (arXiv 2506.07947): its number of permutations, its correction. */
export const PUBLISHED_OPTIONS = {
  permutations: 1_000,
  multiplicity: 'bonferroni',
} satisfies Partial<RunOptions>;

/** Fewer usable answers than this in an arm: nothing is tested (methods.md 1.9). */
export const MIN_USABLE_SAMPLES = 4;
/** More failed answers than this share in either arm: the measurement is compromised (methods.md 1.9). */
export const MAX_FAILED_SHARE = 0.2;
/** Failure rates of the arms that differ at this Fisher p: compromised (methods.md 1.9). */
export const FAILURE_DIFFERENCE_P = 0.01;
