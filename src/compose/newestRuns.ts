import type { RunRecord } from '../contracts/runRecord';
import type { RunStore } from '../engine/ports';

/** Kept runs that a history looks at; a large run takes tens of milliseconds to read. */
const MOST = 40;

/** The newest kept runs that can be read. */
export async function newestRuns(runs: Pick<RunStore, 'list' | 'read'>): Promise<RunRecord[]> {
  const newest = (await runs.list()).slice(0, MOST);
  const read = await Promise.all(newest.map(({ id }) => runs.read(id).catch(() => null)));
  return read.flatMap((record) => (record === null ? [] : [record]));
}
