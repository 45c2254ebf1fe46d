import path from 'node:path';
import { UserError } from '../contracts/userError';

/** Folder of a run. @throws UserError `usage`: ids come from command lines too, and one must not name a path outside. */
export function runDirOf(cacheDir: string, runId: string): string {
  if (!/^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/.test(runId))
    throw new UserError('usage', 'This is not the id of a run.', 'Choose one that the history lists.');
  return path.join(cacheDir, 'runs', runId);
}
