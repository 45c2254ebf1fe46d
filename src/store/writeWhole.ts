import { mkdir, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import writeFileAtomic from 'write-file-atomic';
import { PRIVATE_DIR, PRIVATE_FILE } from './jsonLines';

/** A file that is there whole or not at all, in a folder that only the person reads. */
export async function writeWhole(file: string, text: string): Promise<void> {
  await mkdir(path.dirname(file), { recursive: true, mode: PRIVATE_DIR });
  await writeFileAtomic(file, text, { mode: PRIVATE_FILE });
  // The library does not notice a write that a full disk cut short.
  if ((await stat(file)).size !== Buffer.byteLength(text)) {
    await rm(file, { force: true });
    throw Object.assign(new Error('short write'), { code: 'ENOSPC' });
  }
}
