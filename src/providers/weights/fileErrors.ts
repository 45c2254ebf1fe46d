import { UserError, isUserError } from '../../contracts/userError';

const NO_SPACE = new Set(['ENOSPC', 'EDQUOT']);
const NOT_WRITABLE = new Set(['EACCES', 'EPERM', 'EROFS', 'ENOTDIR', 'ENOENT', 'EEXIST']);

const megabytes = (bytes: number) => `${Math.ceil(bytes / 1e6)} MB`;

export const diskFull = (folder: string, neededBytes: number, cause?: unknown) =>
  new UserError(
    'diskFull',
    `There is not enough room for the model weights in ${folder}: ${megabytes(neededBytes)} are needed.`,
    'Free some space and run again: what was fetched so far is kept.',
    { cause },
  );

export const fetchCancelled = () =>
  new UserError('cancelled', 'Fetching the model weights was cancelled.', 'What was fetched so far is kept.');

/** What a failed file operation in the cache means to a person; null for anything else. */
export function cacheError(error: unknown, folder: string, neededBytes: number): UserError | null {
  if (isUserError(error)) return error;
  const code = (error as NodeJS.ErrnoException | null)?.code ?? '';
  if (NO_SPACE.has(code)) return diskFull(folder, neededBytes, error);
  if (NOT_WRITABLE.has(code)) {
    return new UserError(
      'cacheNotWritable',
      `The model weights cannot be written to ${folder} (${code}).`,
      'Make that folder writable, or choose another cache folder.',
      { cause: error },
    );
  }
  return null;
}
