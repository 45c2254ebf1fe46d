/** Keeps a cache under its cap without reading it through each time: what is written is counted, and the truth looked up now and then. */
import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { writeWhole } from './writeWhole';

const DAY_MS = 24 * 3_600_000;
/** After so long even a cache that seems half empty is looked through. */
const LONGEST_DAYS = 30;
/** Room is made for a while, not for one more entry. */
const KEPT_SHARE = 0.9;
const bookSchema = z.object({ checkedAtMs: z.number(), bytes: z.number().min(0) });

export interface CacheCap {
  /** So much was written. */
  wrote(bytes: number): void;
  /** Evicts where the cap is passed, or may be and nobody has looked for a day. Never rejects: a cache that cannot be tidied is no failure. */
  keep(nowMs: number): Promise<void>;
}

/**
 * `folder` is the cache's; its book of what it holds lies beside it, shared by every process. Two that write at once may lose
 * each other's count: the daily look puts that right.
 * @param evict brings the cache under `maxBytes` and says what is left
 */
export function createCacheCap(deps: {
  folder: string;
  maxBytes: number;
  evict: (limits: { maxBytes: number; nowMs: number }) => Promise<{ leftBytes: number }>;
}): CacheCap {
  const { folder, maxBytes, evict } = deps;
  const book = `${folder}.size.json`;
  let written = 0;
  let keeping: Promise<void> | null = null;
  const keep = async (nowMs: number) => {
    const known = await readFile(book, 'utf8')
      .then((text) => bookSchema.parse(JSON.parse(text)))
      .catch(() => null);
    const bytes = (known?.bytes ?? 0) + written;
    const days = known === null ? Number.POSITIVE_INFINITY : Math.abs(nowMs - known.checkedAtMs) / DAY_MS;
    const due = days > LONGEST_DAYS || (days > 1 && bytes > maxBytes / 2);
    if (!due && written === 0) return;
    written = 0;
    if (!due && bytes <= maxBytes) {
      await writeWhole(book, JSON.stringify({ ...known, bytes }));
      return;
    }
    const over = bytes > maxBytes ? maxBytes * KEPT_SHARE : maxBytes;
    const { leftBytes } = await evict({ maxBytes: over, nowMs });
    await writeWhole(book, JSON.stringify({ checkedAtMs: nowMs, bytes: leftBytes }));
  };
  return {
    wrote: (bytes) => void (written += bytes),
    keep: (nowMs) =>
      (keeping ??= keep(nowMs)
        .catch(() => undefined)
        .finally(() => {
          keeping = null;
        })),
  };
}
