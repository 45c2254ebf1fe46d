import { requireInteger } from './argumentChecks';
import { hypergeometricPmf } from './distributions';

/**
 * Fisher's exact test on the 2×2 table [[a, b], [c, d]].
 * H0: rows and columns are independent, margins fixed. Two-sided: all tables no likelier than the observed one (ties
 * within 1e-7 relative, as in R). `greater`: a is larger than independence lets expect. Exact for any size; p = 1
 * where a margin is empty. Cost: one pass over the support. @throws RangeError on counts that are not integers ≥ 0.
 */
export function fisherExact(table: readonly [readonly [number, number], readonly [number, number]]): {
  twoSided: number;
  less: number;
  greater: number;
} {
  const [[a, b], [c, d]] = table;
  requireInteger('table[0][0]', a, 0);
  requireInteger('table[0][1]', b, 0);
  requireInteger('table[1][0]', c, 0);
  requireInteger('table[1][1]', d, 0);
  const population = a + b + c + d;
  const mass = (k: number) => hypergeometricPmf(k, population, a + c, a + b);
  const limit = mass(a) * (1 + 1e-7);
  let twoSided = 0;
  let less = 0;
  let greater = 0;
  for (let k = Math.max(0, a - d); k <= Math.min(a + b, a + c); k++) {
    const p = mass(k);
    if (p <= limit) twoSided += p;
    if (k <= a) less += p;
    if (k >= a) greater += p;
  }
  return { twoSided: Math.min(1, twoSided), less: Math.min(1, less), greater: Math.min(1, greater) };
}
