import * as vscode from 'vscode';
import { UserError } from '../contracts/userError';

interface Change {
  uri: vscode.Uri;
  /** Where the file was before, for renames. */
  originalUri: vscode.Uri;
  /** `Status` of git.d.ts: 0 index modified, 3 index renamed; others have no version to compare. */
  status: number;
}

interface Repository {
  rootUri: vscode.Uri;
  state: { indexChanges: readonly Change[] };
  status(): Promise<void>;
  show(ref: string, path: string): Promise<string>;
}

/** The part of the Git extension's API that is used here (its git.d.ts, version 1). */
interface GitExtension {
  getAPI(version: 1): {
    state: 'uninitialized' | 'initialized';
    onDidChangeState: vscode.Event<string>;
    repositories: readonly Repository[];
    getRepository(uri: vscode.Uri): Repository | null;
    openRepository(root: vscode.Uri): Promise<Repository | null>;
  };
}

/** @throws UserError `usage` without the Git extension */
async function gitApi() {
  const extension = vscode.extensions.getExtension<GitExtension>('vscode.git');
  if (extension === undefined) {
    throw new UserError(
      'usage',
      'The Git extension of VS Code is switched off, so there is no earlier version to compare with.',
      'Switch it on (setting git.enabled), or use `evenkeel check` in a terminal.',
    );
  }
  const api = (await extension.activate()).getAPI(1);
  if (api.state !== 'initialized') {
    await new Promise<void>((resolve) => {
      const listener = api.onDidChangeState((state) => {
        if (state !== 'initialized') return;
        listener.dispose();
        resolve();
      });
    });
  }
  return api;
}

const TRIES = 10;
const BETWEEN_TRIES_MS = 100;

/** Repositories below the opened folder are not always open yet; VS Code may be opening this one at the moment. */
async function repositoryAt(
  api: ReturnType<GitExtension['getAPI']>,
  uri: vscode.Uri,
  folder = uri,
): Promise<Repository | null> {
  for (let attempt = 0; attempt < TRIES; attempt++) {
    const repository =
      api.getRepository(uri) ??
      (await api.openRepository(folder).catch(() => null)) ??
      api.getRepository(uri);
    if (repository !== null) return repository;
    if (api.repositories.length === 0 && attempt > 1) return null;
    await new Promise((resolve) => setTimeout(resolve, BETWEEN_TRIES_MS));
  }
  return null;
}

/**
 * The text of a file as it stands in HEAD, by VS Code's Git extension (worktrees, submodules and several folders as there).
 * @throws UserError `usage` without that extension, outside a repository, and for a file that HEAD does not have
 */
export async function textInHead(uri: vscode.Uri): Promise<string> {
  const api = await gitApi();
  const repository = await repositoryAt(api, uri, vscode.Uri.joinPath(uri, '..'));
  if (repository === null) {
    throw new UserError(
      'usage',
      'This file is in no git repository, so there is no earlier version to compare with.',
      'Open the folder of a repository, or compare two files with `evenkeel check NEW --base OLD`.',
    );
  }
  try {
    return await repository.show('HEAD', uri.fsPath);
  } catch (error) {
    throw new UserError(
      'usage',
      'The last commit does not have this file, so there is nothing to compare with.',
      'Commit it first; the next edit can be checked then.',
      { cause: error },
    );
  }
}

const [INDEX_MODIFIED, INDEX_RENAMED] = [0, 3];

/**
 * Files that are staged and that HEAD has, also under another name.
 * @param root of the repository, as the source control view gives it; without it that of every open one
 * @throws UserError `usage` without the Git extension or a repository
 */
export async function stagedFiles(
  root: vscode.Uri | undefined,
): Promise<{ uri: vscode.Uri; before(): Promise<string>; after(): Promise<string> }[]> {
  const api = await gitApi();
  const named = root === undefined ? null : await repositoryAt(api, root);
  const repositories = named === null ? api.repositories : [named];
  if (repositories.length === 0) {
    throw new UserError(
      'usage',
      'No git repository is open.',
      'Open the folder of a repository, or use `evenkeel check --staged` in a terminal.',
    );
  }
  await Promise.all(repositories.map((repository) => repository.status()));
  return repositories.flatMap((repository) =>
    repository.state.indexChanges
      .filter(({ status }) => status === INDEX_MODIFIED || status === INDEX_RENAMED)
      .map(({ uri, originalUri, status }) => ({
        uri,
        before: () => repository.show('HEAD', status === INDEX_RENAMED ? originalUri.fsPath : uri.fsPath),
        // An empty ref is the index.
        after: () => repository.show('', uri.fsPath),
      })),
  );
}
