import { UserError } from '../contracts/userError';

const FULL = new Set(['ENOSPC', 'EDQUOT', 'EFBIG']);
const NOT_WRITABLE = new Set(['EACCES', 'EPERM', 'EROFS', 'ENOTDIR', 'EEXIST', 'EISDIR']);

/** What a person reads when the disk says no. */
export function diskError(error: unknown, cacheDir: string): unknown {
  const code = (error as NodeJS.ErrnoException | undefined)?.code ?? '';
  if (FULL.has(code))
    return new UserError(
      'diskFull',
      `The disk that holds ${cacheDir} is full, so answers cannot be kept.`,
      'Free some space and run again; what was received before is kept.',
      { cause: error },
    );
  if (NOT_WRITABLE.has(code))
    return new UserError(
      'cacheNotWritable',
      `Answers cannot be written to ${cacheDir} (${code}).`,
      'Make the folder writable, or choose another one with XDG_CACHE_HOME or the setting for the cache folder.',
      { cause: error },
    );
  return error;
}

export const damaged = (file: string, why: string, cause?: unknown): UserError =>
  new UserError(
    'storeDamaged',
    `The record of this run is damaged: ${why} (${file}).`,
    'Run the check again; the other runs are not affected.',
    { cause },
  );
