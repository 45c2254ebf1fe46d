import { randomBytes } from 'node:crypto';

/** Sorts by time, and differs also between equal runs of the same instant: `20261201-101502-3fa9c1d2`. */
export function runIdOf(startedMs: number): string {
  const time = new Date(startedMs).toISOString().slice(0, 19).replaceAll(/[-:]/g, '').replace('T', '-');
  return `${time}-${randomBytes(4).toString('hex')}`;
}
