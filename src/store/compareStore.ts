/** Comparisons of models on disk, beside the runs that they are made of: `<cacheDir>/runs/<id>/record.json`. */
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { compareRecordSchema, type CompareRecord } from '../contracts/compareRecord';
import { UserError } from '../contracts/userError';
import { damaged, diskError } from './diskErrors';
import { runDirOf } from './runDir';
import { writeWhole } from './writeWhole';

export interface CompareStore {
  /** Resolves when it is on disk. @throws UserError `diskFull`, `cacheNotWritable` */
  keep(record: CompareRecord): Promise<void>;
  /** @throws UserError `fileNotFound`, `storeDamaged` */
  read(id: string): Promise<CompareRecord>;
  /** Newest first; what cannot be read is left out. */
  list(): Promise<{ id: string; finishedAt: string }[]>;
}

export function createCompareStore({ cacheDir }: { cacheDir: string }): CompareStore {
  const fileOf = (id: string) => path.join(runDirOf(cacheDir, id), 'record.json');
  return {
    async keep(record) {
      try {
        await writeWhole(fileOf(record.id), `${JSON.stringify(record)}\n`);
      } catch (error) {
        throw diskError(error, cacheDir);
      }
    },
    async read(id) {
      const file = fileOf(id);
      const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
        if (error.code !== 'ENOENT') throw damaged(file, 'it cannot be read', error);
        throw new UserError(
          'fileNotFound',
          `There is no comparison ${id}.`,
          'Choose one that the history lists.',
        );
      });
      try {
        return compareRecordSchema.parse(JSON.parse(text));
      } catch (error) {
        throw damaged(file, 'it is not what this version writes', error);
      }
    },
    async list() {
      const names = await readdir(path.join(cacheDir, 'runs')).catch(() => []);
      const found = await Promise.all(
        // Parts of a comparison and other kinds of runs lie here too.
        names.map(async (name) => {
          try {
            const text = await readFile(path.join(cacheDir, 'runs', name, 'record.json'), 'utf8');
            const head = listedSchema.parse(JSON.parse(text));
            return head.id === name ? [{ id: head.id, finishedAt: head.finishedAt }] : [];
          } catch {
            return [];
          }
        }),
      );
      return found.flat().sort((a, b) => b.finishedAt.localeCompare(a.finishedAt));
    },
  };
}

const listedSchema = compareRecordSchema.pick({ id: true, finishedAt: true, kind: true });
