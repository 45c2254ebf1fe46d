import { access, constants, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { UserError } from '../contracts/userError';

/**
 * Before anything is asked: can the report be written where it is wanted?
 * @throws UserError `usage`
 */
export async function requireWritable(file: string | undefined, flag = '--report'): Promise<void> {
  if (file === undefined) return;
  const folder = path.dirname(path.resolve(file));
  try {
    const there = await stat(file).catch(() => null);
    if (there?.isDirectory() === true) throw new Error('it is a folder');
    await access(there === null ? folder : file, constants.W_OK);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const why =
      code === 'ENOENT'
        ? `there is no folder ${folder}`
        : code === 'EACCES'
          ? 'it may not be written'
          : message;
    throw new UserError(
      'usage',
      `${flag} ${file}: the report cannot be written there (${why}).`,
      'Name a file in a folder that exists and may be written. Nothing was asked yet.',
    );
  }
}

/** @throws UserError `cacheNotWritable`, which says that the run itself is kept */
export async function writeReport(file: string, text: string, runId: string): Promise<void> {
  try {
    await writeFile(file, text);
  } catch (error) {
    throw new UserError(
      'cacheNotWritable',
      `The report cannot be written to ${file}: ${(error as Error).message}`,
      `The run is kept: \`evenkeel report ${runId} --format html --output PATH\` writes it elsewhere.`,
      { cause: error },
    );
  }
}
