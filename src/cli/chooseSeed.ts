import { randomInt } from 'node:crypto';
import { defaultSeed } from '../compose/defaultSeed';

/** `--seed`, or chance with `--fresh`, or the one that belongs to the check, so that asking again costs nothing. */
export const chooseSeed = (
  flags: { seed?: number; fresh?: boolean },
  check: Parameters<typeof defaultSeed>[0],
): number => flags.seed ?? (flags.fresh === true ? randomInt(2 ** 31) : defaultSeed(check));
