/** Arguments that every two-sample function shares. */
import { requireInteger } from './argumentChecks';

/** @throws RangeError unless both arms hold at least `least` outputs and the pooled matrix is square of that size. */
export function checkArms(n0: number, n1: number, matrixLength?: number, least = 1): void {
  requireInteger('n0', n0, least);
  requireInteger('n1', n1, least);
  const n = n0 + n1;
  if (matrixLength !== undefined && matrixLength !== n * n)
    throw new RangeError(`matrix holds ${matrixLength} values, (n0+n1)² = ${n * n} were expected`);
}
