/** Perturbations reviewed as YAML, then asked: in the extension host, from the packaged VSIX, on a real model. */
import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import { flipsRecordSchema } from '../../../src/contracts/flipsRecord';
import { COMMANDS } from '../../../src/extension/manifest';
import { parsePerturbationSet } from '../../../src/perturb/perturbationSetFile';
import { edit, openFile, until } from './editing';
import { cacheDir } from './keptRun';

const PROMPT = 'Is the review below good? Please answer Yes or No.\n\nThe soup was cold, and nobody cared.\n';
const runIds = () => readdir(path.join(cacheDir(), 'runs')).catch((): string[] => []);

async function review(name: string): Promise<vscode.TextDocument> {
  await openFile(name, PROMPT);
  const made = await vscode.commands.executeCommand<{ uri: string } | undefined>(
    COMMANDS.reviewPerturbations.id,
  );
  const document = vscode.workspace.textDocuments.find(({ uri }) => uri.toString() === made?.uri);
  return document ?? assert.fail('no set was opened');
}

const replace = async (document: vscode.TextDocument, was: string, becomes: string, from = 0) => {
  const start = document.getText().indexOf(was, from);
  assert.ok(start >= 0, `no ${was} in the set`);
  await edit(document, start, start + was.length, becomes);
};
const run = (document: vscode.TextDocument) =>
  Promise.resolve(
    vscode.commands.executeCommand<{ runId: string; state: string } | undefined>(COMMANDS.runFlips.id, {
      uri: document.uri,
      modelId: 'local:smollm2-135m',
    }),
  );
const lensesOf = (document: vscode.TextDocument) =>
  vscode.commands.executeCommand<vscode.CodeLens[]>('vscode.executeCodeLensProvider', document.uri);
const setTabs = () =>
  vscode.window.tabGroups.all.flatMap(({ tabs }) =>
    tabs.flatMap(({ input }) => (input instanceof vscode.TabInputText ? [input.uri.path] : [])),
  );
const faultsOf = (document: vscode.TextDocument) =>
  vscode.languages.getDiagnostics(document.uri).filter(({ source }) => source === 'Evenkeel');

describe('perturbations reviewed before anything is asked', () => {
  before(() =>
    vscode.workspace
      .getConfiguration('evenkeel')
      .update('perturbations', 6, vscode.ConfigurationTarget.Workspace),
  );
  after(() =>
    vscode.workspace
      .getConfiguration('evenkeel')
      .update('perturbations', 2, vscode.ConfigurationTarget.Workspace),
  );
  afterEach(async () => {
    for (const document of vscode.workspace.textDocuments) if (document.isDirty) await document.save();
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });

  it('opens them as YAML beside the prompt, with what each changes; nothing is asked', async () => {
    const before = await runIds();
    const document = await review('reviewed.prompt.md');
    assert.equal(document.languageId, 'yaml');
    assert.ok(document.uri.path.endsWith('reviewed.prompt.md.perturbations.yaml'));
    const set = parsePerturbationSet(document.getText());
    assert.equal(set.prompt, PROMPT.trim());
    assert.equal(set.perturbations.length, 6);
    assert.match(document.getText(), /^ *# [-+] /m);
    assert.equal(setTabs().filter((tab) => tab === document.uri.path).length, 1);
    assert.equal(vscode.window.visibleTextEditors.length, 2);
    const [lens, summary] = await lensesOf(document);
    assert.equal(lens?.command?.command, COMMANDS.runFlips.id);
    assert.match(summary?.command?.title ?? '', /^6 of 6 used: /);
    assert.deepEqual(await runIds(), before);
  });

  it('asks what was left of it: a rejected one not, a relabelled one as labelled, an own one too', async () => {
    const document = await review('edited.prompt.md');
    const [rejected, relabelled] = parsePerturbationSet(document.getText()).perturbations;
    await replace(document, 'use: true', 'use: false');
    const second = document.getText().indexOf(`id: ${relabelled!.id}`);
    await replace(document, 'relabel:', 'relabel: 2', second);
    const own = `  - id: mine\n    text: "Is this review bad? Answer Yes or No. It was cold."\n    strength: 3\n`;
    const end = document.getText().indexOf('rejected:');
    await edit(document, end, end, own);
    const summary = (await lensesOf(document))[1]?.command?.title ?? '';
    assert.match(summary, /^6 of 7 used, 2 labels of yours: /);

    const result = await run(document);
    assert.equal(result?.state, 'complete');
    const file = path.join(cacheDir(), 'runs', result.runId, 'record.json');
    const record = flipsRecordSchema.parse(JSON.parse(await readFile(file, 'utf8')));
    const asked = new Map(record.conditions.map(({ perturbation }) => [perturbation?.id, perturbation]));
    assert.equal(asked.size, 7);
    assert.ok(!asked.has(rejected!.id));
    assert.deepEqual(asked.get(relabelled!.id)?.strength, { level: 2, source: 'user' });
    assert.equal(asked.get('mine')?.strength.level, 3);
    const saved = await readFile(document.uri.fsPath, 'utf8');
    assert.match(saved, /relabel: 2/, 'the labels are on disk');
    assert.deepEqual(
      setTabs().filter((tab) => tab === document.uri.path),
      [document.uri.path],
      'the set stays open, once',
    );
    await until('the result', () =>
      vscode.window.tabGroups.all.some(({ tabs }) =>
        tabs.some(({ label }) => label.startsWith('Flip rates')),
      ),
    );
  });

  it('shows a fault at its line, asks nothing while it is there, and forgets it when it is mended', async () => {
    const document = await review('faulty.prompt.md');
    const before = await runIds();
    await replace(document, 'expectation: ', 'expectaton: ');
    await until('the fault', () => faultsOf(document).length === 1);
    const [fault] = faultsOf(document);
    assert.ok(document.lineAt(fault!.range.start.line).text.includes('expectaton'));
    assert.match(fault!.message, /no key 'expectaton'.*nearest is 'expectation'/);
    assert.equal(await run(document), undefined);
    assert.deepEqual(await runIds(), before);
    await replace(document, 'expectaton: ', 'expectation: ');
    await until('no fault', () => faultsOf(document).length === 0);
  });
});
