/** Activation: registers what is contributed and loads nothing else. The work is in editor.ts, a bundle of its own. */
import { createRequire } from 'node:module';
import path from 'node:path';
import * as vscode from 'vscode';
import type * as editorBundle from './editor';
import type { Editor } from './editor';
import { COMMANDS, REPORT_VIEW, SETTINGS, UNFINISHED_MEMORY, type CommandName } from './manifest';
import { createStatusBar } from './statusBar';

let editor: Editor | null = null;

export function activate(context: vscode.ExtensionContext): void {
  const log = vscode.window.createOutputChannel('Evenkeel', { log: true });
  const statusBar = createStatusBar();
  const showModel = () =>
    statusBar.model(
      vscode.workspace.getConfiguration().get<string>(SETTINGS.model.key) ?? SETTINGS.model.default,
    );
  showModel();

  const load = (): Editor => {
    if (editor === null) {
      const bundle = path.join(context.extensionPath, 'dist', 'editor.cjs');
      const { createEditor } = createRequire(bundle)(bundle) as typeof editorBundle;
      editor = createEditor(context, log, statusBar);
    }
    return editor;
  };
  const register = (id: string, name: CommandName) =>
    vscode.commands.registerCommand(id, (...args: unknown[]) => load().execute(name, args));

  context.subscriptions.push(
    log,
    statusBar,
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration(SETTINGS.model.key)) showModel();
    }),
    ...Object.entries(COMMANDS).map(([name, { id }]) => register(id, name as CommandName)),
    vscode.window.registerWebviewPanelSerializer(REPORT_VIEW, {
      deserializeWebviewPanel: (panel, state: unknown) => load().restoreReport(panel, state),
    }),
  );
  // A check that a reload cut off: the only thing that is not left until a command is used.
  if (context.workspaceState.get<unknown[]>(UNFINISHED_MEMORY, []).length > 0) void load().offerToResume();
}

export async function deactivate(): Promise<void> {
  await editor?.close();
  editor = null;
}
