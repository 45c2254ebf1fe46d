/** What can be done about a finding: quick fixes, hover links, silence. */
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { COMMANDS, FINDING_COMMANDS } from '../../../src/extension/manifest';
import { edit, findingsOf, openFile, underlined, until } from './editing';
import { keepRun, runStore } from './keptRun';

const TEXT = 'You are terse.\nSay positive or negative, and never explain.\n';
const WORDS = 'positive or negative';
const span = { start: TEXT.indexOf(WORDS), end: TEXT.indexOf(WORDS) + WORDS.length };
const change = { id: 'order', span, replacement: 'negative or positive', verdict: 'changed' as const };
const VARYING = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j'];

const openReport = () => vscode.commands.executeCommand(COMMANDS.openLastReport.id);
const rangeOf = (document: vscode.TextDocument) =>
  new vscode.Range(document.positionAt(span.start + 1), document.positionAt(span.start + 1));
const actionsOn = (document: vscode.TextDocument): Thenable<vscode.CodeAction[]> =>
  vscode.commands.executeCommand('vscode.executeCodeActionProvider', document.uri, rangeOf(document));
const titled = (actions: vscode.CodeAction[], title: string) =>
  actions.find((action) => action.title.startsWith(title)) ?? assert.fail(`no action “${title}”`);
async function runAction(document: vscode.TextDocument, title: string): Promise<void> {
  const { command } = titled(await actionsOn(document), title);
  assert.ok(command);
  await vscode.commands.executeCommand(command.command, ...(command.arguments ?? []));
}
async function hoverOn(document: vscode.TextDocument): Promise<vscode.MarkdownString[]> {
  const hovers = await vscode.commands.executeCommand<vscode.Hover[]>(
    'vscode.executeHoverProvider',
    document.uri,
    document.positionAt(span.start + 2),
  );
  return hovers.flatMap(({ contents }) => contents.filter((part) => part instanceof vscode.MarkdownString));
}
const silencedFile = () =>
  vscode.Uri.joinPath(
    vscode.workspace.workspaceFolders?.[0]?.uri ?? assert.fail(),
    '.evenkeel/silenced.json',
  );

describe('what can be done about a finding', () => {
  afterEach(async () => {
    await vscode.commands.executeCommand(COMMANDS.clearFindings.id);
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await vscode.workspace.fs.delete(silencedFile()).then(undefined, () => undefined);
  });
  const shown = async (baseline?: string[], changes = [change]) => {
    const document = await openFile('actions.prompt.md', TEXT);
    await keepRun(document, changes, baseline);
    await openReport();
    assert.equal(findingsOf(document).length, 1);
    return document;
  };

  it('offers answers, another check, silence and an explanation', async () => {
    const titles = (await actionsOn(await shown())).map(({ title }) => title);
    for (const { title } of Object.values(FINDING_COMMANDS)) assert.ok(titles.includes(title), title);
  });

  it('offers nothing where nothing is underlined', async () => {
    const document = await shown();
    const start = new vscode.Range(0, 0, 0, 0);
    const actions = await vscode.commands.executeCommand<vscode.CodeAction[]>(
      'vscode.executeCodeActionProvider',
      document.uri,
      start,
    );
    assert.ok(actions.every(({ title }) => title !== FINDING_COMMANDS.silence.title));
  });

  it('offers a wording whose answers were significantly more alike, as an edit that can be undone', async () => {
    const document = await shown(VARYING, [{ ...change, answer: 'negative' } as typeof change]);
    const action = titled(await actionsOn(document), 'Use this steadier wording');
    assert.match(
      action.title,
      /“positive or negative” → “negative or positive” \(10 of 10 answers alike, now 1 of 10\)$/,
    );
    assert.ok(action.edit);
    await vscode.workspace.applyEdit(action.edit);
    assert.equal(document.getText(), TEXT.replace(WORDS, 'negative or positive'));
    await vscode.commands.executeCommand('undo');
    await until('the old wording', () => document.getText() === TEXT);
  });

  it('does not offer a wording that moved the answers without making them steadier', async () => {
    const document = await shown(Array<string>(10).fill('positive'));
    const titles = (await actionsOn(document)).map(({ title }) => title);
    assert.ok(titles.every((title) => !title.startsWith('Use this steadier')));
  });

  it('does not offer a wording for words that have been edited', async () => {
    const document = await shown(VARYING, [{ ...change, answer: 'negative' } as typeof change]);
    await edit(document, span.start, span.start + 1, 'P');
    const titles = (await actionsOn(document)).map(({ title }) => title);
    assert.ok(titles.every((title) => !title.startsWith('Use this steadier')));
    assert.ok(titles.includes(FINDING_COMMANDS.checkAgain.title));
  });

  it('shows every answer of both wordings', async () => {
    const document = await shown();
    await runAction(document, FINDING_COMMANDS.showAnswers.title);
    assert.match(vscode.window.activeTextEditor?.document.getText() ?? '', /YOUR WORDING: 4 answers/);
  });

  it('silences without touching the prompt: in a file that can be shared', async () => {
    const document = await shown();
    await runAction(document, FINDING_COMMANDS.silence.title);
    assert.deepEqual(underlined(document), []);
    assert.equal(document.getText(), TEXT);
    assert.equal(document.isDirty, false);
    const list = JSON.parse(
      Buffer.from(await vscode.workspace.fs.readFile(silencedFile())).toString(),
    ) as object;
    assert.deepEqual(list, {
      silenced: [
        { path: vscode.workspace.asRelativePath(document.uri), words: WORDS, change: 'Change order' },
      ],
    });
    assert.deepEqual(await hoverOn(document), []);
  });

  it('hears again what is taken off the list', async () => {
    const document = await shown();
    await runAction(document, FINDING_COMMANDS.silence.title);
    await vscode.workspace.fs.writeFile(silencedFile(), Buffer.from('{"silenced":[]}'));
    await until('the finding', () => underlined(document).length === 1);
  });

  it('says so when the list is something else, and leaves it alone', async () => {
    const document = await shown();
    await vscode.workspace.fs.writeFile(silencedFile(), Buffer.from('my notes'));
    await runAction(document, FINDING_COMMANDS.silence.title);
    assert.equal(Buffer.from(await vscode.workspace.fs.readFile(silencedFile())).toString(), 'my notes');
    assert.deepEqual(underlined(document), [WORDS]);
  });

  it('explains its figures', async () => {
    const document = await shown();
    await runAction(document, FINDING_COMMANDS.explain.title);
    await until('the glossary', () =>
      vscode.window.tabGroups.all.some(({ tabs }) =>
        tabs.some(({ label }) => /What the words mean/.test(label)),
      ),
    );
  });

  it('lets only its own links run commands, and shows a plot with hostile names as text', async () => {
    const hostile = '</text><script>alert(1)</script> [x](command:workbench.action.quit)';
    const document = await shown(undefined, [{ ...change, name: hostile, answer: hostile } as typeof change]);
    const parts = await hoverOn(document);
    const trusted = parts.filter(({ isTrusted }) => isTrusted !== undefined && isTrusted !== false);
    assert.equal(trusted.length, 1);
    const trust = trusted[0]?.isTrusted;
    assert.ok(typeof trust === 'object');
    assert.deepEqual(
      [...trust.enabledCommands].sort(),
      Object.values(FINDING_COMMANDS)
        .map(({ id }) => id)
        .sort(),
    );
    assert.ok(!trusted[0]?.value.includes('script'));
    const picture = parts
      .map(({ value }) => /base64,([^|]+)/.exec(value)?.[1])
      .find((data) => data !== undefined);
    const svg = Buffer.from(picture ?? assert.fail('no picture'), 'base64').toString();
    assert.match(svg, /^<svg [^]*<circle/);
    assert.ok(!svg.includes('<script'));
    assert.match(svg, /&lt;\/text&gt;&lt;script&gt;/);
  });

  it('checks the sentence again: only changes of it, in the whole prompt', async function () {
    this.timeout(240_000);
    const configuration = vscode.workspace.getConfiguration('evenkeel');
    await configuration.update('samples', 4, vscode.ConfigurationTarget.Workspace);
    await configuration.update('answerTokens', 4, vscode.ConfigurationTarget.Workspace);
    const document = await openFile('again.prompt.md', TEXT);
    const result = await vscode.commands.executeCommand<{ runId: string }>(COMMANDS.checkRobustness.id, {
      uri: document.uri,
      modelId: 'local:smollm2-135m',
      within: span,
    });
    const record = await runStore().read(result.runId);
    assert.equal(record.prompt.text, TEXT.trim());
    assert.ok(record.perturbations.length > 1);
    const second = { start: TEXT.indexOf('Say'), end: TEXT.trim().length };
    for (const { sentence, name } of record.perturbations) {
      assert.ok(sentence && sentence.start >= second.start && sentence.end <= second.end, name);
    }
  });
});
