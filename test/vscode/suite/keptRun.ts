import path from 'node:path';
import * as vscode from 'vscode';
import { createRunStore } from '../../../src/store/runStore';
import { keepKnownRun, type KnownChange } from '../knownRun';

export const cacheDir = (): string => path.join(process.env['XDG_CACHE_HOME'] ?? '', 'evenkeel');
export const runStore = () => createRunStore({ cacheDir: cacheDir() });

/** Keeps a run of the whole text of `document`. */
export const keepRun = (
  document: vscode.TextDocument,
  changes: KnownChange[],
  baseline?: string[],
): Promise<string> =>
  keepKnownRun(
    cacheDir(),
    { path: vscode.workspace.asRelativePath(document.uri), uri: document.uri.toString() },
    document.getText(),
    changes,
    baseline,
  );
