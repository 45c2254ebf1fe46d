/**
 * The inner loops of the permutation engine as WebAssembly SIMD, assembled here from their instructions.
 *
 * Why WebAssembly: at k = 50 a split sums six double kernels over 1,225 pairs and takes 30 logarithms. Two doubles per
 * instruction and no bounds checks make that about three times as fast as the same loops on typed arrays. Sums are taken
 * in a fixed order and logarithms by one polynomial, so results are the same bits on every machine.
 */
import {
  add,
  addF64,
  and,
  code,
  f64x2,
  get,
  greaterOrEqual,
  i32,
  i32x4,
  i64x2,
  less,
  load,
  loadByte,
  loadHalf,
  loadHighLane,
  loadVector,
  loop,
  lowWords,
  moduleBytes,
  multiply,
  set,
  shiftRight,
  store,
  storeVector,
  sub,
  when,
  zeroVector,
  type Code,
  type FunctionCode,
} from './wasmCode';

/** Loops over one memory; pointers are byte offsets into it. Loops are made at first use and kept. */
export interface PairKernel {
  /** Grows the memory to hold at least `bytes`; views taken before are then void. */
  reserve(bytes: number): ArrayBuffer;
  /** See `PairLoop`; for this many vectors of two lanes (0 … 4), with or without counting bins. */
  pairs(vectors: number, withBins: boolean): PairLoop;
  /** See `RowLoop`. */
  rows(): RowLoop;
  /** See `DivergenceLoop`; `ofArm0`: the counts at the start of the memory are those within arm 0. */
  divergence(ofArm0: boolean): DivergenceLoop;
}

/**
 * For every pair (i, j), i > j, of the ascending list `small` (int32, `size` long): adds `vectors`·2 doubles at
 * `kernel` + t·vectors·16 to the sums, and counts byte `bins` + t, where t = i(i−1)/2 + j. Writes the sums of pairs at
 * even places of a row to `out` and those at odd places behind them; adds counts likewise to two histograms of 256 int32
 * at the start of the memory.
 */
type PairLoop = (small: number, size: number, kernel: number, bins: number, out: number) => void;

/** Sums the int32 rows (`rowBytes` each, a multiple of 64) at `table` that `small` lists, into `out`. */
type RowLoop = (small: number, size: number, table: number, rowBytes: number, out: number) => void;

/**
 * Jensen–Shannon divergence in nats over `bytes`/4 bins, an even number. Counts within one arm are at the start of the
 * memory as `PairLoop` leaves them, `rowSums` holds the row histograms of that arm summed, `all` the counts of all pairs
 * (int32). `term0`, `term1`: tables of p·ln p / 2 per count, for `pairs0` pairs within arm 0 and `cross` across.
 */
type DivergenceLoop = (
  bytes: number,
  rowSums: number,
  all: number,
  term0: number,
  term1: number,
  pairs0: number,
  cross: number,
) => number;

// The pure rooms know neither DOM nor Node, where these types live.
declare const WebAssembly: {
  Memory: new (options: { initial: number }) => { buffer: ArrayBuffer; grow(pages: number): number };
  Module: new (bytes: Uint8Array<ArrayBuffer>) => object;
  Instance: new (module: object, imports: object) => { exports: Record<string, unknown> };
};

const PAGE_BYTES = 65536;
/** Bytes of one histogram at the start of the memory. */
const HISTOGRAM_BYTES = 1024;

/** Costs about 1 ms; make one per test or worker and use it again. */
export function createPairKernel(): PairKernel {
  const memory = new WebAssembly.Memory({ initial: 1 });
  const made = new Map<string, unknown>();
  const once = (key: string, write: () => FunctionCode) => {
    if (!made.has(key)) {
      const module = new WebAssembly.Module(moduleBytes(write()));
      made.set(key, new WebAssembly.Instance(module, { e: { m: memory } }).exports['f']);
    }
    return made.get(key);
  };
  return {
    reserve(bytes) {
      const missing = Math.ceil((bytes - memory.buffer.byteLength) / PAGE_BYTES);
      if (missing > 0) memory.grow(missing);
      return memory.buffer;
    },
    pairs: (vectors, withBins) =>
      once(`pairs ${vectors} ${withBins}`, () => pairLoop(vectors, withBins)) as PairLoop,
    rows: () => once('rows', rowLoop) as RowLoop,
    divergence: (ofArm0) => once(`divergence ${ofArm0}`, () => divergenceLoop(ofArm0)) as DivergenceLoop,
  };
}

const step = (local: number, bytes: number): Code => code(get(local), i32(bytes), add, set(local));

function pairLoop(vectors: number, withBins: boolean): FunctionCode {
  const [small, size, kernel, bins, out] = [0, 1, 2, 3, 4];
  const [row, column, end, triangle, rowKernel, rowBins, j, at] = [5, 6, 7, 8, 9, 10, 11, 12];
  const sums = (odd: number) => Array.from({ length: vectors }, (_, v) => 13 + odd * vectors + v);
  const strideBytes = vectors * 16;

  const onePair = (odd: number): Code =>
    code(
      code(get(column), load(odd * 4), set(j)),
      vectors > 0 ? code(get(j), i32(strideBytes), multiply, get(rowKernel), add, set(at)) : [],
      ...sums(odd).map((sum, v) => code(get(sum), get(at), loadVector(v * 16), f64x2.add, set(sum))),
      withBins
        ? code(
            code(get(j), get(rowBins), add, loadByte, i32(4), multiply, set(at)),
            code(get(at), get(at), load(odd * HISTOGRAM_BYTES), i32(1), add, store(odd * HISTOGRAM_BYTES)),
          )
        : [],
    );
  const body = code(
    code(get(small), get(size), i32(4), multiply, add, set(end)),
    code(get(small), i32(4), add, set(row)),
    loop(
      code(get(row), get(end), greaterOrEqual),
      code(
        // triangle = i(i − 1) / 2
        code(get(row), load(), set(j)),
        code(get(j), get(j), i32(1), sub, multiply, i32(1), shiftRight, set(triangle)),
        code(get(triangle), i32(strideBytes), multiply, get(kernel), add, set(rowKernel)),
        code(get(triangle), get(bins), add, set(rowBins)),
        code(get(small), set(column)),
        loop(
          code(get(column), i32(4), add, get(row), greaterOrEqual),
          code(onePair(0), onePair(1), step(column, 8)),
        ),
        when(code(get(column), get(row), less), onePair(0)),
        step(row, 4),
      ),
    ),
    ...[...sums(0), ...sums(1)].map((sum, v) => code(get(out), get(sum), storeVector(v * 16))),
  );
  const parameters = ['i32', 'i32', 'i32', 'i32', 'i32'] as const;
  return { parameters, result: null, locals: { i32: 8, v128: 2 * vectors }, body };
}

function rowLoop(): FunctionCode {
  const [small, size, table, rowBytes, out] = [0, 1, 2, 3, 4];
  const [at, end, offset, row] = [5, 6, 7, 8];
  // Four vectors at a time, so that a row's address is taken once for all of them.
  const sums = [9, 10, 11, 12];
  const body = code(
    code(get(small), get(size), i32(4), multiply, add, set(end)),
    loop(
      code(get(offset), get(rowBytes), greaterOrEqual),
      code(
        ...sums.map((sum) => code(zeroVector, set(sum))),
        code(get(small), set(at)),
        loop(
          code(get(at), get(end), greaterOrEqual),
          code(
            code(get(at), load(), get(rowBytes), multiply, get(table), add, get(offset), add, set(row)),
            ...sums.map((sum, v) => code(get(sum), get(row), loadVector(v * 16), i32x4.add, set(sum))),
            step(at, 4),
          ),
        ),
        ...sums.map((sum, v) => code(get(out), get(offset), add, get(sum), storeVector(v * 16))),
        step(offset, 64),
      ),
    ),
  );
  const parameters = ['i32', 'i32', 'i32', 'i32', 'i32'] as const;
  return { parameters, result: null, locals: { i32: 4, v128: 4 }, body };
}

function divergenceLoop(ofArm0: boolean): FunctionCode {
  const [bytes, rowSums, all, term0, term1, pairs0, cross] = [0, 1, 2, 3, 4, 5, 6];
  const at = 7;
  const [inArm, across, in0, p, q, u, sum, m0, m1, log0, log1, log2] = [
    8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19,
  ];

  const lookUp = (table: number, counts: number): Code => {
    const address = (lane: number) => code(get(counts), i32x4.lane(lane), i32(8), multiply, get(table), add);
    return code(address(1), address(0), loadHalf(), loadHighLane);
  };
  const body = code(
    loop(
      code(get(at), get(bytes), greaterOrEqual),
      code(
        code(get(at), loadHalf(), get(at), loadHalf(HISTOGRAM_BYTES), i32x4.add, set(inArm)),
        code(
          get(at),
          get(rowSums),
          add,
          loadHalf(),
          get(inArm),
          i32x4.sub,
          get(inArm),
          i32x4.sub,
          set(across),
        ),
        ofArm0
          ? get(inArm)
          : code(get(at), get(all), add, loadHalf(), get(across), i32x4.sub, get(inArm), i32x4.sub),
        set(in0),
        code(get(in0), f64x2.fromLowI32, get(pairs0), f64x2.splat, f64x2.div, set(p)),
        code(get(across), f64x2.fromLowI32, get(cross), f64x2.splat, f64x2.div, set(q)),
        code(get(p), get(q), f64x2.add, f64x2.of(0.5), f64x2.mul, set(u)),
        code(lookUp(term0, in0), lookUp(term1, across), f64x2.add),
        code(get(u), logarithm(u, m0, m1, log0, log1, log2), f64x2.mul, f64x2.sub),
        // Equal shares differ by rounding only; they must give 0, or ties at 0 would be decided by noise.
        code(get(p), get(q), f64x2.notEqual, and, get(sum), f64x2.add, set(sum)),
        step(at, 8),
      ),
    ),
    code(get(sum), f64x2.lane(0), get(sum), f64x2.lane(1), addF64),
  );
  const parameters = ['i32', 'i32', 'i32', 'i32', 'i32', 'f64', 'f64'] as const;
  return { parameters, result: 'f64', locals: { i32: 1, v128: 12 }, body };
}

/**
 * Natural logarithm of two positive normal doubles (FreeBSD msun e_log.c): x = 2^k·m with m in [√½, √2),
 * f = m − 1, s = f/(2+f), ln m = f − f²/2 + s·(f²/2 + R(s²)). Error below 1 ulp.
 */
function logarithm(x: number, k: number, f: number, s: number, z: number, halfSquare: number): Code {
  const { add: plus, sub: minus, mul: times, div: over, of } = f64x2;
  const [L1, L2, L3, L4, L5, L6, L7] = [
    0.6666666666666735, 0.3999999999940942, 0.2857142874366239, 0.22222198432149784, 0.1818357216161805,
    0.15313837699209373, 0.14798198605116586,
  ] as const;
  const polynomial = [L7, L6, L5, L4, L3, L2, L1].reduce<Code>(
    (inner, coefficient, i) =>
      i === 0 ? of(coefficient) : code(inner, get(z), times, of(coefficient), plus),
    [],
  );
  return code(
    code(get(x), i64x2.of(0x3fe6a09e00000000n), i64x2.sub, i32(52), i64x2.shiftRightSigned, set(k)),
    code(get(x), get(k), i32(52), i64x2.shiftLeft, i64x2.sub, of(1), minus, set(f)),
    code(get(k), get(k), lowWords, f64x2.fromLowI32, set(k)),
    code(get(f), get(f), of(2), plus, over, set(s)),
    code(get(s), get(s), times, set(z)),
    code(get(f), get(f), times, of(0.5), times, set(halfSquare)),
    // k·ln2 high − ((f²/2 − (s·(f²/2 + z·R) + k·ln2 low)) − f)
    code(get(k), of(0.6931471803691238), times, get(halfSquare)),
    code(get(s), get(halfSquare), polynomial, get(z), times, plus, times),
    code(get(k), of(1.9082149292705877e-10), times, plus, minus, get(f), minus, minus),
  );
}
