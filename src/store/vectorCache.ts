/** Vectors of answers under `<cacheDir>/vectors`, over cacache, so that the encoder need not be loaded for known texts. */
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import cacache from 'cacache';
import PQueue from 'p-queue';
import type { VectorCache } from '../engine/ports';
import { createCacheCap, type CacheCap } from './cacheCap';
import { evictOldest, onDiskBytes } from './evict';
import { PRIVATE_DIR } from './jsonLines';

/** Unknown share (float64) and the truncated flag (float64, 0 or 1), then the vector (float32). */
const HEAD_BYTES = 16;

const VECTORS_MAX_BYTES = 500_000_000;
/** More writes at once would run into the number of open files. */
const MOST_WRITES = 64;

/** Never rejects: a vector that cannot be read or kept is computed again. */
export function createVectorCache(deps: {
  cacheDir: string;
  maxBytes?: number;
}): VectorCache & Pick<CacheCap, 'keep'> {
  const folder = path.join(deps.cacheDir, 'vectors');
  const cap = createCacheCap({
    folder,
    maxBytes: deps.maxBytes ?? VECTORS_MAX_BYTES,
    evict: (limits) => evictOldest(folder, limits),
  });
  const writes = new PQueue({ concurrency: MOST_WRITES });
  return {
    keep: cap.keep,
    async get(key) {
      const data = await cacache.get(folder, key).then(
        (entry) => entry.data,
        () => null,
      );
      if (data === null || data.length <= HEAD_BYTES || (data.length - HEAD_BYTES) % 4 !== 0) return null;
      const bytes = Uint8Array.from(data).buffer;
      return {
        vector: new Float32Array(bytes, HEAD_BYTES),
        unknown: new Float64Array(bytes, 0, 1)[0]!,
        truncated: new Float64Array(bytes, 8, 1)[0] === 1,
      };
    },
    async put(key, { vector, unknown, truncated }) {
      const bytes = new Uint8Array(HEAD_BYTES + vector.byteLength);
      new Float64Array(bytes.buffer, 0, 2).set([unknown, truncated ? 1 : 0]);
      new Float32Array(bytes.buffer, HEAD_BYTES).set(vector);
      await writes
        .add(async () => {
          await mkdir(folder, { recursive: true, mode: PRIVATE_DIR });
          await cacache.put(folder, key, Buffer.from(bytes.buffer));
          cap.wrote(onDiskBytes({ size: bytes.length }));
        })
        .catch(() => undefined);
    },
  };
}
