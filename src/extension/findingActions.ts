/** What can be done about a finding: the quick fixes of its underline, and the links of its hover. */
import * as vscode from 'vscode';
import type { RunRecord } from '../contracts/runRecord';
import { placeOf, rangeOf, type Finding, type Findings } from './findings';
import { wordingOf } from './findingText';
import { FINDING_COMMANDS } from './manifest';
import { plainText } from './plainText';
import type { SilencedFindings } from './silenced';
import { steadierWordings, type SteadierWording } from './steadierWording';
import { answersUri } from './virtualDocuments';

export interface FindingActionDeps {
  findings: Findings;
  silenced: SilencedFindings;
  /** Checks the words of `finding` again, within their prompt. */
  checkAgain(finding: Finding, document: vscode.TextDocument): Promise<unknown>;
  /** Opens what a term means. */
  explain(term: string): Promise<void>;
  /** Shows what goes wrong. */
  guard(work: () => Promise<unknown>): Promise<unknown>;
}

export function createFindingActions(deps: FindingActionDeps): vscode.Disposable {
  const { findings, silenced } = deps;
  const steadier = new WeakMap<RunRecord, SteadierWording[]>();
  const steadierOf = (record: RunRecord) => {
    const known = steadier.get(record) ?? steadierWordings(record);
    steadier.set(record, known);
    return known;
  };
  const command = (
    name: keyof typeof FINDING_COMMANDS,
    work: (found: { finding: Finding; uri: vscode.Uri }) => Promise<unknown>,
  ) =>
    vscode.commands.registerCommand(FINDING_COMMANDS[name].id, (given: unknown) => {
      const { runId, perturbationId } = (given ?? {}) as { runId?: unknown; perturbationId?: unknown };
      const found =
        typeof runId === 'string' && typeof perturbationId === 'string'
          ? findings.find(runId, perturbationId)
          : null;
      return found === null ? undefined : deps.guard(() => work(found));
    });

  return vscode.Disposable.from(
    command('showAnswers', async ({ finding: { record, perturbation } }) =>
      vscode.window.showTextDocument(answersUri(record.id, perturbation), {
        preview: true,
        viewColumn: vscode.ViewColumn.Beside,
      }),
    ),
    command('checkAgain', async ({ finding, uri }) =>
      deps.checkAgain(finding, await vscode.workspace.openTextDocument(uri)),
    ),
    command('silence', async ({ finding: { words, perturbation }, uri }) => {
      const silence = { words, change: perturbation.name };
      const file = await silenced.add(uri, silence);
      // Not awaited: the message may stay open for long.
      void sayItIsSilent(file, () => silenced.remove(uri, silence));
    }),
    command('explain', () => deps.explain('effect')),
    vscode.languages.registerCodeActionsProvider(
      [{ scheme: '*' }],
      {
        provideCodeActions(document, range, { diagnostics }) {
          const [finding] = findings.at(document, range);
          if (finding === undefined) return [];
          const about = diagnostics.filter(({ source }) => source === 'Evenkeel');
          const wordings = finding.span.stale
            ? []
            : steadierOf(finding.record)
                .filter(({ perturbationId }) => isNear(finding, perturbationId))
                .flatMap((wording) => useWording(finding.record, wording, document));
          return [...wordings, ...ownActions(finding)].map((action) => {
            action.diagnostics = about;
            return action;
          });
        },
      },
      { providedCodeActionKinds: [vscode.CodeActionKind.QuickFix] },
    ),
  );
}

function ownActions({ record, perturbation }: Finding): vscode.CodeAction[] {
  return Object.values(FINDING_COMMANDS).map(({ id, title }) => {
    const action = new vscode.CodeAction(title, vscode.CodeActionKind.QuickFix);
    action.command = {
      command: id,
      title,
      arguments: [{ runId: record.id, perturbationId: perturbation.id }],
    };
    return action;
  });
}

/** A light bulb offers to change what it stands at: the same words, or another wording of their sentence. */
function isNear({ record, perturbation: { span, sentence } }: Finding, perturbationId: string): boolean {
  const other = record.perturbations.find(({ id }) => id === perturbationId);
  const place = sentence ?? span;
  return other !== undefined && other.span.start <= place.end && place.start <= other.span.end;
}

/** An ordinary edit, undone like any other. None where the prompt is another one by now. */
function useWording(
  record: RunRecord,
  { perturbationId, alike }: SteadierWording,
  document: vscode.TextDocument,
): vscode.CodeAction[] {
  const perturbation = record.perturbations.find(({ id }) => id === perturbationId);
  const offset = placeOf(record, document);
  if (perturbation === undefined || offset === null) return [];
  const [[k1, n1], [k0, n0]] = [alike.wording, alike.prompt];
  const action = new vscode.CodeAction(
    plainText(
      `Use this steadier wording: ${wordingOf(perturbation, record.prompt.text)} ` +
        `(${k1} of ${n1} answers alike, now ${k0} of ${n0})`,
    ),
    vscode.CodeActionKind.QuickFix,
  );
  action.edit = new vscode.WorkspaceEdit();
  for (const { start, end, text } of perturbation.edits) {
    action.edit.replace(document.uri, rangeOf(document, { start: start + offset, end: end + offset }), text);
  }
  return [action];
}

async function sayItIsSilent(file: vscode.Uri | null, undo: () => Promise<void>): Promise<void> {
  const [undoTitle, openTitle] = ['Undo', 'Open List'];
  const where = file === null ? 'in this workspace' : `in ${vscode.workspace.asRelativePath(file, false)}`;
  const answer = await vscode.window.showInformationMessage(
    plainText(`Silenced ${where}, until these words are edited. The prompt itself is unchanged.`),
    undoTitle,
    ...(file === null ? [] : [openTitle]),
  );
  if (answer === undoTitle) await undo();
  if (answer === openTitle && file !== null) await vscode.window.showTextDocument(file);
}
