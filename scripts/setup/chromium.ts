import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

const CANDIDATES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** Where the browser of the page tests is; null when there is none. CHROMIUM_PATH names another. */
export function chromiumPath(): string | null {
  const named = process.env['CHROMIUM_PATH'];
  return [...(named === undefined ? [] : [named]), ...CANDIDATES].find((file) => existsSync(file)) ?? null;
}

/** Installs Debian's Chromium where that is possible. Resolves to null, or to why there is no browser. */
export async function ensureChromium(): Promise<string | null> {
  if (chromiumPath() !== null) return null;
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) {
    return 'not installed; install Chromium or set CHROMIUM_PATH';
  }
  const options = {
    stdio: ['ignore', 'ignore', 'inherit'] as const,
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  };
  spawnSync('apt-get', ['update', '-qq'], { ...options, stdio: ['ignore', 'ignore', 'inherit'] });
  spawnSync('apt-get', ['install', '-y', '-qq', '--no-install-recommends', 'chromium'], {
    ...options,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  return chromiumPath() === null ? 'apt-get could not install chromium' : null;
}
