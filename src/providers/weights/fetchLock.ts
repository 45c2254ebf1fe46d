/** Lets one process at a time fetch a file; the others wait for it. */
import { open, rm, stat, utimes } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';

const HEARTBEAT_MS = 2_000;
/** A lock without a heartbeat for so long belonged to a process that is gone. */
const STALE_MS = 15_000;
const POLL_MS = 300;

async function tryCreate(lockPath: string): Promise<boolean> {
  try {
    const handle = await open(lockPath, 'wx', 0o600);
    await handle.writeFile(String(process.pid));
    await handle.close();
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

/**
 * Runs `work` while holding `lockPath`. Should two processes take over one stale lock at the same instant, the
 * checksum and the atomic rename at the end of a fetch still keep damaged files out.
 * @param onWait called at every look at a lock that another process holds
 */
export async function withFetchLock<T>(
  lockPath: string,
  { signal, onWait, staleMs = STALE_MS }: { signal: AbortSignal; onWait: () => void; staleMs?: number },
  work: () => Promise<T>,
): Promise<T> {
  while (!(await tryCreate(lockPath))) {
    const held = await stat(lockPath).catch(() => null);
    // Either way: the clock may have been set back since its owner died.
    if (held !== null && Math.abs(Date.now() - held.mtimeMs) > staleMs) {
      await rm(lockPath, { force: true });
      continue;
    }
    onWait();
    await sleep(POLL_MS, undefined, { signal });
  }
  const heartbeat = setInterval(() => {
    const now = new Date();
    void utimes(lockPath, now, now).catch(() => undefined);
  }, HEARTBEAT_MS);
  try {
    return await work();
  } finally {
    clearInterval(heartbeat);
    await rm(lockPath, { force: true });
  }
}
