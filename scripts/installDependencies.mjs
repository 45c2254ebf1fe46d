import { spawnSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import path from 'node:path';

const MINIMUM_NODE = [20, 12];

/** Runs `npm ci` when node_modules is missing or older than the lock file. Ends the process when it cannot. */
export function installDependencies(root) {
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major < MINIMUM_NODE[0] || (major === MINIMUM_NODE[0] && minor < MINIMUM_NODE[1])) {
    console.error(
      `error  Node ${process.versions.node} is too old.\nnext   Install Node ${MINIMUM_NODE.join('.')} or newer.`,
    );
    process.exit(2);
  }
  const mark = path.join(root, 'node_modules', '.package-lock.json');
  const lock = path.join(root, 'package-lock.json');
  if (existsSync(mark) && statSync(mark).mtimeMs >= statSync(lock).mtimeMs - 1000) return;
  console.error('Installing the dependencies (npm ci) …');
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
  const result = spawnSync(npm, ['ci', '--no-audit', '--no-fund'], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
    shell: process.platform === 'win32',
  });
  if (result.status !== 0) {
    console.error(
      'error  The dependencies could not be installed.\nnext   Run `npm ci` and read what it says.',
    );
    process.exit(1);
  }
}
