/**
 * Answers by content under `<cacheDir>/answers`, over cacache: every entry carries its checksum and is written whole, so many
 * processes can share the folder, and a process that is killed leaves an entry or none.
 */
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import cacache from 'cacache';
import PQueue from 'p-queue';
import { z } from 'zod';
import {
  modelIdentitySchema,
  outcomeSchema,
  tokenProbabilitySchema,
  type ModelIdentity,
} from '../contracts/runRecord';
import type { Reply, SampleCache } from '../engine/ports';
import { createCacheCap } from './cacheCap';
import { eachEntry, evictOldest, onDiskBytes } from './evict';
import { PRIVATE_DIR } from './jsonLines';

const replySchema = z.object({
  seed: z.int().min(0),
  outcome: outcomeSchema,
  text: z.string(),
  thinking: z.string().optional(),
  finishReason: z.string().nullable(),
  promptTokens: z.int().min(0).nullable(),
  completionTokens: z.int().min(0).nullable(),
  latencyMs: z.number().min(0),
  startedAtMs: z.number(),
  drawn: z.object({ seed: z.int().min(0), choice: z.int().min(0) }).optional(),
  firstToken: z.array(tokenProbabilitySchema).optional(),
  fingerprint: z.string().optional(),
});

export interface CacheSummary {
  path: string;
  entries: number;
  bytes: number;
  byModel: { modelId: string; entries: number; bytes: number; oldestMs: number; newestMs: number }[];
}

export interface KeptAnswers extends SampleCache {
  summary(): Promise<CacheSummary>;
  /** Reads every entry; damaged ones are dropped. Safe while others read and write. */
  verify(): Promise<{ dropped: number; freedBytes: number }>;
  /** Removes entries older than `olderThanMs`, then the oldest until at most `maxBytes` are left. */
  prune(limits: PruneLimits): Promise<{ removed: number; freedBytes: number }>;
  /** Evicts the oldest answers where the cap is passed. Cheap where it is not; never rejects. Kept runs hold their own answers. */
  keepUnderCap(nowMs: number): Promise<void>;
}

export interface PruneLimits {
  olderThanMs?: number;
  /** As it lies on the disk. */
  maxBytes?: number;
  nowMs: number;
}

/** Half a million short answers lie in 4 GB: each takes two blocks of the disk. */
export const CACHE_MAX_BYTES = 2_000_000_000;
/** More writes at once would run into the number of open files. */
const MOST_WRITES = 64;

const DAMAGED = new Set(['EINTEGRITY', 'EBADSIZE']);

/** Kept answers under `cacheDir`, which is created when missing. A full disk or a read-only folder never stops a run. */
export function createSampleCache(deps: { cacheDir: string; maxBytes?: number }): KeptAnswers {
  const folder = path.join(deps.cacheDir, 'answers');
  const writes = new PQueue({ concurrency: MOST_WRITES });
  const prune = (limits: PruneLimits) =>
    evictOldest(folder, limits, ({ metadata }) => modelOf(metadata) !== null);
  const cap = createCacheCap({ folder, maxBytes: deps.maxBytes ?? CACHE_MAX_BYTES, evict: prune });
  const made = () => mkdir(folder, { recursive: true, mode: PRIVATE_DIR });

  async function read<T>(key: string, schema: z.ZodType<T>): Promise<T | null> {
    let text: string;
    try {
      text = (await cacache.get(folder, key)).data.toString('utf8');
    } catch (error) {
      // A passing failure (too many open files) is no reason to lose an answer; a wrong checksum or size is.
      const { code = '' } = error as NodeJS.ErrnoException;
      if (DAMAGED.has(code)) await drop(key).catch(() => undefined);
      return null;
    }
    try {
      return schema.parse(JSON.parse(text));
    } catch {
      // Of another version.
      await drop(key).catch(() => undefined);
      return null;
    }
  }

  /** The content as well: cacache takes what is there for whole when the same is kept anew. */
  async function drop(key: string): Promise<void> {
    const info = await cacache.get.info(folder, key);
    if (info !== null) await cacache.rm.content(folder, info.integrity);
    await cacache.rm.entry(folder, key);
  }

  async function write(key: string, value: unknown, metadata: object): Promise<string | null> {
    try {
      const text = JSON.stringify(value);
      await writes.add(async () => {
        await made();
        await cacache.put(folder, key, text, { metadata });
      });
      cap.wrote(onDiskBytes({ size: Buffer.byteLength(text) }));
      return null;
    } catch (error) {
      const why = (error as NodeJS.ErrnoException).code ?? String(error);
      return `Answers cannot be kept for later runs in ${folder} (${why}). This run goes on without.`;
    }
  }

  return {
    get: (key) => read<Reply>(key, replySchema as unknown as z.ZodType<Reply>),
    put: (key, { cached: _, error: __, ...reply }, modelId) => write(key, reply, { modelId }),
    getIdentity: (key) => read<ModelIdentity>(key, modelIdentitySchema),
    async putIdentity(key, identity) {
      await write(key, identity, {});
    },

    async summary() {
      const byModel = new Map<string, CacheSummary['byModel'][number]>();
      let bytes = 0;
      let count = 0;
      await eachEntry(folder, (entry) => {
        const size = onDiskBytes(entry);
        const { time } = entry;
        bytes += size;
        const modelId = modelOf(entry.metadata);
        if (modelId === null) return;
        count++;
        const of = byModel.get(modelId) ?? { modelId, entries: 0, bytes: 0, oldestMs: time, newestMs: time };
        of.entries++;
        of.bytes += size;
        of.oldestMs = Math.min(of.oldestMs, time);
        of.newestMs = Math.max(of.newestMs, time);
        byModel.set(modelId, of);
      });
      return {
        path: folder,
        entries: count,
        bytes,
        byModel: [...byModel.values()].sort((a, b) => b.bytes - a.bytes),
      };
    },

    // Entry by entry, and not cacache's own verify: that one takes away what another process has just begun to keep.
    async verify() {
      const listed: { key: string; answer: boolean; bytes: number }[] = [];
      await eachEntry(folder, (entry) =>
        listed.push({ key: entry.key, answer: modelOf(entry.metadata) !== null, bytes: onDiskBytes(entry) }),
      );
      let dropped = 0;
      let freedBytes = 0;
      for (const { key, answer, bytes } of listed) {
        const whole = answer ? await this.get(key) : await this.getIdentity(key);
        if (whole !== null) continue;
        dropped++;
        freedBytes += bytes;
      }
      return { dropped, freedBytes };
    },

    async prune(limits) {
      const { removed, freedBytes } = await prune(limits);
      return { removed, freedBytes };
    },
    keepUnderCap: (nowMs) => cap.keep(nowMs),
  };
}

const modelOf = (metadata: unknown): string | null => {
  const parsed = z.object({ modelId: z.string() }).safeParse(metadata);
  return parsed.success ? parsed.data.modelId : null;
};
