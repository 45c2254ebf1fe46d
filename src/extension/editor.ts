/**
 * Composition root of the editor: everything behind the commands. A bundle of its own (dist/editor.cjs), which
 * extension.ts loads when the first command is used, so that activation stays light.
 */
import path from 'node:path';
import * as vscode from 'vscode';
import { createEvenkeel } from '../compose/createEvenkeel';
import type { Evenkeel } from '../compose/evenkeel';
import { newestRuns } from '../compose/newestRuns';
import { cacheDirOf } from '../compose/paths';
import { exportFormatSchema } from '../contracts/exportFormat';
import type { FoundPrompt } from '../contracts/foundPrompt';
import type { RunRecord } from '../contracts/runRecord';
import { headline } from '../report/sentences';
import { addEndpoint } from './addEndpoint';
import { answersDocument } from './answersText';
import { createApiKeys } from './apiKeys';
import { checkEdit } from './checkEdit';
import { checkPrompt, type CheckArguments, type CheckDeps } from './checkPrompt';
import { checkStaged } from './checkStaged';
import { compareModels } from './compareModels';
import { argumentsOf, modelIdsOf, optionsOf, textArgument } from './commandArguments';
import { doctorText, placeLine, trustLines } from './doctorText';
import { createFindingActions } from './findingActions';
import { createFindings } from './findings';
import { glossaryFragment, glossaryMarkdown } from './glossaryText';
import { createKeptReports, openSamplePrompt } from './keptReports';
import { VERDICTS, withVerdict, type KeptVerdict } from './keptVerdicts';
import { createLanguageTools } from './languageTools';
import type { CommandName } from './manifest';
import { pickModel } from './pickModel';
import { createPromptTests } from './promptTests';
import { editVariables } from './rememberedVariables';
import { createReportPanel } from './reportPanel';
import { offerToResume, resumeRun } from './resumeRun';
import { revealPlace } from './revealPlace';
import { reviewPerturbations } from './reviewPerturbations';
import { runFlips } from './runFlips';
import { createRuns } from './runs';
import { pickFormat, saveReport } from './saveReport';
import { createSetDocuments } from './setDocuments';
import { maySendTo } from './sendingConsent';
import { readSettings, saveModel } from './settings';
import { showError } from './showError';
import { createSilenced } from './silenced';
import type { StatusBar } from './statusBar';
import { createVirtualDocuments } from './virtualDocuments';
import { withSignal } from './withSignal';

export interface Editor {
  /** Never rejects: what goes wrong is shown. */
  execute(name: CommandName, args: unknown[]): Promise<unknown>;
  restoreReport(panel: vscode.WebviewPanel, state: unknown): Promise<void>;
  /** Tools for agents, by name. */
  tools: Record<string, vscode.LanguageModelTool<object>>;
  /** Fills the Test Explorer. */
  addTests(controller: vscode.TestController): Promise<void>;
  /** Asks about checks that a reload or a crash cut off. */
  offerToResume(): Promise<void>;
  close(): Promise<void>;
}

/** The lines above prompts, which another bundle shows. */
export interface PromptLines {
  prompts(document: vscode.TextDocument): Promise<FoundPrompt[]>;
  refresh(): void;
}

export function createEditor(
  context: vscode.ExtensionContext,
  log: vscode.LogOutputChannel,
  statusBar: StatusBar,
  lines: PromptLines,
): Editor {
  const distDir = path.join(context.extensionPath, 'dist');
  const memory = context.workspaceState;
  const keys = createApiKeys(context.secrets, memory);
  const silenced = createSilenced(memory, log);
  const findings = createFindings(silenced);
  const documents = createVirtualDocuments(async (runId, perturbationId) =>
    answersDocument(await (await evenkeel()).runs.read(runId), perturbationId),
  );
  const sets = createSetDocuments();
  const panel = createReportPanel(context.extensionUri, {
    reveal: revealPlace,
    save: (record, format, redact) => saveReport({ evenkeel, distDir }, record, format, redact),
    kept: async () => newestRuns((await evenkeel()).runs),
  });
  let evenkeelNow: Evenkeel | null = null;
  let tests: Promise<vscode.Disposable> | null = null;

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
      cacheMaxBytes: () => readSettings().cacheMaxBytes,
      clock: { nowMs: () => Date.now() },
    });
    return evenkeelNow;
  };
  const reports = createKeptReports({ evenkeel, memory, extensionUri: context.extensionUri });
  const remember = async (record: RunRecord) => {
    await reports.remember(record);
    const verdicts = memory.get<Record<string, KeptVerdict>>(VERDICTS, {});
    const word = headline(record).word.toLowerCase();
    await memory.update(VERDICTS, withVerdict(verdicts, record, word));
    lines.refresh();
  };
  const runs = createRuns({ panel, log, memory, statusBar, remember });
  const { prompts } = lines;
  const checks: CheckDeps = { ...runs, evenkeel, prompts, findings, memory };

  async function showMarkdown(name: string, markdown: string, fragment = ''): Promise<void> {
    const uri = documents.uriFor(`${name}.md`, markdown).with({ fragment });
    // The preview is a part of VS Code that a person can switch off.
    await vscode.commands
      .executeCommand('markdown.showPreview', uri)
      .then(undefined, () => vscode.window.showTextDocument(uri));
  }
  const explain = (term: string) =>
    showMarkdown('What the words mean', glossaryMarkdown(), glossaryFragment(term));

  function showRecord(record: RunRecord): boolean {
    findings.restore(record);
    return panel.showRecord(record, { open: true });
  }

  /** Consent for keys comes before every check. */
  async function checked<T>(
    check: (deps: CheckDeps, args: CheckArguments) => Promise<T>,
    args: CheckArguments,
  ) {
    const { modelId, modelChosen } = readSettings();
    await keys.askConsent(args.modelId ?? (modelChosen ? modelId : null));
    return check(checks, args);
  }

  async function guard(work: () => Promise<unknown>): Promise<unknown> {
    try {
      return await work();
    } catch (error) {
      // Not awaited: the message may stay open for long, the command has ended.
      void showError(error, log);
      return undefined;
    }
  }

  const actions = createFindingActions({
    findings,
    silenced,
    guard,
    explain,
    checkAgain: ({ record, span }, document) =>
      checked(checkPrompt, {
        uri: document.uri,
        modelId: record.model.id,
        variables: record.prompt.variables,
        within: span,
      }),
  });

  const tools = createLanguageTools({
    evenkeel,
    defaults() {
      const { modelId, samples, answerTokens, perturbations: limit, seed } = readSettings();
      return { modelId, samples, answerTokens, limit, seed };
    },
    // VS Code has asked the person, with the cost.
    mayCost: true,
    async maySend(modelId) {
      await keys.askConsent(modelId);
      return maySendTo(modelId, readSettings().ollamaUrl, memory);
    },
  });

  const commands: Record<CommandName, (args: unknown[]) => Promise<unknown>> = {
    checkRobustness: (args) => checked(checkPrompt, argumentsOf(args[0])),
    checkEdit: (args) => checked(checkEdit, argumentsOf(args[0])),
    async compareModels(args) {
      await keys.askConsent(null);
      return compareModels(
        { evenkeel, prompts, memory, log, show: (record) => panel.showCompare(record) },
        { ...argumentsOf(args[0]), ...modelIdsOf(args[0]) },
      );
    },
    checkStaged: (args) => checked(checkStaged, argumentsOf(args[0])),
    pauseRun: async () => runs.pause(),
    resumeRun: (args) => resumeRun({ ...runs, evenkeel, findings }, textArgument(args[0], 'runId')),
    cancelRun: async () => runs.session()?.cancel(),
    async openLastReport(args) {
      const runId = textArgument(args[0], 'runId');
      if (runId !== undefined) return showRecord(await (await evenkeel()).runs.read(runId));
      const session = runs.session();
      return session === null ? showRecord(await reports.lastOrRefuse()) : panel.showProgress(session);
    },
    async showHistory() {
      const record = await reports.pick();
      return record === undefined ? undefined : showRecord(record);
    },
    async exportReport(args) {
      const record = panel.record() ?? (await reports.lastOrRefuse());
      const asked = exportFormatSchema.safeParse(textArgument(args[0], 'format'));
      const format = asked.success ? asked.data : await pickFormat();
      if (format === undefined) return undefined;
      return saveReport({ evenkeel, distDir }, record, format, false, argumentsOf(args[0]).uri);
    },
    openSampleReport: async () => panel.showRecord(await reports.sample(), { open: true }),
    openSamplePrompt: async () => (await openSamplePrompt(context.extensionUri)).uri.toString(),
    reviewPerturbations: (args) =>
      reviewPerturbations({ evenkeel, prompts, memory, log }, argumentsOf(args[0])),
    runFlips: (args) =>
      runFlips(
        { evenkeel, memory, log, show: (view) => panel.showFlips(view) },
        { ...argumentsOf(args[0]), ...optionsOf(args[0]) },
      ),
    clearFindings: async () => findings.clear(),
    async selectModel() {
      await keys.askConsent(null);
      const picked = await pickModel(await evenkeel(), readSettings().modelId);
      if (picked !== undefined) await saveModel(picked);
      return picked;
    },
    addEndpoint,
    editVariables: () => editVariables(memory),
    setApiKey: keys.setKey,
    clearApiKey: keys.clearKey,
    explainWords: () => explain(''),
    showLog: async () => log.show(),
    async doctor() {
      const running = await evenkeel();
      const found = await withSignal('Looking at this machine', (signal) => running.doctor(signal));
      const lines = [placeLine(context.extension.extensionKind), ...trustLines(), ...found];
      await vscode.window.showTextDocument(documents.uriFor('Evenkeel Doctor', doctorText(lines)));
      return lines;
    },
  };

  return {
    tools,
    execute: (name, args) => guard(() => commands[name](args)),
    async restoreReport(restored, state) {
      const runId = (state as { runId?: unknown } | null | undefined)?.runId;
      const kept = (await evenkeel()).runs;
      const record = await (typeof runId === 'string' ? kept.read(runId) : reports.last()).catch(
        (error: unknown) => {
          log.warn(`the last report cannot be read: ${String(error)}`);
          return null;
        },
      );
      panel.adopt(restored, record);
      if (record !== null) findings.restore(record);
    },
    async addTests(controller) {
      tests ??= createPromptTests(controller, {
        check: (args) => checked(checkPrompt, args),
        read: async (runId) => (await evenkeel()).runs.read(runId),
      });
      await tests;
    },
    offerToResume: async () => void (await guard(() => offerToResume({ ...runs, evenkeel, findings }))),
    async close() {
      runs.close();
      (await tests)?.dispose();
      for (const part of [panel, actions, findings, silenced, documents, sets]) part.dispose();
      await evenkeelNow?.close();
    },
  };
}
