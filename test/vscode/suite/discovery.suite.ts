/** Prompts that are found in documents: the lines above them, checks of them, and findings on their exact ranges. */
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { COMMANDS, SETTINGS } from '../../../src/extension/manifest';
import { keepKnownRun } from '../knownRun';
import { edit, findingsOf, openFile, underlined, until } from './editing';
import { cacheDir, runStore } from './keptRun';

const MODEL = 'local:smollm2-135m';
const SOURCE = [
  `import OpenAI from 'openai';`,
  `const promptColor = 'red and blue and green and yellow and more';`,
  `export const systemPrompt = 'You are \\u{1F600} terse.\\n' +`,
  `  "Say \\"yes\\" or never explain.";`,
  ``,
  `export const ask = (question: string) =>`,
  `  client.chat.completions.create({`,
  `    messages: [{ role: 'user', content: \`Is it new? \${question}\` }],`,
  `  });`,
  ``,
].join('\n');

interface CheckResult {
  runId: string;
  state: string;
}
const lensesOf = async (document: vscode.TextDocument) =>
  (
    await vscode.commands.executeCommand<vscode.CodeLens[]>(
      'vscode.executeCodeLensProvider',
      document.uri,
      99,
    )
  )
    .filter(({ command }) => command?.command.startsWith('evenkeel.'))
    .map(({ range, command }) => ({
      line: range.start.line + 1,
      title: command?.title,
      arguments: command?.arguments,
    }));
const titles = async (document: vscode.TextDocument) =>
  (await lensesOf(document)).map(({ line, title }) => `${line}: ${title}`);
const putCursor = (document: vscode.TextDocument, words: string) => {
  const at = document.positionAt(document.getText().indexOf(words));
  (vscode.window.activeTextEditor ?? assert.fail('no editor')).selection = new vscode.Selection(at, at);
};
const check = (args: object = {}) =>
  Promise.resolve(
    vscode.commands.executeCommand<CheckResult | undefined>(COMMANDS.checkRobustness.id, {
      modelId: MODEL,
      ...args,
    }),
  );
const setting = (key: string, value: unknown) =>
  vscode.workspace.getConfiguration().update(key, value, vscode.ConfigurationTarget.Workspace);

describe('prompts that are found', () => {
  before(async () => {
    await setting('evenkeel.samples', 6);
    await setting('evenkeel.perturbations', 2);
    await setting('evenkeel.answerTokens', 8);
  });
  afterEach(async () => {
    await vscode.commands.executeCommand(COMMANDS.clearFindings.id);
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });

  it('have a line above them, and ordinary strings have none', async () => {
    const document = await openFile('ask.ts', SOURCE);
    assert.deepEqual(await titles(document), ['3: Check robustness', '8: Check robustness']);
    const [first] = await lensesOf(document);
    assert.deepEqual(first?.arguments, [{ uri: document.uri.toString(), symbol: 'systemPrompt' }]);
    const plain = await openFile('plain.ts', `const promptColor = 'red';\nconst system = 'linux';\n`);
    assert.deepEqual(await titles(plain), []);
  });

  it('are found in Python, prompt files and promptfoo configurations', async () => {
    const python = await openFile(
      'ask.py',
      'import openai\n\nSYSTEM_PROMPT = """\nYou are {who}, be kind.\n"""\n',
    );
    assert.deepEqual(await titles(python), ['3: Check robustness']);
    const whole = await openFile('x.prompt.md', '---\nname: x\n---\n\nYou are kind.\n');
    assert.deepEqual(await titles(whole), ['5: Check robustness']);
    const listed = await openFile(
      'promptfooconfig.yaml',
      'providers: [x]\nprompts:\n  - Tell of {{topic}}.\n  - file://a.txt\n',
    );
    assert.deepEqual(await titles(listed), ['3: Check robustness']);
  });

  it('are found in the cells of a notebook', async () => {
    const code = ['%time\n', 'system_prompt = f"You are {who}, be kind."\n'];
    const cells = [{ cell_type: 'code', source: code, metadata: {}, outputs: [], execution_count: null }];
    const metadata = { language_info: { name: 'python' } };
    const folder = vscode.workspace.workspaceFolders?.[0]?.uri ?? assert.fail('no folder');
    const uri = vscode.Uri.joinPath(folder, 'cells.ipynb');
    await vscode.workspace.fs.writeFile(
      uri,
      Buffer.from(JSON.stringify({ cells, metadata, nbformat: 4, nbformat_minor: 5 })),
    );
    const notebook = await vscode.workspace.openNotebookDocument(uri);
    await vscode.window.showNotebookDocument(notebook);
    const { document } = notebook.cellAt(0);
    // The window makes the cell's text when it shows it.
    await until('the cell', () =>
      titles(document).then(
        (shown) => shown.length === 1,
        () => false,
      ),
    );
    assert.deepEqual(await titles(document), ['2: Check robustness']);
  });

  it('follow edits, also while the code is broken', async () => {
    const document = await openFile('edited.ts', SOURCE);
    assert.equal((await titles(document)).length, 2);
    await edit(document, 0, 0, '// one\n// two\n');
    assert.deepEqual(await titles(document), ['5: Check robustness', '10: Check robustness']);
    const end = document.getText().length;
    await edit(document, end, end, 'function ( {{ \nconst userPrompt = "Answer the question, please.";');
    assert.deepEqual((await titles(document)).slice(0, 2), ['5: Check robustness', '10: Check robustness']);
    await edit(document, 0, document.getText().length, 'const x = 1;\n');
    assert.deepEqual(await titles(document), []);
  });

  it('have no line when the setting is off', async () => {
    const document = await openFile('off.ts', SOURCE);
    await setting(SETTINGS.codeLens.key, false);
    try {
      assert.deepEqual(await titles(document), []);
    } finally {
      await setting(SETTINGS.codeLens.key, undefined);
    }
    assert.equal((await titles(document)).length, 2);
  });

  it('are checked when the cursor is in them, as the model gets them, and then show the verdict', async () => {
    const document = await openFile('checked.ts', SOURCE);
    putCursor(document, 'never explain');
    const result = await check();
    assert.equal(result?.state, 'complete');
    const record = await runStore().read(result.runId);
    assert.equal(record.prompt.text, 'You are 😀 terse.\nSay "yes" or never explain.');
    assert.equal(record.prompt.source?.symbol, 'systemPrompt');
    const shown = await titles(document);
    assert.equal(shown.length, 3);
    assert.match(shown[1] ?? '', /^3: last: \w[\w ]*, just now$/);
    const last = (await lensesOf(document))[1];
    assert.deepEqual(last?.arguments, [{ runId: result.runId }]);
    // Of another wording it is said.
    const at = document.getText().indexOf('terse');
    await edit(document, at, at + 5, 'brief');
    assert.match((await titles(document))[1] ?? '', /just now, edited since$/);
  });

  it('are checked from their line, with the values of their variables', async () => {
    const document = await openFile('values.ts', SOURCE);
    const lens = (await lensesOf(document))[1];
    const [target] = (lens?.arguments ?? []) as object[];
    const result = await check({ ...target, variables: { question: 'A new phone' } });
    const record = await runStore().read(result?.runId ?? '');
    assert.equal(record.prompt.text, 'Is it new? ${question}');
    assert.equal(record.conditions[0]?.rendered, 'Is it new? A new phone');
  });

  it('are asked for where several are in a file and the cursor is in none', async () => {
    await openFile('several.ts', SOURCE);
    assert.equal(await check(), undefined);
  });

  it('are underlined on their exact ranges, through escapes and over a concatenation', async () => {
    const document = await openFile('ranges.ts', SOURCE);
    const text = 'You are 😀 terse.\nSay "yes" or never explain.';
    const words = (part: string) => ({ start: text.indexOf(part), end: text.indexOf(part) + part.length });
    const changed = { replacement: 'x', verdict: 'changed' as const };
    const runId = await keepMapped(document, text, [
      { id: 'a', span: words('terse'), ...changed },
      { id: 'b', span: words('"yes"'), ...changed },
      { id: 'c', span: words('😀'), ...changed },
      { id: 'd', span: words('terse.\nSay'), ...changed },
    ]);
    await vscode.commands.executeCommand(COMMANDS.openLastReport.id, { runId });
    await until('findings', () => findingsOf(document).length === 5);
    assert.deepEqual(underlined(document), ['terse', '\\"yes\\"', '\\u{1F600}', 'terse.\\n', 'Say']);
    // They follow edits elsewhere, and come back after a change above the prompt.
    await edit(document, 0, 0, '// above\n');
    assert.deepEqual(underlined(document), ['terse', '\\"yes\\"', '\\u{1F600}', 'terse.\\n', 'Say']);
    const at = document.getText().indexOf('terse');
    await edit(document, at, at + 5, 'curt');
    // What was edited is a hint about what was there, and so is its other part after the line break.
    const hints = findingsOf(document).filter(({ severity }) => severity === vscode.DiagnosticSeverity.Hint);
    assert.deepEqual(
      hints.map(({ range }) => document.getText(range)),
      ['curt', 'curt.\\n', 'Say'],
    );
    assert.equal(findingsOf(document).length, 5);
  });
});

/** Keeps a run of `systemPrompt` of SOURCE, whose map is written out here by hand. */
async function keepMapped(
  document: vscode.TextDocument,
  text: string,
  changes: Parameters<typeof keepKnownRun>[3],
): Promise<string> {
  const source = document.getText();
  const pieces: [written: string, read: string][] = [
    ['You are ', 'You are '],
    ['\\u{1F600}', '😀'],
    [' terse.', ' terse.'],
    ['\\n', '\n'],
    ['Say ', 'Say '],
    ['\\"', '"'],
    ['yes', 'yes'],
    ['\\"', '"'],
    [' or never explain.', ' or never explain.'],
  ];
  let [at, start] = [source.indexOf('You are'), 0];
  const map = pieces.map(([written, read]) => {
    at = source.indexOf(written, at);
    const piece = {
      start,
      end: start + read.length,
      source: { start: at, end: at + written.length },
      verbatim: written === read,
    };
    at += written.length;
    start += read.length;
    return piece;
  });
  const uri = document.uri.toString();
  return keepKnownRun(
    cacheDir(),
    { path: vscode.workspace.asRelativePath(document.uri), uri, symbol: 'systemPrompt', map },
    text,
    changes,
  );
}
