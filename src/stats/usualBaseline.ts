import { requireInteger } from './argumentChecks';
import type { DifferenceTestInput } from './differenceTest';
import { createRng } from './rng';

/** Cosine of two answers to one prompt, on average: between one word said in several ways and free text. */
const COSINE = 0.8;
/** Enough that single cosines scatter as those of sentences do. */
const DIM = 24;

/**
 * Answers to a prompt that nobody has asked yet: `k` unit vectors around one centre, with pairwise cosines of about 0.8 and a
 * spread of 0.04. For plans only: how small a change can be found depends little on it (0.4 to 0.6 of 20 answers over
 * cosines of 0.2 to 1), and a run measures its own. [ours]
 * @throws RangeError for k below 1
 */
export function usualBaseline(
  k: number,
  seed: number,
): Pick<DifferenceTestInput, 'n0' | 'n1' | 'embeddings'> {
  requireInteger('k', k, 1);
  const rng = createRng(seed, 'usual baseline');
  const vectors = new Float64Array(k * DIM);
  const noise = Math.sqrt((1 - COSINE) / (DIM - 1));
  for (let i = 0; i < k; i++) {
    // Uniform on ±√3: of variance 1.
    for (let d = 1; d < DIM; d++) vectors[i * DIM + d] = noise * Math.sqrt(3) * (2 * rng.unit() - 1);
    vectors[i * DIM] = Math.sqrt(COSINE);
  }
  return { n0: k, n1: 0, embeddings: [{ embedder: 'usual', dim: DIM, vectors }] };
}
