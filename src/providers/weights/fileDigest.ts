/** SHA-256 of large files, remembered so that each is read only once. */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import writeFileAtomic from 'write-file-atomic';
import { z } from 'zod';

const rememberedSchema = z.record(
  z.string(),
  z.object({ sizeBytes: z.number(), mtimeMs: z.number(), sha256: z.string() }),
);

/** Hexadecimal SHA-256; about half a second per 500 MB. */
export async function sha256OfFile(file: string, signal?: AbortSignal): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file, { highWaterMark: 1 << 20 }), hash, { signal });
  return hash.digest('hex');
}

async function readRemembered(file: string): Promise<z.infer<typeof rememberedSchema>> {
  try {
    return rememberedSchema.parse(JSON.parse(await readFile(file, 'utf8')));
  } catch {
    // Missing or damaged: it is only a shortcut.
    return {};
  }
}

/**
 * SHA-256 of `file`, from `<folder>/digests.json` when size and modification time are as they were.
 * Errors of reading `file` pass through.
 */
export async function rememberedDigest(file: string, folder: string, signal?: AbortSignal): Promise<string> {
  const key = path.resolve(file);
  const { size: sizeBytes, mtimeMs } = await stat(key);
  const sidecar = path.join(folder, 'digests.json');
  const remembered = await readRemembered(sidecar);
  const known = remembered[key];
  if (known?.sizeBytes === sizeBytes && known.mtimeMs === mtimeMs) return known.sha256;
  const sha256 = await sha256OfFile(key, signal);
  remembered[key] = { sizeBytes, mtimeMs, sha256 };
  // A cache that cannot be written costs time, not the answer.
  await writeFileAtomic(sidecar, JSON.stringify(remembered, null, 2), { mode: 0o600 }).catch(() => undefined);
  return sha256;
}
