/**
 * Runs on disk: `<cacheDir>/runs/<id>/samples.jsonl` grows while a run goes on, `record.json` appears whole at its end.
 * Only the person can read them: prompts are private.
 */
import { mkdir, readFile, readdir } from 'node:fs/promises';
import path from 'node:path';
import { batchNoteSchema } from '../contracts/batchNote';
import { runRecordSchema, sampleSchema, type Sample } from '../contracts/runRecord';
import { runRequestSchema } from '../contracts/runRequest';
import { UserError } from '../contracts/userError';
import type { RunStore } from '../engine/ports';
import { damaged, diskError } from './diskErrors';
import { openLineWriter, PRIVATE_DIR, readLines, type LineWriter } from './jsonLines';
import { runDirOf } from './runDir';
import { writeWhole } from './writeWhole';

/** Runs under `cacheDir`, which is created when missing. Errors are UserErrors: diskFull, cacheNotWritable, storeDamaged. */
export function createRunStore(deps: { cacheDir: string }): RunStore {
  const { cacheDir } = deps;
  const runsDir = path.join(cacheDir, 'runs');
  const writers = new Map<string, Promise<LineWriter<Sample>>>();

  const dirOf = (runId: string) => runDirOf(cacheDir, runId);

  const onDisk = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (error) {
      throw diskError(error, cacheDir);
    }
  };

  function writerOf(runId: string): Promise<LineWriter<Sample>> {
    let writer = writers.get(runId);
    if (!writer) {
      const dir = dirOf(runId);
      writer = mkdir(dir, { recursive: true, mode: PRIVATE_DIR }).then(() =>
        openLineWriter<Sample>(path.join(dir, 'samples.jsonl')),
      );
      writers.set(runId, writer);
      writer.catch(() => writers.delete(runId));
    }
    return writer;
  }

  async function close(runId: string): Promise<void> {
    const writer = writers.get(runId);
    writers.delete(runId);
    await (await writer)?.close();
  }

  const readSamples = (runId: string): Promise<Sample[]> =>
    readLines(path.join(dirOf(runId), 'samples.jsonl'), sampleSchema);

  return {
    begin: (runId) => onDisk(async () => void (await writerOf(runId))),

    appendSample: (runId, sample) => onDisk(async () => (await writerOf(runId)).append(sample)),

    readSamples,

    keepRequest: (request) =>
      onDisk(() =>
        writeWhole(path.join(dirOf(request.runId), 'request.json'), `${JSON.stringify(request)}\n`),
      ),

    async readRequest(runId) {
      const file = path.join(dirOf(runId), 'request.json');
      const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
        if (error.code !== 'ENOENT') throw damaged(file, 'it cannot be read', error);
        throw new UserError(
          'fileNotFound',
          `There is no check ${runId} that could go on.`,
          'Run the check again: answers that are kept are not asked for again.',
        );
      });
      try {
        return runRequestSchema.parse(JSON.parse(text));
      } catch (error) {
        throw damaged(file, 'it is not what this version writes', error);
      }
    },

    batchJournal(runId) {
      const file = path.join(dirOf(runId), 'batches.jsonl');
      return {
        read: () => onDisk(() => readLines(file, batchNoteSchema)),
        append: (note) =>
          onDisk(async () => {
            await mkdir(path.dirname(file), { recursive: true, mode: PRIVATE_DIR });
            const writer = await openLineWriter(file);
            await writer.append(note).finally(() => writer.close());
          }),
      };
    },

    finish: (record) =>
      onDisk(async () => {
        await writeWhole(path.join(dirOf(record.id), 'record.json'), `${JSON.stringify(record)}\n`);
        await close(record.id);
      }),

    close: (runId) => onDisk(() => close(runId)),

    async read(runId) {
      const file = path.join(dirOf(runId), 'record.json');
      let text: string;
      try {
        text = await readFile(file, 'utf8');
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOENT')
          throw damaged(file, 'it cannot be read', error);
        const kept = (await readSamples(runId)).length;
        throw new UserError(
          'fileNotFound',
          kept === 0
            ? `There is no run ${runId}.`
            : `The run ${runId} did not come to its end; ${kept} of its answers are kept in ${path.dirname(file)}.`,
          kept === 0 ? 'Choose one that the history lists.' : `Go on with it: evenkeel resume ${runId}`,
        );
      }
      let json: unknown;
      try {
        json = JSON.parse(text);
      } catch (error) {
        throw damaged(file, 'it is not complete', error);
      }
      const parsed = runRecordSchema.safeParse(json);
      if (parsed.success) return parsed.data;
      const at = parsed.error.issues[0]?.path.join('.') || 'its form';
      throw damaged(file, `${at} is not what this version writes`, parsed.error);
    },

    async list() {
      const names = await readdir(runsDir).catch((error: NodeJS.ErrnoException) => {
        if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return [];
        throw error;
      });
      const runs = await Promise.all(
        names.map(async (name) => {
          const file = path.join(runsDir, name, 'record.json');
          try {
            const head = listedSchema.parse(JSON.parse(await readFile(file, 'utf8')));
            return head.id === name ? [{ id: head.id, finishedAt: head.finishedAt, path: file }] : [];
          } catch {
            // Unfinished or damaged runs are not history; reading one by its id says what is wrong with it.
            return [];
          }
        }),
      );
      return runs.flat().sort((a, b) => b.finishedAt.localeCompare(a.finishedAt));
    },
  };
}

const listedSchema = runRecordSchema.pick({ id: true, finishedAt: true, kind: true });
