import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { RunRecord } from '../contracts/runRecord';

/**
 * The commit that a prompt's file stands on; undefined outside a repository, without git, and for text without a file.
 * Asks git for two objects and nothing else: no hook, filter or file monitor of the repository is run.
 * @param prompt `source.path` counts from the working directory where there is no file: URI
 */
export async function commitOf({
  source,
  text,
}: Pick<RunRecord['prompt'], 'source' | 'text'>): Promise<RunRecord['commit']> {
  if (source === null) return undefined;
  try {
    if (source.uri !== null && !source.uri.startsWith('file:')) return undefined;
    const file = source.uri === null ? path.resolve(source.path) : fileURLToPath(source.uri);
    const { simpleGit } = await import('simple-git');
    const git = simpleGit({ baseDir: path.dirname(file), timeout: { block: GIT_TIMEOUT_MS } });
    const hash = (await git.raw(['rev-parse', '--verify', 'HEAD'])).trim();
    if (!/^[0-9a-f]{40,64}$/.test(hash)) return undefined;
    const kept = await git.raw(['cat-file', 'blob', `${hash}:./${path.basename(file)}`]).catch(() => null);
    const lines = (value: string) => value.replace(/\r\n/g, '\n');
    // Offsets are those of the file as it was read; a file whose line ends git changes is told by its text.
    const holds =
      kept !== null &&
      (kept.slice(source.range.start, source.range.end) === text || lines(kept).includes(lines(text)));
    return { hash, edited: !holds };
  } catch {
    return undefined;
  }
}

const GIT_TIMEOUT_MS = 3_000;
