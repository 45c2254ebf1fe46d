import { readFile } from 'node:fs/promises';
import type { z } from 'zod';
import { damaged } from './diskErrors';

/** Null where there is no such file. @throws UserError `storeDamaged` where it is not what this version writes. */
export async function readJson<T>(file: string, schema: z.ZodType<T>): Promise<T | null> {
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
