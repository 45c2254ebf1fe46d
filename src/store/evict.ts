/** Takes the oldest entries out of a cacache folder. Memory: 16 bytes an entry, whatever they hold. */
import cacache from 'cacache';

/** Files lie in blocks; an entry is two of them, its content and its place in the index. */
const BLOCK_BYTES = 4_096;

export interface Entry {
  key: string;
  integrity: string;
  time: number;
  size: number;
  metadata: unknown;
}

/** What an entry takes on the disk. */
export const onDiskBytes = ({ size }: Pick<Entry, 'size'>): number =>
  (Math.ceil(size / BLOCK_BYTES) + 1) * BLOCK_BYTES;

/** Calls `each` with every entry, as it is read; none where there is no folder. */
export function eachEntry(folder: string, each: (entry: Entry) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    const stream = cacache.ls.stream(folder) as NodeJS.ReadableStream;
    stream
      .on('data', (entry: Entry) => each(entry))
      .on('error', (error: NodeJS.ErrnoException) =>
        error.code === 'ENOENT' || error.code === 'ENOTDIR' ? resolve() : reject(error),
      )
      .on('end', resolve);
  });
}

/**
 * Removes entries older than `olderThanMs`, then the oldest until at most `maxBytes` of the disk are left. Entries that
 * `mayGo` refuses are neither removed nor counted. Safe while others read and write: what is gone is a miss to them.
 * Cost: the index is read, twice where something is removed.
 */
export async function evictOldest(
  folder: string,
  limits: { olderThanMs?: number; maxBytes?: number; nowMs: number },
  mayGo: (entry: Entry) => boolean = () => true,
): Promise<{ removed: number; freedBytes: number; leftBytes: number }> {
  const { olderThanMs = Number.POSITIVE_INFINITY, maxBytes = Number.POSITIVE_INFINITY, nowMs } = limits;
  const times: number[] = [];
  const sizes: number[] = [];
  let left = 0;
  await eachEntry(folder, (entry) => {
    if (!mayGo(entry)) return;
    times.push(entry.time);
    sizes.push(onDiskBytes(entry));
    left += sizes.at(-1)!;
  });
  const oldestFirst = Uint32Array.from(times.keys()).sort((a, b) => times[a]! - times[b]!);
  // Everything before this goes, and of this very millisecond so many.
  let cutMs = Number.NEGATIVE_INFINITY;
  let ofCut = 0;
  for (const i of oldestFirst) {
    if (nowMs - times[i]! <= olderThanMs && left <= maxBytes) break;
    left -= sizes[i]!;
    ofCut = times[i] === cutMs ? ofCut + 1 : 1;
    cutMs = times[i]!;
  }
  const result = { removed: 0, freedBytes: 0, leftBytes: left };
  if (ofCut === 0) return result;
  let going: Entry[] = [];
  const removeAll = async () => {
    const now = going;
    going = [];
    for (const { key, integrity } of now) {
      await cacache.rm.content(folder, integrity);
      await removeEntry(folder, key, { removeFully: true });
    }
  };
  const found: Promise<void>[] = [];
  await eachEntry(folder, (entry) => {
    if (!mayGo(entry) || entry.time > cutMs) return;
    if (entry.time === cutMs && ofCut-- <= 0) return;
    result.removed += 1;
    result.freedBytes += onDiskBytes(entry);
    going.push(entry);
    if (going.length >= REMOVED_TOGETHER) found.push(removeAll());
  });
  found.push(removeAll());
  await Promise.all(found);
  return result;
}

const REMOVED_TOGETHER = 256;

/** With its file; the types do not know the option. */
const removeEntry = cacache.rm.entry as (
  folder: string,
  key: string,
  options: { removeFully: boolean },
) => Promise<unknown>;
