/** Remembers what was found out about each model on each server: how many requests suit it, whether `n` works. */
import { mkdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import writeFileAtomic from 'write-file-atomic';
import { z } from 'zod';
import { nothingKnown, type ServerMemory } from '../providers/serverMemory';

const bookSchema = z.record(
  z.string(),
  z.object({ concurrency: z.int().positive().nullable(), severalAnswers: z.boolean().nullable() }),
);

/** The memory of one model on one server. A book that cannot be read or written is only missed. */
export function openServerBook(cacheDir: string, baseUrl: string, model: string): ServerMemory {
  const file = path.join(cacheDir, 'servers.json');
  const key = `${baseUrl} ${model}`;
  const read = async () => {
    try {
      return bookSchema.parse(JSON.parse(await readFile(file, 'utf8')));
    } catch {
      return {};
    }
  };
  return {
    recall: async () => (await read())[key] ?? nothingKnown(),
    async learn(facts) {
      try {
        const book = { ...(await read()), [key]: facts };
        await mkdir(cacheDir, { recursive: true, mode: 0o700 });
        await writeFileAtomic(file, JSON.stringify(book), { mode: 0o600 });
      } catch {
        // Read-only cache: the run itself has its own message for that.
      }
    },
  };
}
