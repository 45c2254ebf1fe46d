/** Files that may hold prompts, by paths and globs; what git ignores is left out. */
import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import PQueue from 'p-queue';
import { simpleGit } from 'simple-git';
import { glob, isDynamicPattern } from 'tinyglobby';
import { UserError } from '../contracts/userError';

interface PromptDocument {
  /** As the person would write it: relative to where they are. */
  path: string;
  text: string;
}

const MAY_HOLD_PROMPTS =
  '**/*.{prompt,prompty,ts,tsx,mts,cts,js,jsx,mjs,cjs,py,pyi,ipynb,yaml,yml,prompt.md,prompt.txt,agent.md,instructions.md}';
const PROMPT_NAMES = '**/{SKILL,AGENTS,CLAUDE}.md';
const NEVER = [
  '**/node_modules/**',
  '**/.git/**',
  '**/*.min.js',
  '**/*.d.ts',
  '**/__pycache__/**',
  '**/.venv/**',
];
/** Generated code and data; nobody writes prompts into such a file. */
const LARGEST_BYTES = 2_000_000;
const READS_AT_ONCE = 32;

/**
 * Reads them, in order of their paths. A file that is named outright counts whatever git says.
 * @throws UserError `fileNotFound` for a path that is not there
 */
export async function promptDocuments(
  named: readonly string[],
  { cwd, signal }: { cwd: string; signal: AbortSignal },
): Promise<PromptDocument[]> {
  const outright: string[] = [];
  const patterns: string[] = [];
  for (const name of named.length === 0 ? ['.'] : named) {
    const info = await stat(path.resolve(cwd, name)).catch(() => null);
    if (info?.isFile()) outright.push(name);
    else if (info?.isDirectory()) {
      const folder = name.replaceAll('\\', '/').replace(/\/+$/, '');
      patterns.push(...[MAY_HOLD_PROMPTS, PROMPT_NAMES].map((pattern) => path.posix.join(folder, pattern)));
    } else if (isDynamicPattern(name)) patterns.push(name.replaceAll('\\', '/'));
    else throw new UserError('fileNotFound', `${name} does not exist.`, 'Check the path.');
  }
  const matched =
    patterns.length === 0
      ? []
      : await glob(patterns, { cwd, ignore: NEVER, dot: true, followSymbolicLinks: false });
  const tracked = matched.length === 0 ? null : await notIgnored(cwd, signal);
  const files = new Set([
    ...outright,
    ...matched.filter((file) => tracked === null || file.startsWith('..') || tracked.has(file)),
  ]);
  const queue = new PQueue({ concurrency: READS_AT_ONCE });
  const read = await queue.addAll(
    [...files].sort().map((file) => async () => {
      signal.throwIfAborted();
      return { path: file, text: await textOf(path.resolve(cwd, file)) };
    }),
  );
  return read.flatMap(({ path: file, text }) => (text === null ? [] : [{ path: file, text }]));
}

/** Null where a file is no text, too large, or may not be read. */
async function textOf(file: string): Promise<string | null> {
  try {
    if ((await stat(file)).size > LARGEST_BYTES) return null;
    const bytes = await readFile(file);
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
}

/** Files of the repository that git does not ignore, relative to `cwd`; null outside of a repository. */
async function notIgnored(cwd: string, signal: AbortSignal): Promise<Set<string> | null> {
  try {
    const listing = await simpleGit({ baseDir: cwd, abort: signal }).raw([
      'ls-files',
      '--cached',
      '--others',
      '--exclude-standard',
      '-z',
    ]);
    return new Set(listing.split('\0'));
  } catch {
    return null;
  }
}
