import * as vscode from 'vscode';
import { UserError } from '../contracts/userError';

interface Repository {
  show(ref: string, path: string): Promise<string>;
}

/** The part of the Git extension's API that is used here (its git.d.ts, version 1). */
interface GitExtension {
  getAPI(version: 1): {
    state: 'uninitialized' | 'initialized';
    onDidChangeState: vscode.Event<string>;
    getRepository(uri: vscode.Uri): Repository | null;
    openRepository(root: vscode.Uri): Promise<Repository | null>;
  };
}

/**
 * The text of a file as it stands in HEAD, by VS Code's Git extension (worktrees, submodules and several folders as there).
 * @throws UserError `usage` without that extension, outside a repository, and for a file that HEAD does not have
 */
export async function textInHead(uri: vscode.Uri): Promise<string> {
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
  // Repositories below the opened folder are not always open yet.
  const repository =
    api.getRepository(uri) ?? (await api.openRepository(vscode.Uri.joinPath(uri, '..')).catch(() => null));
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
