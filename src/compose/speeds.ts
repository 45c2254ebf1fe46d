/** Remembers how fast each model was on this machine, so that the next plan can say how long it takes. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import writeFileAtomic from 'write-file-atomic';
import { z } from 'zod';
import type { RunRecord } from '../contracts/runRecord';
import type { MeasuredSpeed } from '../engine/plan';

const speedsSchema = z.record(
  z.string(),
  z.object({
    completionTokensPerSecond: z.number().positive(),
    meanCompletionTokens: z.number().positive(),
  }),
);

export interface SpeedBook {
  of(modelId: string): Promise<MeasuredSpeed | null>;
  /** Learns from a finished run. A speed that cannot be written is only missed in the next plan. */
  learn(record: RunRecord): Promise<void>;
}

export function createSpeedBook(cacheDir: string): SpeedBook {
  const file = path.join(cacheDir, 'speeds.json');
  const read = async () => {
    try {
      return speedsSchema.parse(JSON.parse(await readFile(file, 'utf8')));
    } catch {
      return {};
    }
  };
  return {
    of: async (modelId) => (await read())[modelId] ?? null,
    async learn(record) {
      const speed = measureSpeed(record);
      if (speed === null) return;
      try {
        await writeFileAtomic(file, JSON.stringify({ ...(await read()), [record.model.id]: speed }, null, 1));
      } catch {
        // Read-only cache: the run itself has its own message for that.
      }
    },
  };
}

/** Wall time of the sampling phase against what it produced; reading the prompts is inside. */
export function measureSpeed(record: RunRecord): MeasuredSpeed | null {
  const tokens = record.actual.completionTokens;
  const seconds = record.actual.phases['sampling'];
  if (tokens === null || tokens === 0 || seconds === undefined || seconds <= 0) return null;
  return {
    completionTokensPerSecond: tokens / seconds,
    meanCompletionTokens: Math.max(1, tokens / record.samples.length),
  };
}
