/**
 * The inner loops of the permutation engine as a WebAssembly SIMD module, assembled here from its instructions.
 *
 * Why WebAssembly: at k = 50 a split sums six double kernels over 1,225 pairs. Two doubles per instruction and no bounds
 * checks make that two to three times as fast as the same loop on typed arrays. Sums are taken in a fixed order (pairs
 * at even and odd places of a row apart, then added), so results are the same bits on every machine.
 */

/** What the module exports; pointers are byte offsets into `memory`. */
export interface PairKernel {
  /** Grows to hold at least `bytes`; views taken before are then void. */
  reserve(bytes: number): ArrayBuffer;
  /** The loop for this many vectors of two lanes (0 … 4), with or without counting bins. Made once and kept. */
  pairs(vectors: number, withBins: boolean): PairLoop;
  /** See `RowLoop`. */
  rows: RowLoop;
}

/**
 * For every pair (i, j), i > j, of the ascending list `small` (int32, `size` long): adds `vectors`·2 doubles at
 * `kernel` + t·vectors·16 to the sums, and counts byte `bins` + t, where t = i(i−1)/2 + j. Writes the sums of pairs at
 * even places to `out` and those at odd places behind them; adds counts to two histograms of 256 int32 at `counts`.
 */
type PairLoop = (
  small: number,
  size: number,
  kernel: number,
  bins: number,
  out: number,
  counts: number,
) => void;

/** Sums the int32 rows (`rowBytes` each, a multiple of 16) at `table` that `small` lists, into `out`. */
type RowLoop = (small: number, size: number, table: number, rowBytes: number, out: number) => void;

// The pure rooms know neither DOM nor Node, where these types live.
declare const WebAssembly: {
  Memory: new (options: { initial: number }) => { buffer: ArrayBuffer; grow(pages: number): number };
  Module: new (bytes: Uint8Array<ArrayBuffer>) => object;
  Instance: new (module: object, imports: object) => { exports: Record<string, unknown> };
};

const PAGE_BYTES = 65536;

/** One growing memory and the loops over it. Cost about 1 ms; make one per test or worker and use it again. */
export function createPairKernel(): PairKernel {
  const memory = new WebAssembly.Memory({ initial: 1 });
  const loops = new Map<string, PairLoop>();
  const instantiate = (body: number[], parameters: number, i32Locals: number, v128Locals: number) =>
    new WebAssembly.Instance(new WebAssembly.Module(moduleBytes(body, parameters, i32Locals, v128Locals)), {
      e: { m: memory },
    }).exports['f'];
  return {
    reserve(bytes) {
      const missing = Math.ceil((bytes - memory.buffer.byteLength) / PAGE_BYTES);
      if (missing > 0) memory.grow(missing);
      return memory.buffer;
    },
    pairs(vectors, withBins) {
      const key = `${vectors}${withBins}`;
      const loop =
        loops.get(key) ?? (instantiate(pairBody(vectors, withBins), 6, 8, 2 * vectors) as PairLoop);
      loops.set(key, loop);
      return loop;
    },
    rows: instantiate(rowBody(), 5, 3, 1) as RowLoop,
  };
}

// Instructions, by their names in the WebAssembly specification.
const get = (local: number) => [0x20, local];
const set = (local: number) => [0x21, local];
const i32 = (value: number) => [0x41, ...signedLeb(value)];
const [add, sub, multiply, shiftRight, less, greaterOrEqual] = [0x6a, 0x6b, 0x6c, 0x76, 0x49, 0x4f];
const load = (offset = 0) => [0x28, 2, ...leb(offset)];
const loadByte = [0x2d, 0, 0];
const store = (offset = 0) => [0x36, 2, ...leb(offset)];
const loadVector = (offset = 0) => [0xfd, 0x00, 3, ...leb(offset)];
const storeVector = (offset = 0) => [0xfd, 0x0b, 3, ...leb(offset)];
const addDoubles = [0xfd, 0xf0, 0x01];
const addIntegers = [0xfd, 0xae, 0x01];
const zeroVector = [0xfd, 0x0c, ...new Array<number>(16).fill(0)];
/** `while (condition) body`: `stop` leaves true on the stack when the loop is over. */
const loop = (stop: number[], body: number[]) => [
  ...[0x02, 0x40, 0x03, 0x40],
  ...stop,
  ...[0x0d, 1],
  ...body,
  ...[0x0c, 0],
  ...[0x0b, 0x0b],
];
const when = (condition: number[], body: number[]) => [...condition, 0x04, 0x40, ...body, 0x0b];

function pairBody(vectors: number, withBins: boolean): number[] {
  const [small, size, kernel, bins, out, counts] = [0, 1, 2, 3, 4, 5];
  const [row, column, end, triangle, rowKernel, rowBins, j, at] = [6, 7, 8, 9, 10, 11, 12, 13];
  const sums = (odd: number) => Array.from({ length: vectors }, (_, v) => 14 + odd * vectors + v);
  const strideBytes = vectors * 16;

  const onePair = (odd: number, columnOffset: number) => [
    ...[get(column), load(columnOffset), set(j)].flat(),
    ...(vectors > 0 ? [get(j), i32(strideBytes), [multiply], get(rowKernel), [add], set(at)].flat() : []),
    ...sums(odd).flatMap((sum, v) => [get(sum), get(at), loadVector(v * 16), addDoubles, set(sum)].flat()),
    ...(withBins
      ? [
          ...[get(j), get(rowBins), [add], loadByte, i32(4), [multiply], get(counts), [add], set(at)],
          ...[get(at), get(at), load(odd * 1024), i32(1), [add], store(odd * 1024)],
        ].flat()
      : []),
  ];
  const step = (local: number, bytes: number) => [get(local), i32(bytes), [add], set(local)].flat();
  return [
    ...[get(small), get(size), i32(4), [multiply], [add], set(end)].flat(),
    ...[get(small), i32(4), [add], set(row)].flat(),
    ...loop(
      [get(row), get(end), [greaterOrEqual]].flat(),
      [
        // triangle = i(i − 1) / 2
        ...[get(row), load(), set(j)],
        ...[get(j), get(j), i32(1), [sub], [multiply], i32(1), [shiftRight], set(triangle)],
        ...[get(triangle), i32(strideBytes), [multiply], get(kernel), [add], set(rowKernel)],
        ...[get(triangle), get(bins), [add], set(rowBins)],
        ...[get(small), set(column)],
        loop([get(column), i32(4), [add], get(row), [greaterOrEqual]].flat(), [
          ...onePair(0, 0),
          ...onePair(1, 4),
          ...step(column, 8),
        ]),
        when([get(column), get(row), [less]].flat(), onePair(0, 0)),
        step(row, 4),
      ].flat(),
    ),
    ...[...sums(0), ...sums(1)].flatMap((sum, v) => [get(out), get(sum), storeVector(v * 16)].flat()),
  ];
}

function rowBody(): number[] {
  const [small, size, table, rowBytes, out] = [0, 1, 2, 3, 4];
  const [at, end, offset, sum] = [5, 6, 7, 8];
  return [
    ...[get(small), get(size), i32(4), [multiply], [add], set(end)].flat(),
    ...loop(
      [get(offset), get(rowBytes), [greaterOrEqual]].flat(),
      [
        ...[zeroVector, set(sum), get(small), set(at)],
        loop(
          [get(at), get(end), [greaterOrEqual]].flat(),
          [
            ...[get(sum), get(at), load(), get(rowBytes), [multiply], get(table), [add]],
            ...[get(offset), [add], loadVector(), addIntegers, set(sum)],
            ...[get(at), i32(4), [add], set(at)],
          ].flat(),
        ),
        ...[get(out), get(offset), [add], get(sum), storeVector()],
        ...[get(offset), i32(16), [add], set(offset)],
      ].flat(),
    ),
  ];
}

/** A module with one exported function `f` of int32 parameters over the imported memory `e.m`. */
function moduleBytes(body: number[], parameters: number, i32Locals: number, v128Locals: number) {
  const locals = [
    ...vector([
      [...leb(i32Locals), 0x7f],
      [...leb(v128Locals), 0x7b],
    ]),
  ];
  const code = [...locals, ...body, 0x0b];
  const sections: [number, number[][]][] = [
    [1, [[0x60, ...vector(Array.from({ length: parameters }, () => [0x7f])), 0]]],
    [2, [[...name('e'), ...name('m'), 0x02, 0x00, 1]]],
    [3, [[0]]],
    [7, [[...name('f'), 0x00, 0]]],
    [10, [[...leb(code.length), ...code]]],
  ];
  const header = [0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0];
  return Uint8Array.from([
    ...header,
    ...sections.flatMap(([id, entries]) => {
      const content = vector(entries);
      return [id, ...leb(content.length), ...content];
    }),
  ]);
}

const vector = (entries: number[][]) => [...leb(entries.length), ...entries.flat()];
const name = (text: string) => [text.length, ...Array.from(text, (letter) => letter.charCodeAt(0))];

function leb(value: number): number[] {
  return value < 128 ? [value] : [(value & 127) | 128, ...leb(value >>> 7)];
}

function signedLeb(value: number): number[] {
  return value >= -64 && value < 64 ? [value & 127] : [(value & 127) | 128, ...signedLeb(value >> 7)];
}
