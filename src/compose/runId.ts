import { createHash } from 'node:crypto';

/** Sorts by time and names what was asked: `20261201-101502-3fa9c1`. */
export function runIdOf(startedMs: number, ...asked: (string | number)[]): string {
  const time = new Date(startedMs).toISOString().slice(0, 19).replaceAll(/[-:]/g, '').replace('T', '-');
  const hash = createHash('sha256').update([...asked, startedMs].join('\0'));
  return `${time}-${hash.digest('hex').slice(0, 6)}`;
}
