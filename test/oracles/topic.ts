/**
 * What an oracle file looks like and how numbers are compared. A topic (`topics/<topic>.ts`) exports `check`;
 * the runner finds it by the file's name: `02-dbpa-exact.json` → `topics/dbpaExact.ts`, `05-adjust-r.json` → `topics/adjust.ts`.
 */

/** JSON as it stands in the file: `"NaN"`, `"Infinity"`, `"-Infinity"` are numbers written as strings. */
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
export type JsonObject = { [key: string]: Json };

export interface OracleCase {
  name: string;
  input: JsonObject;
  expected: Json;
  /** An absolute number, `{kind, value}`, or an object of either per field; 1e-9 absolute where it is missing. */
  tolerance?: Json;
  note?: string;
}
export interface OracleFile {
  source: string;
  notes?: string[];
  cases: OracleCase[];
}

/** Returns what differs, one line each; empty means that the case passes. May throw: that is a failure too. */
export type Check = (
  input: JsonObject,
  expected: JsonObject,
  tolerance: Tolerance,
  oracle: OracleCase,
) => string[];

export interface Tolerance {
  kind: 'absolute' | 'relative' | 'exact';
  value: number;
  /** Tolerance of one named field where the case states one, else the case's own. */
  field(name: string): Tolerance;
}

/** Reads a tolerance; `"absolute 1e-9"` and `"relative 1e-5"` are understood as well. `fallback` for unnamed fields. */
export function readTolerance(raw: Json | undefined, fallback = 1e-9): Tolerance {
  if (raw === undefined) return plain('absolute', fallback);
  if (typeof raw === 'number') return plain('absolute', raw);
  if (typeof raw === 'string') {
    const [kind, value] = raw.split(' ');
    if (kind === 'relative' || kind === 'absolute' || kind === 'exact')
      return plain(kind, Number(value ?? 0));
  }
  if (raw !== null && typeof raw === 'object' && !Array.isArray(raw)) {
    const { kind, value } = raw;
    if (kind === 'relative' || kind === 'absolute' || kind === 'exact')
      return plain(kind, Number(value ?? 0));
    const own = plain('absolute', fallback);
    return { ...own, field: (name) => (name in raw ? readTolerance(raw[name] as Json, fallback) : own) };
  }
  throw new Error(`tolerance not understood: ${JSON.stringify(raw)}`);
}

function plain(kind: Tolerance['kind'], value: number): Tolerance {
  const tolerance: Tolerance = { kind, value, field: () => tolerance };
  return tolerance;
}

/** A number of the file, `"NaN"` and `"Infinity"` included. */
export function readNumber(value: Json | undefined): number {
  if (typeof value === 'number') return value;
  if (value === 'NaN') return NaN;
  if (value === 'Infinity') return Infinity;
  if (value === '-Infinity') return -Infinity;
  throw new Error(`not a number: ${JSON.stringify(value)}`);
}

export const readNumbers = (value: Json | undefined): number[] => (value as Json[]).map(readNumber);
export const readMatrix = (value: Json | undefined): number[][] => (value as Json[]).map(readNumbers);

/** NaN equals NaN, infinities equal themselves. */
export function isClose(actual: number, expected: number, tolerance: Tolerance): boolean {
  if (Object.is(actual, expected) || actual === expected) return true;
  if (!Number.isFinite(actual) || !Number.isFinite(expected)) return false;
  if (tolerance.kind === 'exact') return false;
  const allowed = tolerance.kind === 'relative' ? tolerance.value * Math.abs(expected) : tolerance.value;
  return Math.abs(actual - expected) <= allowed;
}

/**
 * Compares any shape: numbers by tolerance (an object's field by its own, where stated), the rest exactly.
 * Every key of `expected` must be there in `actual`; keys that only `actual` has are ignored.
 */
export function compare(path: string, actual: unknown, expected: Json, tolerance: Tolerance): string[] {
  if (Array.isArray(expected)) {
    const list = ArrayBuffer.isView(actual) ? Array.from(actual as Float64Array) : actual;
    if (!Array.isArray(list)) return [`${path}: expected a list, got ${show(actual)}`];
    if (list.length !== expected.length)
      return [`${path}: length ${list.length}, expected ${expected.length}`];
    return expected.flatMap((value, i) => compare(`${path}[${i}]`, list[i], value, tolerance));
  }
  if (expected !== null && typeof expected === 'object') {
    if (actual === null || typeof actual !== 'object')
      return [`${path}: expected an object, got ${show(actual)}`];
    return Object.entries(expected).flatMap(([key, value]) =>
      compare(
        path === '' ? key : `${path}.${key}`,
        (actual as Record<string, unknown>)[key],
        value,
        tolerance.field(key),
      ),
    );
  }
  const isNumber =
    typeof expected === 'number' || ['NaN', 'Infinity', '-Infinity'].includes(expected as string);
  if (isNumber && typeof actual === 'number') {
    const wanted = readNumber(expected);
    return isClose(actual, wanted, tolerance) ? [] : [`${path}: ${actual}, expected ${wanted}`];
  }
  return actual === expected ? [] : [`${path}: ${show(actual)}, expected ${show(expected)}`];
}

const show = (value: unknown) => JSON.stringify(value) ?? String(value);
