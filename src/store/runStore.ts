/**
 * Runs on disk: `<cacheDir>/runs/<id>/samples.jsonl` grows while a run goes on, `record.json` appears whole at its end.
 * Only the person can read them: prompts are private.
 */
import { mkdir, open, readFile, readdir, rm, stat, type FileHandle } from 'node:fs/promises';
import path from 'node:path';
import writeFileAtomic from 'write-file-atomic';
import { runRecordSchema, sampleSchema, type Sample } from '../contracts/runRecord';
import { UserError } from '../contracts/userError';
import type { RunStore } from '../engine/ports';

const PRIVATE_DIR = 0o700;
const PRIVATE_FILE = 0o600;

const FULL = new Set(['ENOSPC', 'EDQUOT', 'EFBIG']);
const NOT_WRITABLE = new Set(['EACCES', 'EPERM', 'EROFS', 'ENOTDIR', 'EEXIST', 'EISDIR']);

/** What a person reads when the disk says no. */
function diskError(error: unknown, cacheDir: string): unknown {
  const code = (error as NodeJS.ErrnoException | undefined)?.code ?? '';
  if (FULL.has(code))
    return new UserError(
      'diskFull',
      `The disk that holds ${cacheDir} is full, so answers cannot be kept.`,
      'Free some space and run again; what was received before is kept.',
      { cause: error },
    );
  if (NOT_WRITABLE.has(code))
    return new UserError(
      'cacheNotWritable',
      `Answers cannot be written to ${cacheDir} (${code}).`,
      'Make the folder writable, or choose another one with XDG_CACHE_HOME or the setting for the cache folder.',
      { cause: error },
    );
  return error;
}

const damaged = (file: string, why: string, cause?: unknown): UserError =>
  new UserError(
    'storeDamaged',
    `The record of this run is damaged: ${why} (${file}).`,
    'Run the check again; the other runs are not affected.',
    { cause },
  );

interface SampleWriter {
  append(sample: Sample): Promise<void>;
  close(): Promise<void>;
}

/**
 * Appends to one file, many callers at once: whatever waits while a write is under way goes out together with the next
 * one, so that a sync is paid for per batch and not per sample.
 */
async function openSampleWriter(file: string): Promise<SampleWriter> {
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
    append: (sample) =>
      new Promise((resolve, reject) => {
        waiting.push({ line: `${JSON.stringify(sample)}\n`, resolve, reject });
        writing ??= drain();
      }),
    close: async () => {
      await writing;
      await handle.close();
    },
  };
}

/** A process that died in mid-write leaves half a line; the next sample must not be glued to it. */
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

/** Runs under `cacheDir`, which is created when missing. Errors are UserErrors: diskFull, cacheNotWritable, storeDamaged. */
export function createRunStore(deps: { cacheDir: string }): RunStore {
  const { cacheDir } = deps;
  const runsDir = path.join(cacheDir, 'runs');
  const writers = new Map<string, Promise<SampleWriter>>();

  function dirOf(runId: string): string {
    // Ids come from command lines too: one must not name a path outside.
    if (!/^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/.test(runId))
      throw new UserError('usage', 'This is not the id of a run.', 'Choose one that the history lists.');
    return path.join(runsDir, runId);
  }

  const onDisk = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (error) {
      throw diskError(error, cacheDir);
    }
  };

  function writerOf(runId: string): Promise<SampleWriter> {
    let writer = writers.get(runId);
    if (!writer) {
      const dir = dirOf(runId);
      writer = mkdir(dir, { recursive: true, mode: PRIVATE_DIR }).then(() =>
        openSampleWriter(path.join(dir, 'samples.jsonl')),
      );
      writers.set(runId, writer);
      writer.catch(() => writers.delete(runId));
    }
    return writer;
  }

  async function readSamples(runId: string): Promise<Sample[]> {
    const file = path.join(dirOf(runId), 'samples.jsonl');
    const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return '';
      throw error;
    });
    return text.split('\n').flatMap((line) => {
      try {
        return [sampleSchema.parse(JSON.parse(line))];
      } catch {
        // The torn line of a crash: that sample was never reported as kept.
        return [];
      }
    });
  }

  return {
    begin: (runId) => onDisk(async () => void (await writerOf(runId))),

    appendSample: (runId, sample) => onDisk(async () => (await writerOf(runId)).append(sample)),

    readSamples,

    finish: (record) =>
      onDisk(async () => {
        const dir = dirOf(record.id);
        await mkdir(dir, { recursive: true, mode: PRIVATE_DIR });
        const file = path.join(dir, 'record.json');
        const text = `${JSON.stringify(record)}\n`;
        await writeFileAtomic(file, text, { mode: PRIVATE_FILE });
        // The library does not notice a write that a full disk cut short.
        if ((await stat(file)).size !== Buffer.byteLength(text)) {
          await rm(file, { force: true });
          throw Object.assign(new Error('short write'), { code: 'ENOSPC' });
        }
        const writer = writers.get(record.id);
        writers.delete(record.id);
        await (await writer)?.close();
      }),

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
          kept === 0 ? 'Choose one that the history lists.' : 'Run the check again.',
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

const listedSchema = runRecordSchema.pick({ id: true, finishedAt: true });
