/** Activation: registers what is contributed and loads nothing else. The work is in editor.ts and discovery.ts, bundles of their own. */
import { createRequire } from 'node:module';
import path from 'node:path';
import * as vscode from 'vscode';
import type * as discoveryBundle from './discovery';
import type { Discovery } from './discovery';
import type * as editorBundle from './editor';
import type { Editor } from './editor';
import {
  COMMANDS,
  LANGUAGE_TOOLS,
  PROMPT_DOCUMENTS,
  REPORT_VIEW,
  SETTINGS,
  TEST_CONTROLLER,
  UNFINISHED_MEMORY,
  type CommandName,
} from './manifest';
import { createStatusBar } from './statusBar';

let editor: Editor | null = null;
let discovery: Discovery | null = null;

export function activate(context: vscode.ExtensionContext): void {
  const log = vscode.window.createOutputChannel('Evenkeel', { log: true });
  const statusBar = createStatusBar();
  const showModel = () =>
    statusBar.model(
      vscode.workspace.getConfiguration().get<string>(SETTINGS.model.key) ?? SETTINGS.model.default,
    );
  showModel();

  const distDir = path.join(context.extensionPath, 'dist');
  const bundled = <Bundle>(name: string) => {
    const bundle = path.join(distDir, name);
    return createRequire(bundle)(bundle) as Bundle;
  };
  const discover = (): Discovery => {
    if (discovery === null) {
      const { createDiscovery } = bundled<typeof discoveryBundle>('discovery.cjs');
      discovery = createDiscovery({ distDir, memory: context.workspaceState });
    }
    return discovery;
  };
  const linesChanged = new vscode.EventEmitter<void>();
  const lines = {
    prompts: (document: vscode.TextDocument) => discover().prompts(document),
    refresh: () => linesChanged.fire(),
  };

  const load = (): Editor => {
    if (editor === null) {
      const { createEditor } = bundled<typeof editorBundle>('editor.cjs');
      editor = createEditor(context, log, statusBar, lines);
    }
    return editor;
  };
  const register = (id: string, name: CommandName) =>
    vscode.commands.registerCommand(id, (...args: unknown[]) => load().execute(name, args));

  const tests = vscode.tests.createTestController(TEST_CONTROLLER.id, TEST_CONTROLLER.label);
  // Called when the Test Explorer is opened.
  tests.resolveHandler = async (item) => (item === undefined ? load().addTests(tests) : undefined);
  tests.refreshHandler = () => load().addTests(tests);

  const tool = (name: string): vscode.LanguageModelTool<object> => ({
    prepareInvocation: (options, token) => load().tools[name]?.prepareInvocation?.(options, token),
    invoke: (options, token) => load().tools[name]?.invoke(options, token),
  });
  // An older editor has no tools, and neither has one whose maker took them out.
  const hasTools = (vscode.lm as Partial<typeof vscode.lm> | undefined)?.registerTool !== undefined;

  context.subscriptions.push(
    log,
    tests,
    statusBar,
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration(SETTINGS.model.key)) showModel();
      if (event.affectsConfiguration(SETTINGS.codeLens.key)) linesChanged.fire();
    }),
    linesChanged,
    vscode.languages.registerCodeLensProvider(PROMPT_DOCUMENTS, {
      onDidChangeCodeLenses: linesChanged.event,
      provideCodeLenses: (document) =>
        vscode.workspace.getConfiguration(undefined, document.uri).get(SETTINGS.codeLens.key) === false
          ? []
          : discover().lenses(document),
    }),
    ...Object.entries(COMMANDS).map(([name, { id }]) => register(id, name as CommandName)),
    ...(hasTools ? LANGUAGE_TOOLS.map((name) => vscode.lm.registerTool(name, tool(name))) : []),
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
  discovery?.dispose();
  discovery = null;
}
