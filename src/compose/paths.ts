import os from 'node:os';
import path from 'node:path';

/** The person's cache folder for Evenkeel: weights, kept runs, speeds. EVENKEEL_CACHE and XDG_CACHE_HOME are honoured. */
export function cacheDirOf(env: NodeJS.ProcessEnv, platform: NodeJS.Platform = process.platform): string {
  if (env['EVENKEEL_CACHE']) return path.resolve(env['EVENKEEL_CACHE']);
  if (env['XDG_CACHE_HOME']) return path.join(env['XDG_CACHE_HOME'], 'evenkeel');
  const home = env['HOME'] ?? env['USERPROFILE'] ?? os.homedir();
  if (platform === 'darwin') return path.join(home, 'Library', 'Caches', 'evenkeel');
  if (platform === 'win32')
    return path.join(env['LOCALAPPDATA'] ?? path.join(home, 'AppData', 'Local'), 'evenkeel', 'Cache');
  return path.join(home, '.cache', 'evenkeel');
}
