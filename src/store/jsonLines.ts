/** Files that grow by one JSON value a line while a run goes on. */
import { open, readFile, type FileHandle } from 'node:fs/promises';
import type { ZodType } from 'zod';

export const PRIVATE_DIR = 0o700;
export const PRIVATE_FILE = 0o600;

export interface LineWriter<T> {
  append(value: T): Promise<void>;
  close(): Promise<void>;
}

/**
 * Appends to one file, many callers at once: whatever waits while a write is under way goes out together with the next
 * one, so that a sync is paid for per batch and not per line.
 */
export async function openLineWriter<T>(file: string): Promise<LineWriter<T>> {
  const handle = await open(file, 'a', PRIVATE_FILE);
  await endTornLine(handle, file);
  let waiting: { line: string; resolve: () => void; reject: (error: unknown) => void }[] = [];
  let writing: Promise<void> | null = null;
  /** A write failed: it may have left half a line. */
  let torn = false;
  const drain = async () => {
    while (waiting.length > 0) {
      const batch = waiting;
      waiting = [];
      try {
        await handle.appendFile((torn ? '\n' : '') + batch.map(({ line }) => line).join(''));
        torn = false;
        await handle.sync();
        for (const { resolve } of batch) resolve();
      } catch (error) {
        torn = true;
        for (const { reject } of batch) reject(error);
      }
    }
    writing = null;
  };
  return {
    append: (value) =>
      new Promise((resolve, reject) => {
        waiting.push({ line: `${JSON.stringify(value)}\n`, resolve, reject });
        writing ??= drain();
      }),
    close: async () => {
      await writing;
      await handle.close();
    },
  };
}

/** A process that died in mid-write leaves half a line; the next line must not be glued to it. */
async function endTornLine(handle: FileHandle, file: string): Promise<void> {
  const { size } = await handle.stat();
  if (size === 0) return;
  const reader = await open(file, 'r');
  try {
    const { buffer } = await reader.read(Buffer.alloc(1), 0, 1, size - 1);
    if (buffer[0] !== 0x0a) await handle.appendFile('\n');
  } finally {
    await reader.close();
  }
}

/** Values of a file in the order in which they were written; none where there is no file. */
export async function readLines<T>(file: string, schema: ZodType<T>): Promise<T[]> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '';
    throw error;
  });
  return text.split('\n').flatMap((line) => {
    try {
      return [schema.parse(JSON.parse(line))];
    } catch {
      // The torn line of a crash: that value was never reported as kept.
      return [];
    }
  });
}
