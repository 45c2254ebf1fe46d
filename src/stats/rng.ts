import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';
import type { RandomGenerator } from 'pure-rand/types/RandomGenerator';

/** A seeded stream of random numbers. Every function that needs chance takes one; nothing calls Math.random. */
export interface Rng {
  /** Uniform integer in [0, 2^32). */
  uint32(): number;
  /** Uniform double in [0, 1) with 53 bits. */
  unit(): number;
  /** Uniform integer in [0, bound). `bound` is 1 … 2^32; without modulo bias. RangeError otherwise. */
  below(bound: number): number;
}

/**
 * Xoroshiro128+ (pure-rand). The same seed gives the same stream on every machine.
 * @param seed any integer; its low 32 bits are used, mixed with `stream`.
 * @param stream names an independent stream of the same seed, e.g. `permutations` or a condition's id.
 */
export function createRng(seed: number, stream = ''): Rng {
  const generator: RandomGenerator = xoroshiro128plus(mixSeed(seed, stream));
  const uint32 = () => generator.next() >>> 0;
  return {
    uint32,
    unit: () => ((uint32() >>> 5) * 67108864 + (uint32() >>> 6)) / 9007199254740992,
    below(bound) {
      if (!Number.isInteger(bound) || bound < 1 || bound > 4294967296) {
        throw new RangeError(`bound must be an integer in [1, 2^32], got ${bound}`);
      }
      const limit = 4294967296 - (4294967296 % bound);
      for (;;) {
        const value = uint32();
        if (value < limit) return value % bound;
      }
    },
  };
}

/** A 32-bit seed from a seed and a name: FNV-1a over the name, then the finalizer of MurmurHash3. */
export function mixSeed(seed: number, stream: string): number {
  let hash = 0x811c9dc5 ^ (seed | 0);
  for (let i = 0; i < stream.length; i++) {
    hash ^= stream.charCodeAt(i);
    hash = Math.imul(hash, 0x01000193);
  }
  hash ^= hash >>> 16;
  hash = Math.imul(hash, 0x85ebca6b);
  hash ^= hash >>> 13;
  hash = Math.imul(hash, 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
