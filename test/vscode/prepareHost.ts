import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { ensureVscodeHost, vscodeHost, type VscodeHost } from '../../scripts/setup/vscodeHost';
import { ARTEFACTS } from './runInHost';

const root = path.resolve(import.meta.dirname, '../..');

export interface PreparedWorkspace {
  vsix: string;
  /** A fresh copy of test/vscode/workspace. */
  workspace: string;
  /** The person's cache is this run's own; only the models are shared. */
  env: Record<string, string>;
  cacheDir: string;
  settings: Record<string, unknown>;
}
export interface PreparedHost extends PreparedWorkspace {
  host: VscodeHost;
}

/** What a test of the editor starts from; a reason where this machine cannot run it (in CI that is an error). */
export async function prepareHost(name: string): Promise<PreparedHost | { missing: string }> {
  const missing = await ensureVscodeHost();
  const prepared = missing === null ? prepareWorkspace(name) : { missing };
  if (!('missing' in prepared)) return { ...prepared, host: vscodeHost() };
  if (process.env['CI'] !== undefined) throw new Error(prepared.missing);
  return prepared;
}

export function prepareWorkspace(name: string): PreparedWorkspace | { missing: string } {
  const { version } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as {
    version: string;
  };
  const vsix = path.join(root, `evenkeel-linux-x64-${version}.vsix`);
  if (!existsSync(vsix)) return { missing: 'no VSIX: npm run build && npm run package' };

  const dir = path.join(ARTEFACTS, name);
  rmSync(dir, { recursive: true, force: true });
  const workspace = path.join(dir, 'workspace');
  cpSync(path.join(import.meta.dirname, 'workspace'), workspace, { recursive: true });

  const cacheHome = path.join(dir, 'cache');
  const cacheDir = path.join(cacheHome, 'evenkeel');
  mkdirSync(cacheDir, { recursive: true });
  const models = path.join(
    process.env['XDG_CACHE_HOME'] ?? path.join(homedir(), '.cache'),
    'evenkeel/models',
  );
  if (existsSync(models)) symlinkSync(models, path.join(cacheDir, 'models'));
  return { vsix, workspace, cacheDir, env: { XDG_CACHE_HOME: cacheHome }, settings: {} };
}
