/** What a calibration study is made of, how its replicates are counted, and when it fails. */
import { clopperPearson } from '../../src/stats/proportions';
import { createRng, type Rng } from '../../src/stats/rng';

/**
 * `size`: H0 holds and the method claims its level: fails where the 99% interval of its rejection rate lies above alpha.
 * `reported`: H0 holds, but the method is approximate or its model is not met: shown only. `power`: H0 does not hold.
 */
export type Role = 'size' | 'reported' | 'power';

export interface Method {
  name: string;
  role: Role;
  /** Levels at which it is counted; the cell's where left out. */
  alphas?: readonly number[];
}

/** One data-generating situation; every method sees the same replicates. */
export interface Cell {
  study: string;
  shape: string;
  /** Sample sizes in words: `k = 20`. */
  size: string;
  methods: readonly Method[];
  alphas: readonly number[];
  /** Share of the replicates to run, for slow methods; 1 where left out. */
  share?: number;
  /** p-values of one replicate, one per method; a method that only decides gives 0 (reject) or 1. */
  simulate: (rng: Rng, seed: number) => readonly number[];
}

export interface Row {
  study: string;
  method: string;
  shape: string;
  size: string;
  role: Role;
  alpha: number;
  replicates: number;
  rejected: number;
  rate: number;
  /** 99% Clopper–Pearson interval of the rejection rate. */
  low: number;
  high: number;
  /** A second, independent run of twice the length, where the first interval lay above alpha. */
  again?: { replicates: number; rejected: number; low: number; high: number };
}

/** A row fails if its interval lies above alpha, and that of an independent run of twice the length as well. */
export const fails = (row: Row) => row.role === 'size' && (row.again ?? row).low > row.alpha;

/** Rows of a cell. 300 intervals at 99% throw a false alarm now and then: an alarm is checked on fresh replicates. */
export function runCell(cell: Cell, replicates: number, seed: number): Row[] {
  const count = Math.max(20, Math.round(replicates * (cell.share ?? 1)));
  const rows = rowsOf(cell, count, seed, 'first');
  const alarm = rows.some((row) => row.role === 'size' && row.low > row.alpha);
  if (!alarm) return rows;
  const second = rowsOf(cell, 2 * count, seed, 'again');
  return rows.map((row, i) => {
    if (row.role !== 'size' || row.low <= row.alpha) return row;
    const { replicates: repeats, rejected, low, high } = second[i]!;
    return { ...row, again: { replicates: repeats, rejected, low, high } };
  });
}

function rowsOf(cell: Cell, count: number, seed: number, pass: string): Row[] {
  const tallies = cell.methods.flatMap((method, index) =>
    (method.alphas ?? cell.alphas).map((alpha) => ({ method, index, alpha, rejected: 0 })),
  );
  for (let replicate = 0; replicate < count; replicate++) {
    const rng = createRng(seed, `${cell.study}/${cell.shape}/${cell.size}/${pass}/${replicate}`);
    const p = cell.simulate(rng, rng.uint32());
    // Guarded: α(B+1) is a whole number of permutations, and p = α rejects.
    for (const tally of tallies) if (p[tally.index]! <= tally.alpha + 1e-12) tally.rejected++;
  }
  return tallies.map(({ method, alpha, rejected }) => {
    const { low, high } = clopperPearson(rejected, count, 0.99);
    const { study, shape, size } = cell;
    const { name, role } = method;
    return {
      ...{ study, method: name, shape, size, role, alpha },
      ...{ replicates: count, rejected, rate: rejected / count, low, high },
    };
  });
}

/** A statement about results that are not rejection rates, e.g. that a power curve levels off. */
export interface Claim {
  study: string;
  statement: string;
  figures: string;
  holds: boolean;
}
