import path from 'node:path';
import { cacheDirOf } from '../../src/compose/paths';
import { catalogueEntryOf } from '../../src/providers/weights/inProcessModels';
import { fetchWeights } from '../../src/providers/weights/fetchWeights';

/** What the tests and the example ask. */
const NEEDED = ['local:qwen2.5-coder-0.5b', 'local:smollm2-135m'];

/** Fetches the in-process models into the ordinary cache. Resolves to null, or to why one cannot be had. */
export async function ensureModels(): Promise<string | null> {
  try {
    for (const id of NEEDED) {
      const entry = catalogueEntryOf(id)!;
      const file = await fetchWeights({
        entry,
        cacheDir: cacheDirOf(process.env),
        signal: AbortSignal.timeout(15 * 60_000),
      });
      console.log(`${id}: ${path.basename(file)}`);
    }
    return null;
  } catch (error) {
    return (error as Error).message;
  }
}
