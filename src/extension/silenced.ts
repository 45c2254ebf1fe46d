/**
 * Findings that people do not want to see again. They are kept in `.evenkeel/silenced.json` of the workspace folder: a comment in the
 * prompt would be sent to the model and be another prompt, and a file can be read, reviewed and shared like the prompt itself.
 * Without a folder they are kept by VS Code for this workspace.
 */
import * as vscode from 'vscode';
import { z } from 'zod';
import { UserError } from '../contracts/userError';

const silenceSchema = z.object({
  /** Relative to the folder, with `/`. */
  path: z.string(),
  /** What is underlined. Other words are another finding: the silence ends when they are edited. */
  words: z.string(),
  /** Name of the change that moved the answers. */
  change: z.string(),
});
const fileSchema = z.object({ silenced: z.array(silenceSchema) });
export type Silence = z.infer<typeof silenceSchema>;

export interface SilencedFindings {
  has(uri: vscode.Uri, finding: Pick<Silence, 'words' | 'change'>): boolean;
  /** @returns where it is kept; null where VS Code keeps it. UserError `invalidFile` where the file holds something else */
  add(uri: vscode.Uri, finding: Pick<Silence, 'words' | 'change'>): Promise<vscode.Uri | null>;
  remove(uri: vscode.Uri, finding: Pick<Silence, 'words' | 'change'>): Promise<void>;
  onDidChange: vscode.Event<void>;
  dispose(): void;
}

const FILE = '.evenkeel/silenced.json';
const MEMORY = 'evenkeel.silenced';

export function createSilenced(memory: vscode.Memento, log: vscode.LogOutputChannel): SilencedFindings {
  const byFolder = new Map<string, Silence[]>();
  const changed = new vscode.EventEmitter<void>();
  const watcher = vscode.workspace.createFileSystemWatcher(`**/${FILE}`);

  const read = async (folder: vscode.WorkspaceFolder): Promise<Silence[]> => {
    const bytes = await vscode.workspace.fs.readFile(fileOf(folder)).then(undefined, () => null);
    if (bytes === null) return [];
    try {
      return fileSchema.parse(JSON.parse(Buffer.from(bytes).toString('utf8'))).silenced;
    } catch (error) {
      const what = `${FILE} is not a list of silenced findings.`;
      throw new UserError('invalidFile', what, 'Correct or delete the file.', { cause: error });
    }
  };
  const refresh = async () => {
    byFolder.clear();
    for (const folder of vscode.workspace.workspaceFolders ?? []) {
      const silences = await read(folder).catch((error: unknown) => {
        log.warn(error instanceof Error ? error.message : String(error));
        return [];
      });
      byFolder.set(folder.uri.toString(), silences);
    }
    changed.fire();
  };
  const change = async (uri: vscode.Uri, edit: (silences: Silence[]) => Silence[]) => {
    const folder = vscode.workspace.getWorkspaceFolder(uri);
    if (folder === undefined) {
      await memory.update(MEMORY, edit(memory.get<Silence[]>(MEMORY, [])));
      changed.fire();
      return null;
    }
    const silenced = edit(await read(folder));
    const text = `${JSON.stringify({ silenced }, null, 2)}\n`;
    await vscode.workspace.fs.writeFile(fileOf(folder), Buffer.from(text));
    byFolder.set(folder.uri.toString(), silenced);
    changed.fire();
    return fileOf(folder);
  };
  const listeners = [
    watcher.onDidChange(refresh),
    watcher.onDidCreate(refresh),
    watcher.onDidDelete(refresh),
    vscode.workspace.onDidChangeWorkspaceFolders(refresh),
  ];
  void refresh();

  return {
    has(uri, finding) {
      const folder = vscode.workspace.getWorkspaceFolder(uri);
      const silences =
        folder === undefined
          ? memory.get<Silence[]>(MEMORY, [])
          : (byFolder.get(folder.uri.toString()) ?? []);
      return silences.some(same(uri, finding));
    },
    add: (uri, finding) =>
      change(uri, (silences) =>
        silences.some(same(uri, finding))
          ? silences
          : [...silences, { path: pathOf(uri), words: finding.words, change: finding.change }],
      ),
    async remove(uri, finding) {
      const isIt = same(uri, finding);
      await change(uri, (silences) => silences.filter((silence) => !isIt(silence)));
    },
    onDidChange: changed.event,
    dispose: () => [...listeners, watcher, changed].forEach((part) => part.dispose()),
  };
}

const fileOf = (folder: vscode.WorkspaceFolder) => vscode.Uri.joinPath(folder.uri, FILE);
const pathOf = (uri: vscode.Uri) => vscode.workspace.asRelativePath(uri, false);
const same =
  (uri: vscode.Uri, { words, change }: Pick<Silence, 'words' | 'change'>) =>
  (silence: Silence) =>
    silence.path === pathOf(uri) && silence.words === words && silence.change === change;
