import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';

const execute = promisify(execFile);
const NPM = process.platform === 'win32' ? 'npm.cmd' : 'npm';

interface LockedPackage {
  version: string;
  integrity: string;
}

/** What package-lock.json says of a package. */
export function lockedPackage(root: string, name: string): LockedPackage {
  const lock = JSON.parse(readFileSync(path.join(root, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, LockedPackage | undefined>;
  };
  const locked = lock.packages[`node_modules/${name}`];
  if (locked === undefined) throw new Error(`package-lock.json does not name ${name}`);
  return locked;
}

/**
 * The folder of a package that this machine may not be made for: from node_modules, or else fetched by npm into `into`
 * and held against the checksum of package-lock.json. No script of it runs.
 */
export async function binaryPackage(root: string, name: string, into: string): Promise<string> {
  const installed = path.join(root, 'node_modules', name);
  if (existsSync(installed)) return installed;
  const { version, integrity } = lockedPackage(root, name);
  mkdirSync(into, { recursive: true });
  const options = { cwd: into, shell: process.platform === 'win32', maxBuffer: 1 << 26 };
  const { stdout } = await execute(NPM, ['pack', `${name}@${version}`, '--json'], options);
  const packed = (JSON.parse(stdout) as { filename: string; integrity: string }[])[0];
  if (packed?.integrity !== integrity) {
    throw new Error(
      `${name}@${version} has the checksum ${packed?.integrity}, package-lock.json says ${integrity}`,
    );
  }
  const file = path.join(into, path.basename(packed.filename.replace('/', '-').replace(/^@/, '')));
  // --force: npm else refuses what is made for another platform.
  await execute(
    NPM,
    ['install', file, '--prefix', into, '--force', '--ignore-scripts', '--no-save', '--no-package-lock'],
    options,
  );
  return path.join(into, 'node_modules', name);
}
