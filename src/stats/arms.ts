/** Arguments that every two-sample function shares. */

/** @throws RangeError unless both arms hold at least `least` outputs and the pooled matrix is square of that size. */
export function checkArms(n0: number, n1: number, matrixLength?: number, least = 1): void {
  for (const [name, size] of [
    ['n0', n0],
    ['n1', n1],
  ] as const) {
    if (!Number.isInteger(size) || size < least)
      throw new RangeError(`${name} must be an integer of at least ${least}, got ${size}`);
  }
  const n = n0 + n1;
  if (matrixLength !== undefined && matrixLength !== n * n)
    throw new RangeError(`matrix holds ${matrixLength} values, (n0+n1)² = ${n * n} were expected`);
}
