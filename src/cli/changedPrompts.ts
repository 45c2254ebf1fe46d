/** Prompt files that differ between two states of a git repository, read from git itself. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { simpleGit, type SimpleGit } from 'simple-git';
import { UserError } from '../contracts/userError';
import { isPromptFile, isPromptYaml } from '../prompts/discovery/wholeFile';
import { shellQuote } from './shellQuote';

export interface ChangedFile {
  /** As git names it, from the root of the repository. */
  path: string;
  /** Its name before, where it was renamed. */
  before: string;
  contentBefore: string;
  contentAfter: string;
}

export interface ChangedFiles {
  changed: ChangedFile[];
  /** Prompts that nothing can be compared with, each with the reason. */
  skipped: { path: string; reason: string }[];
}

/** Where prompts live when nobody names files, as globs; `isPromptFile` says the same of a path (docs/prompts.md). */
export const PROMPT_GLOBS = [
  '**/*.{prompt,prompty,prompt.md,prompt.txt,prompt.yml,prompt.yaml,agent.md,instructions.md}',
  '**/{SKILL,AGENTS,CLAUDE}.md',
];

/**
 * What changed between `ref` and the working tree, or between `ref` and the index (`staged`), by content.
 * @param paths files or folders; those that are named outright count as prompts whatever they are called
 * @throws UserError `usage` outside a repository, for a ref that is not there, and for files with merge conflicts
 */
export async function changedPromptFiles(
  { cwd, ref, staged, paths }: { cwd: string; ref: string; staged: boolean; paths: string[] },
  signal: AbortSignal,
): Promise<ChangedFiles> {
  const git = simpleGit({ baseDir: cwd, abort: signal });
  const root = await rootOf(git);
  const from = simpleGit({ baseDir: root, abort: signal });
  const named = paths.map((name) => path.relative(root, path.resolve(cwd, name)).split(path.sep).join('/'));
  if (!(await hasCommits(from))) return { changed: [], skipped: [] };
  await requireRef(from, ref);

  const scope = named.length === 0 ? [] : ['--', ...named.map((name) => `:(top,literal)${name}`)];
  const listing = await from.raw([
    'diff',
    '--name-status',
    '-z',
    '--find-renames',
    ...(staged ? ['--cached'] : []),
    ref,
    ...scope,
  ]);
  const conflicts = new Set(
    (await from.raw(['diff', '--name-only', '--diff-filter=U', '-z', ...scope])).split('\0'),
  );
  const result: ChangedFiles = { changed: [], skipped: [] };
  for (const entry of parseNameStatus(listing)) {
    if (!isPromptFile(entry.path) && !isPromptYaml(entry.path) && !named.includes(entry.path)) continue;
    if (conflicts.has(entry.path)) {
      throw new UserError('usage', `${entry.path} has a merge conflict.`, 'Resolve it, then check again.');
    }
    if (entry.status === 'D') continue;
    if (entry.status === 'A') {
      result.skipped.push({ path: entry.path, reason: `new: there is no version in ${ref} to compare with` });
      continue;
    }
    const before = textOf(await from.showBuffer([`${ref}:${entry.before}`]));
    const after = staged
      ? textOf(await from.showBuffer([`:${entry.path}`]))
      : textOf(await readFile(path.join(root, entry.path)));
    if (before === null || after === null) {
      result.skipped.push({ path: entry.path, reason: 'not a text file' });
    } else if (before !== after) {
      result.changed.push({
        path: entry.path,
        before: entry.before,
        contentBefore: before,
        contentAfter: after,
      });
    }
  }
  return result;
}

/** `git diff --name-status -z`: status, then one path, or two for renames and copies. */
export function parseNameStatus(listing: string): { status: string; before: string; path: string }[] {
  const fields = listing.split('\0');
  const entries: { status: string; before: string; path: string }[] = [];
  for (let i = 0; i + 1 < fields.length;) {
    const status = fields[i]!.charAt(0);
    const before = fields[i + 1]!;
    const hasTwo = status === 'R' || status === 'C';
    entries.push({ status, before, path: hasTwo ? fields[i + 2]! : before });
    i += hasTwo ? 3 : 2;
  }
  return entries;
}

async function rootOf(git: SimpleGit): Promise<string> {
  try {
    return (await git.revparse(['--show-toplevel'])).trim();
  } catch (error) {
    throw new UserError(
      'usage',
      'This is no git repository, so there is no earlier version to compare with.',
      'Name the version before with --base FILE, or run this inside a repository.',
      { cause: error },
    );
  }
}

async function hasCommits(git: SimpleGit): Promise<boolean> {
  return (await resolved(git, 'HEAD')) !== null;
}

/** The commit that a name means, or null. (`rev-parse --quiet` says no by silence, which simple-git takes for success.) */
async function resolved(git: SimpleGit, ref: string): Promise<string | null> {
  const id = await git
    .revparse(['--verify', '--quiet', '--end-of-options', `${ref}^{commit}`])
    .catch(() => '');
  return id.trim() === '' ? null : id.trim();
}

async function requireRef(git: SimpleGit, ref: string): Promise<void> {
  if ((await resolved(git, ref)) !== null) return;
  const shallow = (await git.revparse(['--is-shallow-repository']).catch(() => 'false')).trim() === 'true';
  throw new UserError(
    'usage',
    `There is no commit '${ref}' here.`,
    shallow
      ? `This clone is shallow: fetch the commit first (git fetch --depth=1 origin ${shellQuote(ref)}, or fetch-depth: 0 in CI).`
      : 'Name a commit, branch or tag that exists.',
  );
}

function textOf(bytes: Buffer): string | null {
  if (bytes.includes(0)) return null;
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}
