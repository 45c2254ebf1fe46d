/** Which outputs a permutation puts into arm 0. Row 0 of every source is the split as observed. */
import { requireInteger } from './argumentChecks';
import { createRng, type Rng } from './rng';
import { checkArms } from './arms';

/** A repeatable sequence of splits, readable from any row on, so that nothing needs to be kept in memory. */
export interface Splits {
  n0: number;
  n1: number;
  /** Rows in all, the observed split (row 0) included. */
  rows: number;
  /** Every possible split is listed once: p = count / rows. Otherwise p = (1 + count) / rows over rows 1 … */
  exact: boolean;
  /** The next call of `next` gives this row. */
  seek(row: number): void;
  /** Writes 1 for the members of arm 0 and 0 for the rest into `inArm0` (n0 + n1 long). */
  next(inArm0: Uint8Array): void;
}

/** Rows that share one stream of random numbers; a row can be reached by replaying at most this many. */
const BLOCK_ROWS = 256;

/** C(n, k), or Infinity once it passes 2^53. Cost k. */
export function binomialCoefficient(n: number, k: number): number {
  let value = 1;
  for (let i = 1; i <= Math.min(k, n - k); i++) {
    value = (value * (n - Math.min(k, n - k) + i)) / i;
    if (value > Number.MAX_SAFE_INTEGER) return Infinity;
  }
  return Math.round(value);
}

/**
 * B uniform random splits after the observed one, or all C(n0+n1, n0) of them where that is at most B + 1.
 * The same seed gives the same splits, whatever they are used for and in whatever pieces they are read.
 * Cost of a row: min(n0, n1).
 * @param permutations B, at least 1. @throws RangeError for wrong sizes.
 */
export function createSplits(n0: number, n1: number, permutations: number, seed: number): Splits {
  requireInteger('permutations', permutations, 1);
  checkArms(n0, n1);
  return binomialCoefficient(n0 + n1, n0) <= permutations + 1
    ? allSplits(n0, n1)
    : randomSplits(n0, n1, permutations, seed);
}

/**
 * B uniform random splits after the observed one (partial Fisher–Yates), also where fewer are possible. Cost of a row:
 * min(n0, n1).
 */
export function randomSplits(n0: number, n1: number, permutations: number, seed: number): Splits {
  const n = n0 + n1;
  const drawn = Math.min(n0, n1);
  const chosen = n0 <= n1 ? 1 : 0;
  const pool = new Int32Array(n);
  requireInteger('n0 + n1', n, 2, 0xffff);
  let rng: Rng;
  let kept = -1;
  return blockSource(n0, n1, permutations, seed, 'permutations', {
    start(stream) {
      rng = stream;
      kept = -1;
      for (let i = 0; i < n; i++) pool[i] = i;
    },
    // The pool stays shuffled from row to row: a uniform draw from any arrangement is uniform. Uniform integers in
    // [0, bound) by multiplication, without bias (Lemire 2019), two out of each random number. Written out, because this
    // is called for every row and calls would double its time.
    draw(inArm0) {
      inArm0.fill(1 - chosen);
      let spare = kept;
      for (let i = 0; i < drawn;) {
        const bound = n - i;
        let half = spare;
        if (spare >= 0) spare = -1;
        else {
          const number = rng.uint32();
          half = number & 0xffff;
          spare = number >>> 16;
        }
        const product = half * bound;
        const low = product & 0xffff;
        if (low < bound && low < 0x10000 % bound) continue;
        const j = i + (product >>> 16);
        const picked = pool[j]!;
        pool[j] = pool[i]!;
        pool[i] = picked;
        inArm0[picked] = chosen;
        i++;
      }
      kept = spare;
    },
  });
}

/**
 * Exchanges within pairs only: output i of arm 0 may change places with output i of arm 1 (a sign flip of their
 * difference). All 2^pairs of them where that is at most B + 1 and `enumerate` holds, else B random ones.
 * Cost of a row: pairs. @throws RangeError for wrong sizes.
 */
export function pairedSplits(pairs: number, permutations: number, seed: number, enumerate = true): Splits {
  requireInteger('permutations', permutations, 1);
  checkArms(pairs, pairs);
  const write = (inArm0: Uint8Array, pair: number, swapped: number) => {
    inArm0[pair] = 1 - swapped;
    inArm0[pairs + pair] = swapped;
  };
  if (enumerate && pairs < 31 && 2 ** pairs <= permutations + 1) {
    let row = 0;
    return {
      n0: pairs,
      n1: pairs,
      rows: 2 ** pairs,
      exact: true,
      seek(to) {
        row = to;
      },
      next(inArm0) {
        for (let pair = 0; pair < pairs; pair++) write(inArm0, pair, (row >>> pair) & 1);
        row++;
      },
    };
  }
  let rng: Rng;
  return blockSource(pairs, pairs, permutations, seed, 'pairs', {
    start(stream) {
      rng = stream;
    },
    draw(inArm0) {
      for (let pair = 0; pair < pairs; pair++) write(inArm0, pair, rng.uint32() >>> 31);
    },
  });
}

/**
 * Every split once, in lexicographic order of arm 0's indices; the observed one comes first. Cost of a row: n0.
 */
export function allSplits(n0: number, n1: number): Splits {
  const n = n0 + n1;
  const arm0 = new Int32Array(n0);
  let at = 0;
  const first = () => {
    for (let i = 0; i < n0; i++) arm0[i] = i;
    at = 0;
  };
  const advance = () => {
    at++;
    let i = n0 - 1;
    while (i >= 0 && arm0[i] === n - n0 + i) i--;
    if (i < 0) return;
    arm0[i]!++;
    for (let j = i + 1; j < n0; j++) arm0[j] = arm0[j - 1]! + 1;
  };
  first();
  return {
    n0,
    n1,
    rows: binomialCoefficient(n, n0),
    exact: true,
    seek(row) {
      if (row < at) first();
      while (at < row) advance();
    },
    next(inArm0) {
      inArm0.fill(0);
      for (const index of arm0) inArm0[index] = 1;
      advance();
    },
  };
}

/**
 * Splits listed by the caller (arm 0's indices, the observed split left out), as a Monte Carlo sample of them. Cost of
 * a row: n0 + n1. The lists are not checked.
 */
export function givenSplits(n0: number, n1: number, arm0PerRow: readonly (readonly number[])[]): Splits {
  let row = 0;
  return {
    n0,
    n1,
    rows: arm0PerRow.length + 1,
    exact: false,
    seek(to) {
      row = to;
    },
    next(inArm0) {
      if (row === 0) writeObserved(inArm0, n0);
      else {
        inArm0.fill(0);
        for (const index of arm0PerRow[row - 1]!) inArm0[index] = 1;
      }
      row++;
    },
  };
}

/** Random rows in blocks, each block with a stream of its own. */
function blockSource(
  n0: number,
  n1: number,
  permutations: number,
  seed: number,
  stream: string,
  source: { start: (rng: Rng) => void; draw: (inArm0: Uint8Array) => void },
): Splits {
  const scratch = new Uint8Array(n0 + n1);
  let row = 0;
  let started = false;
  const drawRow = (inArm0: Uint8Array) => {
    const index = row - 1;
    if (!started || index % BLOCK_ROWS === 0) {
      source.start(createRng(seed, `${stream}/${Math.floor(index / BLOCK_ROWS)}`));
      started = true;
    }
    source.draw(inArm0);
    row++;
  };
  return {
    n0,
    n1,
    rows: permutations + 1,
    exact: false,
    seek(to) {
      if (to === row) return;
      started = false;
      row = to === 0 ? 0 : to - ((to - 1) % BLOCK_ROWS);
      while (row < to) drawRow(scratch);
    },
    next(inArm0) {
      if (row === 0) {
        writeObserved(inArm0, n0);
        row = 1;
      } else drawRow(inArm0);
    },
  };
}

function writeObserved(inArm0: Uint8Array, n0: number): void {
  inArm0.fill(0);
  inArm0.fill(1, 0, n0);
}
