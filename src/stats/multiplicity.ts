/** Adjusted p-values for many tests. Checked against statsmodels multipletests and R p.adjust. */

export type MultiplicityMethod =
  'bonferroni' | 'holm' | 'hochberg' | 'hommel' | 'sidak' | 'holmSidak' | 'bh' | 'by';

/**
 * Adjusted p-values in the input's order, at most 1; reject where adjusted ≤ alpha. NaN members are left out, m counts
 * the rest, and they come back as NaN.
 *
 * Each member's null hypothesis: no effect in that comparison. What is controlled: `bonferroni`, `holm`, `sidak`,
 * `holmSidak`, `hochberg`, `hommel`: the family-wise error rate; `bh`, `by`: the false discovery rate. Assumptions:
 * bonferroni, holm, by none; sidak, holmSidak independence (or positive orthant dependence); hochberg, hommel, bh
 * independence or positive dependence. Cost m log m, hommel m².
 * @param p values in [0, 1] or NaN. @throws RangeError naming the value otherwise.
 */
export function adjustPValues(p: ArrayLike<number>, method: MultiplicityMethod): number[] {
  const kept: { index: number; p: number }[] = [];
  for (let index = 0; index < p.length; index++) {
    const value = p[index]!;
    if (Number.isNaN(value)) continue;
    if (!(value >= 0 && value <= 1)) throw new RangeError(`p[${index}] must be in [0, 1], got ${value}`);
    kept.push({ index, p: value });
  }
  kept.sort((a, b) => a.p - b.p || a.index - b.index);
  const adjusted = inAscendingOrder[method](kept.map((entry) => entry.p));
  const result = new Array<number>(p.length).fill(NaN);
  kept.forEach(({ index }, rank) => {
    result[index] = Math.min(1, adjusted[rank]!);
  });
  return result;
}

/** p ascending in, adjusted in the same order out; `rank` counts from 0. */
const inAscendingOrder: Record<MultiplicityMethod, (p: number[]) => number[]> = {
  bonferroni: (p) => p.map((value) => value * p.length),
  sidak: (p) => p.map((value) => sidak(value, p.length)),
  holm: (p) => runningMaximum(p.map((value, rank) => value * (p.length - rank))),
  holmSidak: (p) => runningMaximum(p.map((value, rank) => sidak(value, p.length - rank))),
  hochberg: (p) => runningMinimum(p.map((value, rank) => value * (p.length - rank))),
  bh: (p) => runningMinimum(p.map((value, rank) => (value * p.length) / (rank + 1))),
  by: (p) => {
    const harmonic = p.reduce((sum, _, rank) => sum + 1 / (rank + 1), 0);
    return runningMinimum(p.map((value, rank) => (value * p.length * harmonic) / (rank + 1)));
  },
  hommel,
};

/** Hommel (1988) in the form of Wright (1992), as in R p.adjust. */
function hommel(p: number[]): number[] {
  const n = p.length;
  const simes = Math.min(...p.map((value, rank) => (n * value) / (rank + 1)));
  const adjusted = new Array<number>(n).fill(simes);
  for (let m = n - 1; m >= 2; m--) {
    const head = n - m + 1;
    let tail = Infinity;
    for (let i = head; i < n; i++) tail = Math.min(tail, (m * p[i]!) / (2 + i - head));
    for (let i = 0; i < n; i++) {
      adjusted[i] = Math.max(adjusted[i]!, Math.min(m * p[Math.min(i, head - 1)]!, tail));
    }
  }
  return adjusted.map((value, i) => Math.max(value, p[i]!));
}

/** 1 − (1 − p)^m without losing small p. */
const sidak = (p: number, m: number) => (p === 1 ? 1 : -Math.expm1(m * Math.log1p(-p)));

function runningMaximum(values: number[]): number[] {
  let most = 0;
  return values.map((value) => (most = Math.max(most, value)));
}

function runningMinimum(values: number[]): number[] {
  const result = [...values];
  for (let i = result.length - 2; i >= 0; i--) result[i] = Math.min(result[i]!, result[i + 1]!);
  return result;
}
