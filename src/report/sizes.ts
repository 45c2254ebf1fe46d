/** How far a change moved the answers, as a word that goes with the interval of its effect (glossary: `size`). */
import type { Comparison } from '../contracts/runRecord';

/** An interval wholly under this is small. */
const LITTLE_BELOW = 0.15;
/** An interval wholly at or above this is large. */
const STRONG_FROM = 0.3;

export type Size = 'a little' | 'strongly';

/** Null where the interval says neither, or where the answers were not seen to move. */
export function sizeOf({ verdict, effect }: Pick<Comparison, 'verdict' | 'effect'>): Size | null {
  if (effect === null || (verdict !== 'changed' && verdict !== 'changedWithinRewordingNoise')) return null;
  if (effect.interval.low >= STRONG_FROM) return 'strongly';
  return effect.interval.high < LITTLE_BELOW ? 'a little' : null;
}

/** Of several changes: strongly where one is; a little where all are. */
export function sizeOfAll(moved: readonly Pick<Comparison, 'verdict' | 'effect'>[]): Size | null {
  const sizes = moved.map(sizeOf);
  if (sizes.includes('strongly')) return 'strongly';
  return sizes.length > 0 && sizes.every((size) => size === 'a little') ? 'a little' : null;
}
