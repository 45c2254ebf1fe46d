/** Prompts of the workspace in the Test Explorer: each prompt file is a test, each kind of change a child of it. */
import * as vscode from 'vscode';
import type { RunRecord } from '../contracts/runRecord';
import type { CheckArguments } from './checkPrompt';
import { wordingOf } from './findingText';
import { PROMPT_GLOB } from './manifest';
import { isFree } from './reviewPerturbations';
import type { RunResult } from './runShown';
import { readSettings } from './settings';
import { TEST_KINDS, kindResult, type TestKind } from './testResults';
import { locatePrompt, visibleSpan } from './trackedSpans';
import { signalOf } from './withSignal';

export interface PromptTestDeps {
  check(args: CheckArguments): Promise<RunResult | undefined>;
  read(runId: string): Promise<RunRecord>;
}

/** Skipped like in a search, and folders that hold copies of other people's prompts. */
const EXCLUDED = '**/{node_modules,.git,dist,out}/**';
const MOST_FILES = 2_000;
const KINDS = Object.keys(TEST_KINDS) as TestKind[];

/** Fills `controller` and follows the files. Nothing is asked of a model before a test is run. */
export async function createPromptTests(
  controller: vscode.TestController,
  deps: PromptTestDeps,
): Promise<vscode.Disposable> {
  const add = (uri: vscode.Uri) => {
    const item = controller.createTestItem(uri.toString(), vscode.workspace.asRelativePath(uri), uri);
    item.range = new vscode.Range(0, 0, 0, 0);
    for (const kind of KINDS) {
      item.children.add(controller.createTestItem(`${uri.toString()}#${kind}`, TEST_KINDS[kind], uri));
    }
    controller.items.add(item);
  };
  const watcher = vscode.workspace.createFileSystemWatcher(PROMPT_GLOB);
  const run = (request: vscode.TestRunRequest, token: vscode.CancellationToken) => {
    if (request.continuous !== true) return runTests(controller, deps, request, token);
    const listener = vscode.workspace.onDidSaveTextDocument((document) => {
      const item = controller.items.get(document.uri.toString());
      const wanted = request.include === undefined || request.include.some((one) => isPartOf(one, item));
      if (item === undefined || !wanted) return;
      const { modelId, continuousAnyModel } = readSettings(document.uri);
      // Saving is no consent to spend money.
      if (!isFree(modelId) && !continuousAnyModel) return;
      void runTests(controller, deps, new vscode.TestRunRequest([item], undefined, request.profile), token);
    });
    token.onCancellationRequested(() => listener.dispose());
    return undefined;
  };
  const profile = controller.createRunProfile(
    vscode.l10n.t('Check robustness'),
    vscode.TestRunProfileKind.Run,
    run,
    true,
    undefined,
    true,
  );
  const files = await vscode.workspace.findFiles(PROMPT_GLOB, EXCLUDED, MOST_FILES);
  files.forEach(add);
  return vscode.Disposable.from(
    watcher,
    profile,
    watcher.onDidCreate((uri) => {
      if (!/\/(?:node_modules|\.git|dist|out)\//.test(uri.path)) add(uri);
    }),
    watcher.onDidDelete((uri) => controller.items.delete(uri.toString())),
  );
}

const isPartOf = (one: vscode.TestItem, item: vscode.TestItem | undefined) =>
  one === item || one.parent === item;

/** One check per file: its children take the results that concern them. */
async function runTests(
  controller: vscode.TestController,
  deps: PromptTestDeps,
  request: vscode.TestRunRequest,
  token: vscode.CancellationToken,
): Promise<void> {
  const run = controller.createTestRun(request);
  const byFile = new Map<vscode.TestItem, vscode.TestItem[]>();
  const included = request.include ?? [...controller.items].map(([, item]) => item);
  for (const item of included) {
    const file = item.parent ?? item;
    const children = item.parent === undefined ? [...item.children].map(([, child]) => child) : [item];
    const kept = children.filter((child) => !isExcluded(child, request.exclude));
    byFile.set(file, [...(byFile.get(file) ?? []), ...kept]);
  }
  for (const children of byFile.values()) children.forEach((child) => run.enqueued(child));
  const signal = AbortSignal.any([signalOf(token), signalOf(run.token)]);
  for (const [file, children] of byFile) {
    if (signal.aborted || children.length === 0 || file.uri === undefined) continue;
    await runFile(run, deps, file.uri, children, signal);
  }
  run.end();
}

const isExcluded = (item: vscode.TestItem, excluded: readonly vscode.TestItem[] | undefined) =>
  excluded?.some((one) => one === item || one === item.parent) === true;

const kindOf = (item: vscode.TestItem) => item.id.slice(item.id.lastIndexOf('#') + 1) as TestKind;

async function runFile(
  run: vscode.TestRun,
  deps: PromptTestDeps,
  uri: vscode.Uri,
  children: vscode.TestItem[],
  signal: AbortSignal,
): Promise<void> {
  children.forEach((child) => run.started(child));
  const kinds = children.map(kindOf);
  let record: RunRecord;
  try {
    const whole = kinds.length === KINDS.length;
    const result = await deps.check({ uri, signal, ...(whole ? {} : { kinds }) });
    if (result === undefined) return children.forEach((child) => run.skipped(child));
    record = await deps.read(result.runId);
  } catch (error) {
    const message = new vscode.TestMessage(error instanceof Error ? error.message : String(error));
    return children.forEach((child) => run.errored(child, message));
  }
  const document = await vscode.workspace.openTextDocument(uri);
  const offset = locatePrompt(document.getText(), record.prompt.text, record.prompt.source?.range.start ?? 0);
  for (const child of children) {
    const { state, failures, notes } = kindResult(record, kindOf(child));
    for (const note of notes) run.appendOutput(`${note.replaceAll('\n', ' ')}\r\n`, undefined, child);
    if (state === 'skipped') run.skipped(child);
    else if (state === 'passed') run.passed(child, record.actual.seconds * 1000);
    else {
      const messages = failures.map(({ perturbation, message }) => {
        const found = new vscode.TestMessage(`${message}\n${wordingOf(perturbation, record.prompt.text)}`);
        const span = visibleSpan(perturbation, record.prompt.text);
        if (offset !== null) {
          const [start, end] = [span.start + offset, span.end + offset].map((at) => document.positionAt(at));
          found.location = new vscode.Location(uri, new vscode.Range(start!, end!));
        }
        return found;
      });
      run.failed(child, messages, record.actual.seconds * 1000);
    }
  }
}
