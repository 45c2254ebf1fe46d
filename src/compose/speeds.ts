/** Remembers how long earlier runs of each model took on this machine, so that the next plan can say how long it takes. */
import { createHash } from 'node:crypto';
import { mkdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import writeFileAtomic from 'write-file-atomic';
import { z } from 'zod';
import type { RunRecord } from '../contracts/runRecord';
import type { MeasuredRun } from '../engine/plan';

const KEPT_RUNS = 20;
const speedsSchema = z.record(
  z.string(),
  z.array(
    z.object({
      promptHash: z.string(),
      requests: z.int().positive(),
      answers: z.int().positive(),
      completionTokens: z.number().positive(),
      seconds: z.number().positive(),
    }),
  ),
);

export interface SpeedBook {
  /** Oldest first; empty before the first run, and where the book cannot be read. */
  runsOf(modelId: string): Promise<MeasuredRun[]>;
  /** Learns from a finished run. A run that cannot be written down is only missed in the next plan. */
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
    runsOf: async (modelId) => (await read())[modelId] ?? [],
    async learn(record) {
      const run = measuredRun(record);
      if (run === null) return;
      const book = await read();
      const runs = [...(book[record.model.id] ?? []), run].slice(-KEPT_RUNS);
      try {
        await mkdir(cacheDir, { recursive: true, mode: 0o700 });
        await writeFileAtomic(file, JSON.stringify({ ...book, [record.model.id]: runs }), { mode: 0o600 });
      } catch {
        // Read-only cache: the run itself has its own message for that.
      }
    },
  };
}

export const promptHashOf = (text: string): string =>
  createHash('sha256').update(text).digest('hex').slice(0, 16);

/** Requests that a number of conditions take: one each in process, one per answer elsewhere. */
export const requestsOf = (provider: string, conditions: number, samples: number): number =>
  provider === 'local' ? conditions : conditions * samples;

function measuredRun(record: RunRecord): MeasuredRun | null {
  const { completionTokens, phases } = record.actual;
  const seconds = phases['sampling'];
  // Answers that were kept took no time, and a batch takes as long as it waits.
  if (
    record.options.execution === 'batch' ||
    record.state !== 'complete' ||
    (record.actual.cached ?? 0) > 0 ||
    !completionTokens ||
    !(seconds && seconds > 0)
  )
    return null;
  return {
    promptHash: promptHashOf(record.prompt.text),
    requests: record.model.provider === 'local' ? record.conditions.length : record.samples.length,
    answers: record.samples.length,
    completionTokens,
    seconds,
  };
}
