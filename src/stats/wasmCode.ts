/** WebAssembly instructions by their names in the specification, and a module around one function. */

/** Code of one instruction or of several in a row. */
export type Code = readonly number[];

export interface FunctionCode {
  /** Locals 0 … are the parameters, in this order. */
  parameters: readonly ('i32' | 'f64')[];
  result: 'f64' | null;
  /** Numbers of further locals; the i32 ones come first. */
  locals: { i32: number; v128: number };
  body: Code;
}

export const get = (local: number): Code => [0x20, local];
export const set = (local: number): Code => [0x21, local];
export const i32 = (value: number): Code => [0x41, ...signedLeb(value)];
export const add: Code = [0x6a];
export const sub: Code = [0x6b];
export const multiply: Code = [0x6c];
export const shiftRight: Code = [0x76];
export const less: Code = [0x49];
export const greaterOrEqual: Code = [0x4f];
export const load = (offset = 0): Code => [0x28, 2, ...leb(offset)];
export const loadByte: Code = [0x2d, 0, 0];
export const store = (offset = 0): Code => [0x36, 2, ...leb(offset)];

const simd = (opcode: number): Code => [0xfd, ...leb(opcode)];
export const loadVector = (offset = 0): Code => [0xfd, 0x00, 3, ...leb(offset)];
export const storeVector = (offset = 0): Code => [0xfd, 0x0b, 3, ...leb(offset)];
/** Eight bytes into the low half, zeros above. */
export const loadHalf = (offset = 0): Code => [0xfd, 0x5d, 3, ...leb(offset)];
/** Address and vector on the stack: eight bytes into its high half. */
export const loadHighLane: Code = [0xfd, 0x57, 3, 0, 1];
export const f64x2 = {
  add: simd(0xf0),
  sub: simd(0xf1),
  mul: simd(0xf2),
  div: simd(0xf3),
  notEqual: simd(0x48),
  splat: simd(0x14),
  fromLowI32: simd(0xfe),
  lane: (lane: number): Code => [...simd(0x21), lane],
  of: (value: number): Code => constant(new Float64Array([value, value]).buffer),
};
export const i32x4 = {
  add: simd(0xae),
  sub: simd(0xb1),
  lane: (lane: number): Code => [...simd(0x1b), lane],
};
export const i64x2 = {
  sub: simd(0xd1),
  shiftLeft: simd(0xcb),
  shiftRightSigned: simd(0xcc),
  of: (value: bigint): Code => constant(new BigInt64Array([value, value]).buffer),
};
export const and: Code = simd(0x4e);
/** The low words of both 64-bit lanes into the low half. */
export const lowWords: Code = [0xfd, 0x0d, 0, 1, 2, 3, 8, 9, 10, 11, 0, 1, 2, 3, 8, 9, 10, 11];
export const zeroVector: Code = constant(new ArrayBuffer(16));
export const addF64: Code = [0xa0];

/** `while` with its end first: the loop is left where `stop` is true. */
export const loop = (stop: Code, body: Code): Code =>
  code([0x02, 0x40, 0x03, 0x40], stop, [0x0d, 1], body, [0x0c, 0, 0x0b, 0x0b]);
export const when = (condition: Code, body: Code): Code => code(condition, [0x04, 0x40], body, [0x0b]);

export const code = (...parts: Code[]): Code => parts.flat();

/** A module whose one export `f` is this function, over the imported memory `e.m`. */
export function moduleBytes({ parameters, result, locals, body }: FunctionCode): Uint8Array<ArrayBuffer> {
  const types = { i32: 0x7f, f64: 0x7c, v128: 0x7b };
  const signature = [
    0x60,
    ...vector(parameters.map((type) => [types[type]])),
    ...vector(result === null ? [] : [[types[result]]]),
  ];
  const declared = vector([
    [...leb(locals.i32), types.i32],
    [...leb(locals.v128), types.v128],
  ]);
  const whole = [...declared, ...body, 0x0b];
  const sections: [number, number[][]][] = [
    [1, [signature]],
    [2, [[...name('e'), ...name('m'), 0x02, 0x00, 1]]],
    [3, [[0]]],
    [7, [[...name('f'), 0x00, 0]]],
    [10, [[...leb(whole.length), ...whole]]],
  ];
  return Uint8Array.from([
    ...[0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...sections.flatMap(([id, entries]) => {
      const content = vector(entries);
      return [id, ...leb(content.length), ...content];
    }),
  ]);
}

function constant(bytes: ArrayBuffer): Code {
  return [0xfd, 0x0c, ...new Uint8Array(bytes)];
}

const vector = (entries: number[][]) => [...leb(entries.length), ...entries.flat()];
const name = (text: string) => [text.length, ...Array.from(text, (letter) => letter.charCodeAt(0))];

function leb(value: number): number[] {
  return value < 128 ? [value] : [(value & 127) | 128, ...leb(value >>> 7)];
}

function signedLeb(value: number): number[] {
  return value >= -64 && value < 64 ? [value & 127] : [(value & 127) | 128, ...signedLeb(value >> 7)];
}
