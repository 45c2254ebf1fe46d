import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { COMMANDS } from '../../../src/extension/manifest';
import { edit, findingsOf, openFile, reportTabs, underlined, until } from './editing';
import type { KnownChange } from '../knownRun';
import { keepRun } from './keptRun';

const TEXT = 'You are terse.\nSay positive or negative, and never explain.\nReview: it broke.\n';
const at = (text: string, words: string) => {
  const start = text.indexOf(words);
  return { start, end: start + words.length };
};
const changesOf = (text: string): KnownChange[] => [
  {
    id: 'order',
    span: at(text, 'positive or negative'),
    replacement: 'negative or positive',
    verdict: 'changed',
  },
  {
    id: 'insertion',
    span: { start: text.indexOf('Review'), end: text.indexOf('Review') },
    sentence: at(text, 'Review: it broke.'),
    replacement: ' ',
    verdict: 'changed',
  },
  { id: 'steady', span: at(text, 'terse'), replacement: 'brief', verdict: 'noChangeDetected' },
  {
    id: 'wanted',
    span: at(text, 'never explain'),
    replacement: 'explain',
    verdict: 'changed',
    expectation: 'meaningful',
  },
];
const openReport = () => vscode.commands.executeCommand(COMMANDS.openLastReport.id);

describe('findings', () => {
  afterEach(async () => {
    await vscode.commands.executeCommand(COMMANDS.clearFindings.id);
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });

  it('underlines exactly what moved the answers, or the sentence of an insertion', async () => {
    const document = await openFile('findings.prompt.md', TEXT);
    await keepRun(document, changesOf(TEXT));
    await openReport();
    assert.deepEqual(underlined(document), ['positive or negative', 'Review: it broke.']);
    await until('the report', () => reportTabs().length === 1);
  });

  it('says what was changed, the effect with its interval, the adjusted p and the model', async () => {
    const document = await openFile('findings.prompt.md', TEXT);
    await keepRun(document, changesOf(TEXT));
    await openReport();
    const [finding] = findingsOf(document);
    assert.ok(finding);
    assert.equal(finding.severity, vscode.DiagnosticSeverity.Warning);
    for (const part of ['Change order', '0.42', '0.21 to 0.63', 'adjusted p = 0.012', 'known']) {
      assert.ok(finding.message.includes(part), `${part} in: ${finding.message}`);
    }
    assert.match(
      finding.relatedInformation?.[0]?.message ?? '',
      /“positive or negative” → “negative or positive”/,
    );
  });

  it('links to the answers of both wordings', async () => {
    const document = await openFile('findings.prompt.md', TEXT);
    await keepRun(
      document,
      changesOf(TEXT).map((change) => ({ ...change, answer: 'A telling answer.' })),
    );
    await openReport();
    const code = findingsOf(document)[0]?.code;
    assert.ok(typeof code === 'object');
    const answers = await vscode.workspace.openTextDocument(code.target);
    assert.match(
      answers.getText(),
      /YOUR WORDING: 4 answers[^]*positive[^]*WITH THE CHANGE[^]*A telling answer\./,
    );
  });

  it('shows answers in a hover as inert text', async () => {
    const document = await openFile('findings.prompt.md', TEXT);
    const hostile = '```\n[x](command:workbench.action.quit) <img src=x>\u202e';
    await keepRun(
      document,
      changesOf(TEXT).map((change) => ({ ...change, answer: hostile })),
    );
    await openReport();
    const hovers = await vscode.commands.executeCommand<vscode.Hover[]>(
      'vscode.executeHoverProvider',
      document.uri,
      document.positionAt(TEXT.indexOf('positive') + 2),
    );
    const texts = hovers.flatMap(({ contents }) =>
      contents.filter((part) => part instanceof vscode.MarkdownString),
    );
    const text = texts.find(({ value }) => value.includes('WITH THE CHANGE'));
    assert.ok(text, 'a hover with the answers');
    assert.ok(!text.isTrusted);
    assert.ok(!text.supportHtml);
    const [, fence = ''] = /\n(`{3,})text\n/.exec(text.value) ?? [];
    assert.ok(fence.length > 3, 'the fence is longer than any run of backticks inside');
    assert.ok(!text.value.includes('\u202e'));
  });

  it('follows edits elsewhere, and says at once when a finding’s own words are edited', async () => {
    const document = await openFile('findings.prompt.md', TEXT);
    await keepRun(document, changesOf(TEXT));
    await openReport();
    await edit(document, 0, 0, 'Line one.\n🙂 Line two.\n');
    assert.deepEqual(underlined(document), ['positive or negative', 'Review: it broke.']);
    const inside = document.getText().indexOf('or negative');
    await edit(document, inside, inside + 2, 'and');
    assert.deepEqual(underlined(document), ['positive and negative', 'Review: it broke.']);
    const [stale, fresh] = findingsOf(document);
    assert.match(stale?.message ?? '', /^Stale: these words have changed/);
    assert.equal(stale?.severity, vscode.DiagnosticSeverity.Hint);
    assert.equal(fresh?.severity, vscode.DiagnosticSeverity.Warning);
  });

  it('is true again after an undo, and after another one', async () => {
    const document = await openFile('findings.prompt.md', TEXT);
    await keepRun(document, changesOf(TEXT));
    await openReport();
    const start = TEXT.indexOf('positive');
    await edit(document, start, start + 'positive or negative'.length, '');
    assert.match(findingsOf(document)[0]?.message ?? '', /^Stale/);
    await edit(document, start, start, 'x');
    assert.match(findingsOf(document)[0]?.message ?? '', /^Stale/);
    await vscode.commands.executeCommand('undo');
    await vscode.commands.executeCommand('undo');
    await until('the words', () => document.getText() === TEXT);
    assert.deepEqual(underlined(document), ['positive or negative', 'Review: it broke.']);
    assert.ok(findingsOf(document).every(({ message }) => !message.startsWith('Stale')));
  });

  it('underlines words once that several changes moved, the strongest first', async () => {
    const document = await openFile('findings.prompt.md', TEXT);
    const span = at(TEXT, 'terse');
    await keepRun(document, [
      { id: 'weak', span, replacement: 'brief', verdict: 'changed', effect: 0.2 },
      { id: 'strong', span, replacement: 'curt', verdict: 'changed', effect: 0.7 },
    ]);
    await openReport();
    const found = findingsOf(document);
    assert.equal(found.length, 1);
    assert.match(found[0]?.message ?? '', /^Change strong[^]*One other change of these words moved them too/);
    assert.deepEqual(
      found[0]?.relatedInformation?.map(({ message }) => message.replace(/.*?“/, '“')),
      ['“terse” → “curt”', '“terse” → “brief”'],
    );
  });

  it('tells quietly of a change that should have mattered and did not', async () => {
    const document = await openFile('findings.prompt.md', TEXT);
    const span = at(TEXT, 'never explain');
    await keepRun(document, [
      { id: 'dead', span, replacement: 'sing', verdict: 'noChangeDetected', expectation: 'meaningful' },
    ]);
    await openReport();
    const [finding] = findingsOf(document);
    assert.equal(finding?.severity, vscode.DiagnosticSeverity.Information);
    assert.match(finding?.message ?? '', /although one was expected/);
  });

  it('brings a finding back when its words are put back', async () => {
    const document = await openFile('findings.prompt.md', TEXT);
    await keepRun(document, changesOf(TEXT));
    await openReport();
    const inside = TEXT.indexOf('or negative');
    await edit(document, inside, inside + 2, 'and');
    assert.match(findingsOf(document)[0]?.message ?? '', /^Stale/);
    await edit(document, inside, inside + 3, 'or');
    assert.deepEqual(underlined(document), ['positive or negative', 'Review: it broke.']);
    assert.doesNotMatch(findingsOf(document)[0]?.message ?? '', /^Stale/);
  });

  it('is exact in a file with Windows line ends and characters outside the basic plane', async () => {
    const text = `🙂 é\r\n${TEXT.replaceAll('\n', '\r\n')}`;
    const document = await openFile('windows.prompt.md', text);
    assert.equal(document.eol, vscode.EndOfLine.CRLF);
    await keepRun(document, changesOf(text));
    await openReport();
    assert.deepEqual(underlined(document), ['positive or negative', 'Review: it broke.']);
  });

  it('shows nothing in a file whose prompt is another one now', async () => {
    const document = await openFile('findings.prompt.md', TEXT);
    await keepRun(document, changesOf(TEXT));
    await edit(document, 0, 3, 'We');
    await openReport();
    assert.deepEqual(underlined(document), []);
  });
});
