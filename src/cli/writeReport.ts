import { writeFile } from 'node:fs/promises';
import { UserError } from '../contracts/userError';

/** @throws UserError `cacheNotWritable`, which says that the run itself is kept */
export async function writeReport(path: string, text: string, runId: string): Promise<void> {
  try {
    await writeFile(path, text);
  } catch (error) {
    throw new UserError(
      'cacheNotWritable',
      `The report cannot be written to ${path}: ${(error as Error).message}`,
      `The run is kept: \`evenkeel report ${runId} --format html --output PATH\` writes it elsewhere.`,
      { cause: error },
    );
  }
}
