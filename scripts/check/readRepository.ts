import { execFileSync } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import type { RepositoryFile } from './textGuards';

const MAX_TEXT_BYTES = 4_000_000;

/** What git tracks in this folder, and what it would track with `git add`; deleted files left out. */
export function readRepository(folder: string): RepositoryFile[] {
  const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: folder,
    encoding: 'utf8',
    maxBuffer: 64_000_000,
  });
  return [...new Set(listed.split('\0'))].flatMap((file) => {
    const stat = file === '' ? undefined : statSync(path.join(folder, file), { throwIfNoEntry: false });
    if (stat === undefined || !stat.isFile()) return [];
    if (stat.size > MAX_TEXT_BYTES) return [{ path: file, text: null }];
    const bytes = readFileSync(path.join(folder, file));
    return [{ path: file, text: bytes.subarray(0, 8000).includes(0) ? null : bytes.toString('utf8') }];
  });
}
