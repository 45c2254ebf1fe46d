/** Checks on a real model, in the extension host, from the packaged VSIX. */
import assert from 'node:assert/strict';
import { readFile, readdir } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import { COMMANDS } from '../../../src/extension/manifest';
import { edit, findingsOf, openFile, reportTabs, until } from './editing';
import { cacheDir, runStore } from './keptRun';

const MODEL = 'local:smollm2-135m';
const PROMPT =
  'You are a support agent. Please say whether the customer is happy or unhappy.\n\nIt broke again.\n';

interface CheckResult {
  runId: string;
  state: string;
  conclusion: string;
}
const check = (args: object = {}) =>
  Promise.resolve(
    vscode.commands.executeCommand<CheckResult | undefined>(COMMANDS.checkRobustness.id, {
      modelId: MODEL,
      ...args,
    }),
  );
const runIds = () => readdir(path.join(cacheDir(), 'runs')).catch((): string[] => []);

/** The run that begins after `before`, and the answers that it has on disk. */
function newRun(before: string[]) {
  const id = async () => (await runIds()).find((entry) => !before.includes(entry));
  return {
    id,
    async answersOnDisk(): Promise<number> {
      const runId = await id();
      if (runId === undefined) return 0;
      const file = path.join(cacheDir(), 'runs', runId, 'samples.jsonl');
      return (await readFile(file, 'utf8').catch(() => '')).split('\n').filter((line) => line !== '').length;
    },
  };
}

describe('a check on a real model', () => {
  before(async () => {
    const configuration = vscode.workspace.getConfiguration('evenkeel');
    await configuration.update('samples', 6, vscode.ConfigurationTarget.Workspace);
    await configuration.update('perturbations', 2, vscode.ConfigurationTarget.Workspace);
    await configuration.update('answerTokens', 8, vscode.ConfigurationTarget.Workspace);
  });
  afterEach(() => vscode.commands.executeCommand('workbench.action.closeAllEditors'));

  it('ends with a report, kept answers and findings that agree with its verdicts', async () => {
    const document = await openFile('check.prompt.md', PROMPT);
    const result = await check();
    assert.equal(result?.state, 'complete');
    const record = await runStore().read(result.runId);
    assert.equal(record.perturbations.length, 2);
    assert.equal(record.samples.length, 3 * 6);
    assert.equal(record.model.id, MODEL);
    assert.equal(record.prompt.text, PROMPT.trim());
    await until('the report', () => reportTabs().length === 1);
    const moved = record.comparisons.filter(({ verdict }) => verdict === 'changed');
    assert.equal(findingsOf(document).length, moved.length);
  });

  it('checks the selection only, at its place in the file', async () => {
    const document = await openFile('part.prompt.md', `# Notes\n\n${PROMPT}\nNot part of it.\n`);
    const start = document.getText().indexOf('You are');
    const selection = new vscode.Selection(
      document.positionAt(start),
      document.positionAt(start + PROMPT.length - 1),
    );
    (vscode.window.activeTextEditor ?? assert.fail('no editor')).selection = selection;
    const result = await check();
    const record = await runStore().read(result?.runId ?? '');
    assert.equal(record.prompt.text, PROMPT.slice(0, -1));
    assert.equal(record.prompt.source?.range.start, start);
  });

  it('binds variables, and sends their values', async () => {
    await openFile('bound.prompt.md', 'Please answer the customer politely. Customer: {{message}}\n');
    const result = await check({ variables: { message: 'It broke.' } });
    const record = await runStore().read(result?.runId ?? '');
    assert.equal(record.conditions[0]?.rendered, 'Please answer the customer politely. Customer: It broke.');
  });

  it('reads a prompt file as the command line does: no front matter, its sample values', async () => {
    const text = `---\nname: mail\nsample:\n  message: It broke.\n---\n\nPlease answer politely. Customer: {{message}}\n`;
    const document = await openFile('front.prompt.md', text);
    const record = await runStore().read((await check())?.runId ?? '');
    assert.equal(record.prompt.text, 'Please answer politely. Customer: {{message}}');
    assert.equal(record.conditions[0]?.rendered, 'Please answer politely. Customer: It broke.');
    assert.equal(record.prompt.source?.range.start, document.getText().indexOf('Please'));
    assert.equal(record.prompt.source?.path.endsWith('front.prompt.md'), true);
  });

  it('checks the section around the cursor in Markdown that is no prompt file, and names its line', async () => {
    const document = await openFile('notes.md', `# To do\n\nBuy milk.\n\n# Prompt\n\n${PROMPT}`);
    const start = document.positionAt(document.getText().indexOf('You are'));
    (vscode.window.activeTextEditor ?? assert.fail('no editor')).selection = new vscode.Selection(
      start,
      start,
    );
    const record = await runStore().read((await check())?.runId ?? '');
    assert.ok(!record.prompt.text.includes('milk'));
    assert.ok(record.prompt.text.includes('You are'));
    assert.match(record.prompt.source?.path ?? '', /notes\.md:5$/);
  });

  it('keeps what it has when it is cancelled in mid-run', async () => {
    await vscode.workspace
      .getConfiguration('evenkeel')
      .update('samples', 200, vscode.ConfigurationTarget.Workspace);
    try {
      await openFile('cancel.prompt.md', PROMPT);
      const run = newRun(await runIds());
      const ending = check();
      await until('answers on disk', async () => (await run.answersOnDisk()) > 0);
      await vscode.commands.executeCommand(COMMANDS.cancelRun.id);
      const result = await ending;
      assert.equal(result?.state, 'cancelled');
      const record = await runStore().read(result.runId);
      const received = record.samples.filter(({ outcome }) => outcome === 'ok').length;
      assert.ok(received > 0 && received < 600, `${received} answers kept`);
      assert.ok((await run.answersOnDisk()) >= received);
    } finally {
      await vscode.workspace
        .getConfiguration('evenkeel')
        .update('samples', 6, vscode.ConfigurationTarget.Workspace);
    }
  });

  it('goes on when the panel is closed in mid-run', async () => {
    await openFile('closed.prompt.md', PROMPT);
    const run = newRun(await runIds());
    const ending = check();
    await until('the panel', () => reportTabs().length === 1);
    await vscode.window.tabGroups.close(reportTabs());
    await until('no panel', () => reportTabs().length === 0);
    const result = await ending;
    assert.equal(result?.state, 'complete');
    assert.equal(await run.id(), result.runId);
    assert.equal(reportTabs().length, 0, 'the panel is not forced open again');
    await vscode.commands.executeCommand(COMMANDS.openLastReport.id);
    await until('the report', () => reportTabs().length === 1);
  });

  it('queues a second check and runs it after the first', async () => {
    await openFile('twice.prompt.md', PROMPT);
    const first = check();
    const second = check({ variables: {} });
    const [one, two] = [await first, await second];
    assert.equal(one?.state, 'complete');
    assert.equal(two?.state, 'complete');
    const [a, b] = [await runStore().read(one.runId), await runStore().read(two.runId)];
    assert.ok(a.finishedAt <= b.startedAt, `${a.finishedAt} before ${b.startedAt}`);
  });

  it('pauses, and goes on without asking anything twice', async () => {
    await vscode.workspace
      .getConfiguration('evenkeel')
      .update('samples', 60, vscode.ConfigurationTarget.Workspace);
    try {
      await openFile('pause.prompt.md', PROMPT.replace('agent', 'person'));
      const run = newRun(await runIds());
      const ending = check();
      await until('answers on disk', async () => (await run.answersOnDisk()) > 0);
      await vscode.commands.executeCommand(COMMANDS.pauseRun.id);
      const paused = await ending;
      assert.equal(paused?.state, 'cancelled');
      const before = await run.answersOnDisk();
      assert.ok(before < 180, `${before} answers before it was paused`);
      const resumed = await vscode.commands.executeCommand<CheckResult>(COMMANDS.resumeRun.id);
      assert.equal(resumed.runId, paused.runId);
      assert.equal(resumed.state, 'complete');
      const record = await runStore().read(resumed.runId);
      assert.equal(record.samples.length, 180);
      assert.equal(
        new Set(record.samples.map(({ conditionId, index }) => `${conditionId}/${index}`)).size,
        180,
      );
      assert.equal(await vscode.commands.executeCommand(COMMANDS.resumeRun.id), undefined, 'nothing is left');
    } finally {
      await vscode.workspace
        .getConfiguration('evenkeel')
        .update('samples', 6, vscode.ConfigurationTarget.Workspace);
    }
  });

  it('lets what waits begin only when the paused check goes on', async () => {
    await vscode.workspace
      .getConfiguration('evenkeel')
      .update('samples', 60, vscode.ConfigurationTarget.Workspace);
    try {
      await openFile('held.prompt.md', PROMPT.replace('agent', 'clerk'));
      const run = newRun(await runIds());
      const first = check();
      await until('answers on disk', async () => (await run.answersOnDisk()) > 0);
      const known = await runIds();
      const second = check({ variables: {} });
      await vscode.commands.executeCommand(COMMANDS.pauseRun.id);
      await first;
      assert.deepEqual((await runIds()).toSorted(), known.toSorted(), 'the second one waits');
      await vscode.commands.executeCommand(COMMANDS.resumeRun.id);
      assert.equal((await second)?.state, 'complete');
    } finally {
      await vscode.workspace
        .getConfiguration('evenkeel')
        .update('samples', 6, vscode.ConfigurationTarget.Workspace);
    }
  });
});

describe('bad input starts nothing', () => {
  const cases: [name: string, text: string, args?: object][] = [
    ['an empty file', ''],
    ['only spaces and line breaks', ' \n\t\n'],
    ['200,000 characters', 'word '.repeat(40_000)],
    ['binary content', 'GIF89a\u0000\u0001\u0002'],
    ['a model that does not exist', PROMPT, { modelId: 'local:no-such-model' }],
    ['an id without a provider', PROMPT, { modelId: 'gpt' }],
    ['an Ollama server that is down', PROMPT, { modelId: 'ollama:smollm2:135m' }],
  ];
  for (const [name, text, args] of cases) {
    it(name, async () => {
      await vscode.workspace
        .getConfiguration('evenkeel')
        .update('ollama.url', 'http://127.0.0.1:9', vscode.ConfigurationTarget.Workspace);
      // VS Code opens no file with a NUL in it, but shows one that got it while open.
      await edit(await openFile('bad.prompt.md', ''), 0, 0, text);
      const before = await runStore().list();
      assert.equal(await check(args), undefined);
      assert.deepEqual(await runStore().list(), before);
      assert.equal(findingsOf(vscode.window.activeTextEditor?.document ?? assert.fail()).length, 0);
      await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    });
  }

  it('no editor at all', async () => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    assert.equal(await check(), undefined);
  });
});
