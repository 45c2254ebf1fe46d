import { requireFinite, requireSameLength } from './argumentChecks';

/**
 * Ranks 1 … n; ties get the mean of their ranks. @throws RangeError on a number that is not finite. Cost: n log n.
 */
export function ranks(x: ArrayLike<number>): number[] {
  requireFinite('x', x);
  const order = Array.from(x, (_, i) => i).sort((i, j) => x[i]! - x[j]!);
  const result = new Array<number>(x.length);
  for (let start = 0; start < order.length;) {
    let end = start + 1;
    while (end < order.length && x[order[end]!] === x[order[start]!]) end++;
    for (let i = start; i < end; i++) result[order[i]!] = (start + end + 1) / 2;
    start = end;
  }
  return result;
}

/**
 * Pearson's product-moment correlation. Null for fewer than two pairs or where one side is constant.
 * Cost: n.
 * @throws RangeError if the lengths differ or a number is not finite.
 */
export function pearson(x: ArrayLike<number>, y: ArrayLike<number>): number | null {
  requirePairs(x, y);
  if (isConstant(x) || isConstant(y)) return null;
  // From the first value on, so that a large offset costs no digits.
  const meanX = mean(x, x[0]!);
  const meanY = mean(y, y[0]!);
  let xx = 0;
  let yy = 0;
  let xy = 0;
  for (let i = 0; i < x.length; i++) {
    const dx = x[i]! - x[0]! - meanX;
    const dy = y[i]! - y[0]! - meanY;
    xx += dx * dx;
    yy += dy * dy;
    xy += dx * dy;
  }
  return Math.max(-1, Math.min(1, xy / (Math.sqrt(xx) * Math.sqrt(yy))));
}

/** Spearman's rank correlation: Pearson's of the mid-ranks. Null and errors as `pearson`. Cost: n log n. */
export function spearman(x: ArrayLike<number>, y: ArrayLike<number>): number | null {
  requirePairs(x, y);
  return pearson(ranks(x), ranks(y));
}

/** Kendall's tau-b, corrected for ties. Cost: n². Null and errors as `pearson`. */
export function kendallTauB(x: ArrayLike<number>, y: ArrayLike<number>): number | null {
  requirePairs(x, y);
  let concordance = 0;
  let untiedX = 0;
  let untiedY = 0;
  for (let i = 0; i < x.length; i++) {
    for (let j = 0; j < i; j++) {
      const dx = Math.sign(x[i]! - x[j]!);
      const dy = Math.sign(y[i]! - y[j]!);
      concordance += dx * dy;
      untiedX += dx * dx;
      untiedY += dy * dy;
    }
  }
  return untiedX === 0 || untiedY === 0 ? null : concordance / Math.sqrt(untiedX * untiedY);
}

function requirePairs(x: ArrayLike<number>, y: ArrayLike<number>): void {
  requireSameLength('x', x, 'y', y);
  requireFinite('x', x);
  requireFinite('y', y);
}

const isConstant = (x: ArrayLike<number>) => Array.from(x).every((value) => value === x[0]);
const mean = (x: ArrayLike<number>, from: number) =>
  Array.from(x).reduce((sum, value) => sum + (value - from), 0) / x.length;
