/** Reports that are there already: the last one, the history, and the sample that ships. */
import * as vscode from 'vscode';
import type { Evenkeel } from '../compose/evenkeel';
import { newestRuns } from '../compose/newestRuns';
import { runRecordSchema, type RunRecord } from '../contracts/runRecord';
import { UserError } from '../contracts/userError';
import { headline } from '../report/sentences';
import { COMMANDS } from './manifest';
import { plainText } from './plainText';

const LAST_RUN = 'evenkeel.lastRun';
const ICONS = {
  steady: 'pass',
  wobbles: 'warning',
  undecided: 'question',
  cancelled: 'circle-slash',
  failed: 'error',
};

export interface KeptReports {
  remember(record: RunRecord): Promise<void>;
  last(): Promise<RunRecord | null>;
  /** @throws UserError `usage` where there is none */
  lastOrRefuse(): Promise<RunRecord>;
  /** @returns undefined on Escape. UserError `usage` where there is none */
  pick(): Promise<RunRecord | undefined>;
  sample(): Promise<RunRecord>;
}

export function createKeptReports(deps: {
  evenkeel(): Promise<Evenkeel>;
  memory: vscode.Memento;
  extensionUri: vscode.Uri;
}): KeptReports {
  const last = async () => {
    const { runs } = await deps.evenkeel();
    const id = deps.memory.get<string>(LAST_RUN) ?? (await runs.list())[0]?.id;
    return id === undefined ? null : runs.read(id);
  };
  return {
    remember: async (record) => deps.memory.update(LAST_RUN, record.id),
    last,
    async lastOrRefuse() {
      const record = await last();
      if (record === null) throw noReport();
      return record;
    },
    async pick() {
      const records = await newestRuns((await deps.evenkeel()).runs);
      if (records.length === 0) throw noReport();
      const picked = await vscode.window.showQuickPick(records.map(itemOf), {
        title: vscode.l10n.t('Evenkeel: checks so far, newest first'),
        matchOnDescription: true,
        matchOnDetail: true,
      });
      return picked?.record;
    },
    async sample() {
      const file = vscode.Uri.joinPath(deps.extensionUri, 'media/sample/report.json');
      const bytes = await vscode.workspace.fs.readFile(file);
      return runRecordSchema.parse(JSON.parse(Buffer.from(bytes).toString('utf8')));
    },
  };
}

const noReport = () =>
  new UserError(
    'noReport',
    'There is no report yet.',
    `Run Evenkeel: ${COMMANDS.checkRobustness.title} on a prompt first.`,
  );

function itemOf(record: RunRecord) {
  const { state, sentence, word } = headline(record);
  const when = new Date(record.finishedAt);
  const path = record.prompt.source?.path ?? 'a selection';
  return {
    label: `$(${ICONS[state]}) ${plainText(path)}`,
    description: plainText(`${word} · ${record.model.id} · ${when.toLocaleString()}`),
    detail: plainText(sentence),
    record,
  };
}

/** The prompt of the sample report, as a new file that is checked like any other. */
export async function openSamplePrompt(extensionUri: vscode.Uri): Promise<vscode.TextDocument> {
  const file = vscode.Uri.joinPath(extensionUri, 'media/sample/review.prompt');
  const text = Buffer.from(await vscode.workspace.fs.readFile(file)).toString('utf8');
  const uri = vscode.Uri.from({ scheme: 'untitled', path: 'review.prompt' });
  const document = await vscode.workspace.openTextDocument(uri);
  const editor = await vscode.window.showTextDocument(document, { viewColumn: vscode.ViewColumn.One });
  if (document.getText() === '') {
    await editor.edit((edit) => edit.insert(new vscode.Position(0, 0), text));
    await vscode.commands.executeCommand('cursorTop');
  }
  return document;
}
