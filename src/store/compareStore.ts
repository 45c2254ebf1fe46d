/**
 * Comparisons of models on disk, beside the runs that hold their answers: `<cacheDir>/runs/<id>/plan.json` before the first
 * call, `record.json` whole at the end.
 */
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { comparePlanSchema, compareRecordSchema } from '../contracts/compareRecord';
import { UserError } from '../contracts/userError';
import type { CompareStore } from '../engine/ports';
import { diskError } from './diskErrors';
import { readJson } from './readJson';
import { runDirOf } from './runDir';
import { writeWhole } from './writeWhole';

const listedSchema = compareRecordSchema.pick({ id: true, finishedAt: true, kind: true });

/** Errors are UserErrors: diskFull, cacheNotWritable, storeDamaged, fileNotFound. */
export function createCompareStore({ cacheDir }: { cacheDir: string }): CompareStore {
  const fileOf = (id: string, name: string) => path.join(runDirOf(cacheDir, id), name);
  const readPlan = (id: string) => readJson(fileOf(id, 'plan.json'), comparePlanSchema);

  const write = async (file: string, content: unknown) => {
    try {
      await writeWhole(file, `${JSON.stringify(content)}\n`);
    } catch (error) {
      throw diskError(error, cacheDir);
    }
  };

  return {
    async begin(plan) {
      if ((await readPlan(plan.id)) === null) await write(fileOf(plan.id, 'plan.json'), plan);
    },

    finish: (record) => write(fileOf(record.id, 'record.json'), record),

    async readPlan(id) {
      const plan = await readPlan(id);
      if (plan === null) throw unknown(id);
      return plan;
    },

    async read(id) {
      const record = await readJson(fileOf(id, 'record.json'), compareRecordSchema);
      if (record !== null) return record;
      if ((await readPlan(id)) === null) throw unknown(id);
      throw new UserError(
        'fileNotFound',
        `The comparison ${id} did not come to its end.`,
        `\`evenkeel compare --resume ${id}\` takes it up.`,
      );
    },

    async list() {
      const names = await readdir(path.join(cacheDir, 'runs')).catch(() => []);
      const found = await Promise.all(
        names.map(async (name) => {
          // What cannot be read is not history; reading it by its id says what is wrong with it.
          const record = await readJson(path.join(cacheDir, 'runs', name, 'record.json'), listedSchema).catch(
            () => null,
          );
          return record?.id === name ? [{ id: record.id, finishedAt: record.finishedAt }] : [];
        }),
      );
      return found.flat().sort((a, b) => b.finishedAt.localeCompare(a.finishedAt));
    },
  };
}

const unknown = (id: string): UserError =>
  new UserError(
    'fileNotFound',
    `There is no comparison '${id}'.`,
    'Take the id that the comparison printed when it began.',
  );
