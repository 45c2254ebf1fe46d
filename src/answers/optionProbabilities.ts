import type { TokenProbability } from '../contracts/runRecord';

export interface OptionProbabilities {
  /** In the order of the options. They and `outside` add up to 1. */
  options: { option: string; probability: number }[];
  /** Probability of all that is no option, or was not listed. */
  outside: number;
  /** The most probable option; the first of equals. Null where none was listed. */
  answer: string | null;
}

/**
 * Reads an answer off the first-token probabilities (methods.md section 3): the argmax over the options, each the sum
 * of its spellings: with or without leading space or punctuation, in capitals or not (`A`, ` A`, `a`, `(A`). A token
 * that only begins an option of several tokens counts for it where no other option begins so.
 * @param firstToken as many alternatives as the provider gives; probabilities of the untempered model
 */
export function optionProbabilities(
  firstToken: readonly TokenProbability[],
  options: readonly string[],
): OptionProbabilities {
  const sums = options.map(() => 0);
  for (const { token, probability } of firstToken) {
    const index = optionOf(token, options);
    if (index !== null) sums[index] = Math.min(1, sums[index]! + probability);
  }
  const inside = sums.reduce((sum, probability) => sum + probability, 0);
  const most = Math.max(...sums);
  return {
    options: options.map((option, i) => ({ option, probability: sums[i]! })),
    outside: Math.max(0, 1 - inside),
    answer: most > 0 ? options[sums.indexOf(most)]! : null,
  };
}

function optionOf(token: string, options: readonly string[]): number | null {
  const said = bare(token);
  if (said === '') return null;
  const spelled = options.map((option) => bare(option));
  const exact = spelled.indexOf(said);
  if (exact >= 0) return exact;
  // One letter begins too many other words.
  if (said.length < 2) return null;
  const begun = spelled.flatMap((option, i) => (option.startsWith(said) ? [i] : []));
  return begun.length === 1 ? begun[0]! : null;
}

const bare = (text: string): string =>
  text.replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{M}\p{N}]+$/gu, '').toLowerCase();
