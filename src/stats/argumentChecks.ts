/** Checks of arguments. Each throws a RangeError that starts with the argument's name. */

export function requireInteger(
  name: string,
  value: number,
  low: number,
  high = Number.MAX_SAFE_INTEGER,
): void {
  if (!Number.isInteger(value) || value < low || value > high) {
    throw new RangeError(`${name} must be an integer in [${low}, ${bound(high)}], got ${value}`);
  }
}

/** A finite number in [low, high]. */
export function requireWithin(name: string, value: number, low: number, high: number): void {
  if (!Number.isFinite(value) || value < low || value > high) {
    throw new RangeError(`${name} must be a number in [${low}, ${bound(high)}], got ${value}`);
  }
}

/** A finite number above 0. */
export function requirePositive(name: string, value: number): void {
  if (!Number.isFinite(value) || value <= 0) {
    throw new RangeError(`${name} must be a positive number, got ${value}`);
  }
}

/** A level or probability strictly between 0 and 1. */
export function requireOpenUnit(name: string, value: number): void {
  if (!(value > 0 && value < 1)) {
    throw new RangeError(`${name} must lie strictly between 0 and 1, got ${value}`);
  }
}

/** Every element a finite number. */
export function requireFinite(name: string, values: ArrayLike<number>): void {
  for (let i = 0; i < values.length; i++) {
    if (!Number.isFinite(values[i])) {
      throw new RangeError(`${name}[${i}] must be a finite number, got ${values[i]}`);
    }
  }
}

export function requireSameLength(
  nameA: string,
  a: ArrayLike<unknown>,
  nameB: string,
  b: ArrayLike<unknown>,
): void {
  if (a.length !== b.length) {
    throw new RangeError(
      `${nameB} must have the length of ${nameA}: ${nameA} has ${a.length}, ${nameB} has ${b.length}`,
    );
  }
}

const bound = (high: number) => (high === Number.MAX_SAFE_INTEGER ? '∞' : String(high));
