import os from 'node:os';
import path from 'node:path';
import { UserError } from '../contracts/userError';

/** The person's cache folder for Evenkeel: weights, kept runs, speeds. EVENKEEL_CACHE and XDG_CACHE_HOME are honoured. @throws UserError `cacheNotWritable` without any home */
export function cacheDirOf(env: NodeJS.ProcessEnv, platform: NodeJS.Platform = process.platform): string {
  if (env['EVENKEEL_CACHE']) return path.resolve(env['EVENKEEL_CACHE']);
  // The standard wants a relative path to be ignored: it would put private prompts into whatever folder is open.
  const xdg = env['XDG_CACHE_HOME'];
  if (xdg && path.isAbsolute(xdg)) return path.join(xdg, 'evenkeel');
  const home = [env['HOME'], env['USERPROFILE'], homeOfUser()].find((dir) => dir && path.isAbsolute(dir));
  if (!home)
    throw new UserError(
      'cacheNotWritable',
      'There is no home folder in which runs and models can be kept.',
      'Set EVENKEEL_CACHE to a folder of your own.',
    );
  if (platform === 'darwin') return path.join(home, 'Library', 'Caches', 'evenkeel');
  if (platform === 'win32')
    return path.join(env['LOCALAPPDATA'] ?? path.join(home, 'AppData', 'Local'), 'evenkeel', 'Cache');
  return path.join(home, '.cache', 'evenkeel');
}

/** Null for a user that the system does not know, as in some containers. */
function homeOfUser(): string | null {
  try {
    return os.userInfo().homedir;
  } catch {
    return null;
  }
}
