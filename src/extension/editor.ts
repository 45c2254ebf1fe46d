/**
 * Composition root of the editor: everything behind the commands. A bundle of its own (dist/editor.cjs), which
 * extension.ts loads when the first command is used, so that activation stays light.
 */
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import { createEvenkeel } from '../compose/createEvenkeel';
import type { Evenkeel } from '../compose/evenkeel';
import { exportRun } from '../compose/exportRun';
import { reportFileName } from '../report/reportFileName';
import { newestRuns } from '../compose/newestRuns';
import { cacheDirOf } from '../compose/paths';
import type { ExportFormat } from '../contracts/exportFormat';
import type { FoundPrompt } from '../contracts/foundPrompt';
import type { RunRecord, Span } from '../contracts/runRecord';
import { UserError } from '../contracts/userError';
import { progressView } from '../report/progressView';
import { headline } from '../report/sentences';
import { answersDocument } from './answersText';
import { createApiKeys } from './apiKeys';
import { checkEdit } from './checkEdit';
import { checkPrompt, type CheckArguments } from './checkPrompt';
import { createFindings } from './findings';
import { VERDICTS, withVerdict, type KeptVerdict } from './keptVerdicts';
import { CONTEXT_KEYS, type CommandName } from './manifest';
import { pickModel } from './pickModel';
import { createReportPanel } from './reportPanel';
import { reviewPerturbations } from './reviewPerturbations';
import { runFlips } from './runFlips';
import type { RunSession } from './runSession';
import { readSettings, saveModel } from './settings';
import { createSetDocuments } from './setDocuments';
import { showError } from './showError';
import type { StatusBar } from './statusBar';
import { placesOf } from './trackedSpans';
import { createVirtualDocuments } from './virtualDocuments';
import { withSignal } from './withSignal';

export interface Editor {
  /** Never rejects: what goes wrong is shown. */
  execute(name: CommandName, args: unknown[]): Promise<unknown>;
  restoreReport(panel: vscode.WebviewPanel, state: unknown): Promise<void>;
  close(): Promise<void>;
}

const FILE_TYPES: Record<ExportFormat, { extension: string; name: string }> = {
  html: { extension: 'html', name: 'HTML' },
  json: { extension: 'json', name: 'JSON' },
  markdown: { extension: 'md', name: 'Markdown' },
  csv: { extension: 'csv', name: 'CSV' },
  perturbations: { extension: 'csv', name: 'CSV' },
  junit: { extension: 'xml', name: 'JUnit' },
  sarif: { extension: 'sarif', name: 'SARIF' },
};

/** The lines above prompts, which another bundle shows. */
export interface PromptLines {
  prompts(document: vscode.TextDocument): Promise<FoundPrompt[]>;
  refresh(): void;
}

const LAST_RUN = 'evenkeel.lastRun';

export function createEditor(
  context: vscode.ExtensionContext,
  log: vscode.LogOutputChannel,
  statusBar: StatusBar,
  lines: PromptLines,
): Editor {
  const distDir = path.join(context.extensionPath, 'dist');
  const keys = createApiKeys(context.secrets, context.workspaceState);
  const findings = createFindings();
  const documents = createVirtualDocuments(async (runId, perturbationId) =>
    answersDocument(await (await evenkeel()).runs.read(runId), perturbationId),
  );
  const sets = createSetDocuments();
  const panel = createReportPanel(context.extensionUri, {
    reveal,
    save,
    kept: async () => newestRuns((await evenkeel()).runs),
  });
  let evenkeelNow: Evenkeel | null = null;
  let session: RunSession | null = null;

  const evenkeel = async (): Promise<Evenkeel> => {
    await keys.refresh();
    evenkeelNow ??= createEvenkeel({
      paths: {
        distDir,
        mediaDir: path.join(context.extensionPath, 'media'),
        cacheDir: cacheDirOf(process.env),
      },
      endpoints: keys.endpoints,
      ollamaUrl: () => readSettings().ollamaUrl,
      servers: () => readSettings().servers,
      version: String((context.extension.packageJSON as { version: string }).version),
      modelMirror: () => process.env['EVENKEEL_MODEL_MIRROR']?.trim() || null,
      useCache: () => readSettings().useCache,
      clock: { nowMs: () => Date.now() },
    });
    return evenkeelNow;
  };
  const setSession = (next: RunSession | null) => {
    session = next;
    void vscode.commands.executeCommand('setContext', CONTEXT_KEYS.running, next !== null);
    next?.onChange(() => {
      const view = progressView(next.progress());
      statusBar.running(
        view.countText === '' ? view.phaseText : view.countText,
        `${view.phaseText}: ${view.title}`,
      );
    });
    if (next === null) statusBar.ended(readSettings().modelId);
  };
  const remember = async (record: RunRecord) => {
    await context.workspaceState.update(LAST_RUN, record.id);
    const verdicts = context.workspaceState.get<Record<string, KeptVerdict>>(VERDICTS, {});
    const word = headline(record).word.toLowerCase();
    await context.workspaceState.update(VERDICTS, withVerdict(verdicts, record, word));
    lines.refresh();
  };
  const lastRecord = async (): Promise<RunRecord | null> => {
    const { runs } = await evenkeel();
    const id = context.workspaceState.get<string>(LAST_RUN) ?? (await runs.list())[0]?.id;
    return id === undefined ? null : runs.read(id);
  };

  async function reveal(record: RunRecord, span: Span): Promise<boolean> {
    const uri = record.prompt.source?.uri;
    if (uri === null || uri === undefined) return false;
    const document = await vscode.workspace.openTextDocument(vscode.Uri.parse(uri));
    const spans = placesOf(document.getText(), record.prompt)?.(span);
    if (spans?.[0] === undefined) return false;
    const range = new vscode.Range(
      document.positionAt(spans[0].start),
      document.positionAt((spans.at(-1) ?? spans[0]).end),
    );
    const beside = vscode.window.visibleTextEditors.find((entry) => entry.document === document);
    const editor = await vscode.window.showTextDocument(document, {
      viewColumn: beside?.viewColumn ?? vscode.ViewColumn.One,
    });
    // No selection: the next check would be one of these words alone.
    editor.selection = new vscode.Selection(range.start, range.start);
    editor.revealRange(range, vscode.TextEditorRevealType.InCenterIfOutsideViewport);
    flash(editor, range);
    return true;
  }

  async function save(record: RunRecord, format: ExportFormat, redact: boolean): Promise<string | null> {
    const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
    const { extension, name } = FILE_TYPES[format];
    const file = `${reportFileName(record)}.${extension}`;
    const target = await vscode.window.showSaveDialog({
      ...(folder === undefined ? {} : { defaultUri: vscode.Uri.joinPath(folder, file) }),
      filters: { [name]: [extension] },
    });
    if (target === undefined) return null;
    const { runs } = await evenkeel();
    const text = await exportRun(record, {
      format,
      redact,
      distDir,
      kept: format === 'html' && !redact ? await newestRuns(runs) : [],
      readSource: () => sourceText(record),
    });
    if (target.scheme === 'file') await writeFile(target.fsPath, text);
    else await vscode.workspace.fs.writeFile(target, Buffer.from(text));
    return target.fsPath;
  }

  async function sourceText(record: RunRecord): Promise<string | null> {
    const uri = record.prompt.source?.uri;
    if (uri === null || uri === undefined) return null;
    return vscode.workspace.openTextDocument(vscode.Uri.parse(uri)).then(
      (document) => document.getText(),
      () => null,
    );
  }

  /** What every check has around it: consent for keys before, the verdict in the status bar after. */
  async function checked(check: typeof checkPrompt, args: CheckArguments) {
    const { modelId, modelChosen } = readSettings();
    await keys.askConsent(args.modelId ?? (modelChosen ? modelId : null));
    const { prompts } = lines;
    const deps = { evenkeel, prompts, findings, panel, memory: context.workspaceState, log };
    const result = await check({ ...deps, setSession, session: () => session, remember }, args);
    if (result === undefined) return undefined;
    const record = await lastRecord();
    if (record !== null) {
      const { state, word } = headline(record);
      statusBar.ended(record.model.id, { words: word, wobbles: state !== 'steady' });
    }
    return result;
  }

  const commands: Record<CommandName, (args: unknown[]) => Promise<unknown>> = {
    checkRobustness: (args) => checked(checkPrompt, argumentsOf(args[0])),
    checkEdit: (args) => checked(checkEdit, argumentsOf(args[0])),
    cancelRun: async () => session?.cancel(),
    async openLastReport(args) {
      const { runId } = (args[0] ?? {}) as { runId?: unknown };
      const isNamed = typeof runId === 'string';
      if (session !== null && !isNamed) return panel.showProgress(session);
      const record = isNamed ? await (await evenkeel()).runs.read(runId) : await lastRecord();
      if (record === null) {
        throw new UserError(
          'usage',
          'There is no report yet.',
          'Run Evenkeel: Check Prompt Robustness on a prompt first.',
        );
      }
      findings.restore(record);
      return panel.showRecord(record, { open: true });
    },
    reviewPerturbations: (args) =>
      reviewPerturbations(
        { evenkeel, prompts: lines.prompts, memory: context.workspaceState, log },
        argumentsOf(args[0]),
      ),
    runFlips: (args) =>
      runFlips(
        { evenkeel, memory: context.workspaceState, log, show: (view) => panel.showFlips(view) },
        { ...argumentsOf(args[0]), ...optionsOf(args[0]) },
      ),
    clearFindings: async () => findings.clear(),
    async selectModel() {
      await keys.askConsent(null);
      const picked = await pickModel(await evenkeel(), readSettings().modelId);
      if (picked !== undefined) await saveModel(picked);
      return picked;
    },
    setApiKey: keys.setKey,
    clearApiKey: keys.clearKey,
    async doctor() {
      const running = await evenkeel();
      const lines = await withSignal('Looking at this machine', (signal) => running.doctor(signal));
      const signs = { ok: '✔', warning: '!', problem: '✘' };
      const text = lines.map(
        ({ status, name, detail, hint }) =>
          `${signs[status]} ${name}: ${detail}${hint === null ? '' : `\n    → ${hint}`}`,
      );
      await vscode.window.showTextDocument(documents.uriFor('Evenkeel Doctor', `${text.join('\n')}\n`));
      return lines;
    },
  };

  return {
    async execute(name, args) {
      try {
        return await commands[name](args);
      } catch (error) {
        // Not awaited: the message may stay open for long, the command has ended.
        void showError(error, log);
        return undefined;
      }
    },
    async restoreReport(restored, state) {
      const runId = (state as { runId?: unknown } | null | undefined)?.runId;
      const { runs } = await evenkeel();
      const record = await (typeof runId === 'string' ? runs.read(runId) : lastRecord()).catch(
        (error: unknown) => {
          log.warn(`the last report cannot be read: ${String(error)}`);
          return null;
        },
      );
      panel.adopt(restored, record);
      if (record !== null) findings.restore(record);
    },
    async close() {
      session?.cancel();
      for (const part of [panel, findings, documents, sets]) part.dispose();
      await evenkeelNow?.close();
    },
  };
}

function optionsOf(given: unknown): { options?: string[] } {
  const { options } = (given ?? {}) as { options?: unknown };
  return Array.isArray(options) ? { options: options.map(String) } : {};
}

/** Marks a place for a moment. */
function flash(editor: vscode.TextEditor, range: vscode.Range): void {
  const mark = vscode.window.createTextEditorDecorationType({
    backgroundColor: new vscode.ThemeColor('editor.findMatchHighlightBackground'),
  });
  editor.setDecorations(mark, [range]);
  setTimeout(() => mark.dispose(), FLASH_MS);
}

const FLASH_MS = 1_500;

/** Menus pass a Uri, key bindings and other extensions an object. */
function argumentsOf(given: unknown): CheckArguments {
  if (given instanceof vscode.Uri) return { uri: given };
  if (typeof given !== 'object' || given === null) return {};
  const { uri, range, symbol, modelId, variables } = given as Record<string, unknown>;
  return {
    ...(uri instanceof vscode.Uri ? { uri } : typeof uri === 'string' ? { uri: vscode.Uri.parse(uri) } : {}),
    ...(range instanceof vscode.Range ? { range } : {}),
    ...(typeof symbol === 'string' && symbol !== '' ? { symbol } : {}),
    ...(typeof modelId === 'string' ? { modelId } : {}),
    ...(typeof variables === 'object' && variables !== null
      ? {
          variables: Object.fromEntries(
            Object.entries(variables).map(([key, value]) => [key, String(value)]),
          ),
        }
      : {}),
  };
}
