/**
 * Flips runs on disk, beside the others: `<cacheDir>/runs/<id>/plan.json` before the first call, `reasoning.jsonl` (where
 * reasoning is perturbed) and `answers.jsonl` grow, `record.json` appears whole at the end. A run without a record, or with a cancelled one, can go on.
 */
import { mkdir, readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import {
  flipsAnswerSchema,
  flipsPlanSchema,
  flipsReasonedSchema,
  flipsRecordSchema,
  type FlipsAnswer,
  type FlipsPlan,
  type FlipsReasoned,
} from '../contracts/flipsRecord';
import { modelIdentitySchema } from '../contracts/runRecord';
import { UserError } from '../contracts/userError';
import type { FlipsStore } from '../engine/ports';
import { damaged, diskError } from './diskErrors';
import { openLineWriter, PRIVATE_DIR, readLines, type LineWriter } from './jsonLines';
import { runDirOf } from './runDir';
import { writeWhole } from './writeWhole';

const begunSchema = z.object({ plan: flipsPlanSchema, model: modelIdentitySchema });
const listedSchema = flipsRecordSchema.pick({ id: true, finishedAt: true, kind: true });
type Begun = z.infer<typeof begunSchema>;
const ANSWERS = 'answers.jsonl';
const REASONING = 'reasoning.jsonl';

/** Errors are UserErrors: diskFull, cacheNotWritable, storeDamaged, fileNotFound. */
export function createFlipsStore(deps: { cacheDir: string }): FlipsStore {
  const { cacheDir } = deps;
  const writers = new Map<string, Promise<LineWriter<FlipsAnswer | FlipsReasoned>>>();
  const fileOf = (runId: string, name: string) => path.join(runDirOf(cacheDir, runId), name);

  const onDisk = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (error) {
      throw diskError(error, cacheDir);
    }
  };

  function writerOf(runId: string, name: string): Promise<LineWriter<FlipsAnswer | FlipsReasoned>> {
    const file = fileOf(runId, name);
    let writer = writers.get(file);
    if (!writer) {
      writer = mkdir(runDirOf(cacheDir, runId), { recursive: true, mode: PRIVATE_DIR }).then(() =>
        openLineWriter<FlipsAnswer | FlipsReasoned>(file),
      );
      writers.set(file, writer);
      writer.catch(() => writers.delete(file));
    }
    return writer;
  }

  async function readBegun(runId: string): Promise<Begun | null> {
    return readJson(fileOf(runId, 'plan.json'), begunSchema);
  }

  return {
    begin: (plan: FlipsPlan, model) =>
      onDisk(async () => {
        const before = await readBegun(plan.id);
        if (before === null)
          await writeWhole(fileOf(plan.id, 'plan.json'), `${JSON.stringify({ plan, model })}\n`);
        // Opened before they are read: what a crash left half written ends there.
        await writerOf(plan.id, ANSWERS);
        if (plan.reasoning !== undefined) await writerOf(plan.id, REASONING);
        const answers = await readLines(fileOf(plan.id, ANSWERS), flipsAnswerSchema);
        const reasoned = await readLines(fileOf(plan.id, REASONING), flipsReasonedSchema);
        return { ...(before ?? { plan, model }), answers, reasoned };
      }),

    append: (runId, answer) => onDisk(async () => (await writerOf(runId, ANSWERS)).append(answer)),

    appendReasoned: (runId, reasoned) =>
      onDisk(async () => (await writerOf(runId, REASONING)).append(reasoned)),

    finish: (record) =>
      onDisk(() => writeWhole(fileOf(record.id, 'record.json'), `${JSON.stringify(record)}\n`)),

    async close(runId) {
      for (const name of [ANSWERS, REASONING]) {
        const writer = writers.get(fileOf(runId, name));
        writers.delete(fileOf(runId, name));
        await (await writer)?.close();
      }
    },

    async readPlan(runId) {
      const begun = await readBegun(runId);
      if (begun === null) throw unknownRun(runId);
      return begun.plan;
    },

    async read(runId) {
      const record = await readJson(fileOf(runId, 'record.json'), flipsRecordSchema);
      if (record !== null) return record;
      if ((await readBegun(runId)) === null) throw unknownRun(runId);
      throw new UserError(
        'fileNotFound',
        `The flips run ${runId} did not come to its end.`,
        `\`evenkeel flips --resume ${runId}\` takes it up.`,
      );
    },

    async list() {
      const names = await readdir(path.join(cacheDir, 'runs')).catch(() => []);
      const runs = await Promise.all(
        names.map(async (name) => {
          // What cannot be read is not history; reading it by its id says what is wrong with it.
          const record = await readJson(path.join(cacheDir, 'runs', name, 'record.json'), listedSchema).catch(
            () => null,
          );
          return record?.id === name ? [{ id: record.id, finishedAt: record.finishedAt }] : [];
        }),
      );
      return runs.flat().sort((a, b) => b.finishedAt.localeCompare(a.finishedAt));
    },
  };
}

const unknownRun = (runId: string): UserError =>
  new UserError(
    'fileNotFound',
    `There is no flips run '${runId}'.`,
    'Take the id that the run printed when it began.',
  );

/** Null where there is no such file. @throws UserError `storeDamaged` where it is not what this version writes. */
async function readJson<T>(file: string, schema: z.ZodType<T>): Promise<T | null> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw damaged(file, 'it cannot be read', error);
  }
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (error) {
    throw damaged(file, 'it is not complete', error);
  }
  const parsed = schema.safeParse(json);
  if (parsed.success) return parsed.data;
  const at = parsed.error.issues[0]?.path.join('.') || 'its form';
  throw damaged(file, `${at} is not what this version writes`, parsed.error);
}
