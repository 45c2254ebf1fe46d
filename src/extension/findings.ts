import * as vscode from 'vscode';
import type { Perturbation, RunRecord, Span } from '../contracts/runRecord';
import { findingHover } from './findingHover';
import { effectOf, findingKind, findingMessage, movedOf, wordingOf, type Moved } from './findingText';
import { CONTEXT_KEYS } from './manifest';
import type { SilencedFindings } from './silenced';
import { followAll, followWords, locatePrompt, placesOf, visibleSpan, type WordSpan } from './trackedSpans';
import { answersUri } from './virtualDocuments';

/**
 * Something of a prompt that moved the answers, and where it stands in its document now. Where a prompt is put together in code,
 * words that stand in several places there are a finding at each.
 */
export interface Finding extends Moved {
  /** In the document. */
  span: WordSpan;
  /** What stood there when it was checked. */
  words: string;
}

/** A prompt's place, followed while a check of it runs. */
export interface TrackedPrompt {
  /** Shows what moved the answers of `record`; findings whose text changed meanwhile are left out. */
  show(record: RunRecord): void;
  dispose(): void;
}

export interface Findings {
  /** @param prompt its text and where that stands */
  track(
    document: vscode.TextDocument,
    prompt: Pick<RunRecord['prompt'], 'text' | 'source'>,
    perturbations: Perturbation[],
  ): TrackedPrompt;
  /** Shows the findings of a kept run as soon as its document is open, if the prompt is still there word for word. */
  restore(record: RunRecord): void;
  /** Those that touch a range and are not silenced, the largest effect first. */
  at(document: vscode.TextDocument, range: vscode.Range): Finding[];
  find(runId: string, perturbationId: string): { finding: Finding; uri: vscode.Uri } | null;
  clear(): void;
  dispose(): void;
}

/**
 * Diagnostics and hovers on the words whose perturbation moved the behaviour. They follow the edits of the document; where the words
 * themselves are edited, the finding says that it is stale, until they are put back.
 */
export function createFindings(silenced: SilencedFindings): Findings {
  const collection = vscode.languages.createDiagnosticCollection('evenkeel');
  const shown = new Map<string, Finding[]>();
  /** The last record of each document, for when it is opened again. */
  const newest = new Map<string, RunRecord>();
  const tracked = new Set<{ uri: string; spans: Map<string, Span[]> }>();

  const heard = (document: vscode.TextDocument): Finding[] =>
    (shown.get(document.uri.toString()) ?? []).filter(
      ({ words, perturbation }) => !silenced.has(document.uri, { words, change: perturbation.name }),
    );
  const publish = (document: vscode.TextDocument) => {
    collection.set(
      document.uri,
      sameWords(heard(document)).map((group) => diagnosticOf(group, document)),
    );
    const any = [...shown.values()].some((list) => list.length > 0);
    void vscode.commands.executeCommand('setContext', CONTEXT_KEYS.hasFindings, any);
  };
  const put = (document: vscode.TextDocument, record: RunRecord, spansOf: (id: string) => Span[]) => {
    const text = document.getText();
    shown.set(
      document.uri.toString(),
      movedOf(record).flatMap((moved) =>
        spansOf(moved.perturbation.id).map((span) => ({
          ...moved,
          span: { ...span, stale: false },
          words: text.slice(span.start, span.end),
        })),
      ),
    );
    publish(document);
  };

  const locate = (record: RunRecord, document: vscode.TextDocument) => {
    const places = placesOf(document.getText(), record.prompt);
    put(document, record, (id) => {
      const perturbation = record.perturbations.find((entry) => entry.id === id);
      return perturbation === undefined
        ? []
        : (places?.(visibleSpan(perturbation, record.prompt.text)) ?? []);
    });
  };
  // A file may have changed while it was closed.
  const onOpen = vscode.workspace.onDidOpenTextDocument((document) => {
    const record = newest.get(document.uri.toString());
    if (record !== undefined) locate(record, document);
  });
  const onEdit = vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
    if (contentChanges.length === 0) return;
    const uri = document.uri.toString();
    for (const prompt of tracked) {
      if (prompt.uri !== uri) continue;
      for (const [id, spans] of prompt.spans) {
        const moved = followAll(spans, contentChanges);
        if (moved === null) prompt.spans.delete(id);
        else prompt.spans.set(id, moved);
      }
    }
    const record = newest.get(uri);
    const findings = shown.get(uri);
    if (findings === undefined || record === undefined) return;
    let text: string | null = null;
    const textNow = () => (text ??= document.getText());
    const moved = findings.map((finding) => ({
      ...finding,
      span: followWords(finding.span, finding.words, contentChanges, textNow),
    }));
    // What stands in several places is stale as a whole.
    const stale = new Set(moved.flatMap(({ span, perturbation }) => (span.stale ? [perturbation.id] : [])));
    const followed = moved.map((finding) =>
      stale.has(finding.perturbation.id) ? { ...finding, span: { ...finding.span, stale: true } } : finding,
    );
    shown.set(uri, followed);
    const missing = followed.length < movedOf(record).length || followed.some(({ span }) => span.stale);
    // A file that git put back makes every finding true again.
    if (missing && placesOf(document.getText(), record.prompt) !== null) locate(record, document);
    else if (findings.length > 0) publish(document);
  });
  const onSilence = silenced.onDidChange(() => {
    for (const document of vscode.workspace.textDocuments) {
      if (shown.has(document.uri.toString())) publish(document);
    }
  });

  const at = (document: vscode.TextDocument, range: vscode.Range) => {
    const [start, end] = [document.offsetAt(range.start), document.offsetAt(range.end)];
    return heard(document)
      .filter(({ span }) => span.start <= end && start <= span.end)
      .toSorted((a, b) => effectOf(b) - effectOf(a));
  };
  const hover = vscode.languages.registerHoverProvider([{ scheme: '*' }], {
    provideHover(document, position) {
      // More than two would not fit a hover.
      const [first, second] = at(document, new vscode.Range(position, position));
      if (first === undefined) return undefined;
      const parts = [first, ...(second === undefined ? [] : [second])];
      return new vscode.Hover(
        parts.flatMap((finding) => findingHover(finding, finding.span.stale)),
        rangeOf(document, first.span),
      );
    },
  });

  return {
    track(document, prompt, perturbations) {
      const places = placesOf(document.getText(), prompt);
      const spans = new Map(
        perturbations.map((perturbation) => [
          perturbation.id,
          places?.(visibleSpan(perturbation, prompt.text)) ?? [],
        ]),
      );
      const followed = { uri: document.uri.toString(), spans };
      tracked.add(followed);
      return {
        show(record) {
          newest.set(followed.uri, record);
          put(document, record, (id) => spans.get(id) ?? []);
        },
        dispose: () => tracked.delete(followed),
      };
    },
    restore(record) {
      const uri = record.prompt.source?.uri;
      if (uri === null || uri === undefined) return;
      newest.set(uri, record);
      const document = vscode.workspace.textDocuments.find((entry) => entry.uri.toString() === uri);
      if (document !== undefined) locate(record, document);
    },
    at,
    find(runId, perturbationId) {
      for (const [uri, findings] of shown) {
        const finding = findings.find(
          ({ record, perturbation }) => record.id === runId && perturbation.id === perturbationId,
        );
        if (finding !== undefined) return { finding, uri: vscode.Uri.parse(uri) };
      }
      return null;
    },
    clear() {
      shown.clear();
      newest.clear();
      collection.clear();
      void vscode.commands.executeCommand('setContext', CONTEXT_KEYS.hasFindings, false);
    },
    dispose() {
      for (const part of [collection, onOpen, onEdit, onSilence, hover]) part.dispose();
    },
  };
}

/** Where the checked prompt stands in `document`, word for word; null when it does not, or is put together in code there. */
export const placeOf = (record: RunRecord, document: vscode.TextDocument): number | null =>
  record.prompt.source?.map !== undefined
    ? null
    : locatePrompt(document.getText(), record.prompt.text, record.prompt.source?.range.start ?? 0);

export const rangeOf = (document: vscode.TextDocument, { start, end }: Span) =>
  new vscode.Range(document.positionAt(start), document.positionAt(end));

/** Findings on the same words are one underline, the strongest first. */
function sameWords(findings: Finding[]): [Finding, ...Finding[]][] {
  const groups = new Map<string, [Finding, ...Finding[]]>();
  for (const finding of findings) {
    const key = `${finding.span.start}-${finding.span.end}-${findingKind(finding)}`;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [finding]);
    else group.push(finding);
  }
  for (const group of groups.values()) group.sort((a, b) => effectOf(b) - effectOf(a));
  return [...groups.values()];
}

/** Never an Error: a wobble is no fault of the text, and an edit makes every finding a hint about what was there. */
function severityOf(finding: Finding): vscode.DiagnosticSeverity {
  if (finding.span.stale) return vscode.DiagnosticSeverity.Hint;
  return findingKind(finding) === 'wobble'
    ? vscode.DiagnosticSeverity.Warning
    : vscode.DiagnosticSeverity.Information;
}

function diagnosticOf(group: [Finding, ...Finding[]], document: vscode.TextDocument): vscode.Diagnostic {
  const [{ record, perturbation, span }] = group;
  const range = rangeOf(document, span);
  const diagnostic = new vscode.Diagnostic(range, findingMessage(group, span.stale), severityOf(group[0]));
  diagnostic.source = 'Evenkeel';
  diagnostic.code = { value: 'show answers', target: answersUri(record.id, perturbation) };
  // The wording that moved it most comes first.
  diagnostic.relatedInformation = group.map(
    (finding) =>
      new vscode.DiagnosticRelatedInformation(
        new vscode.Location(document.uri, range),
        `${finding.perturbation.description} ${wordingOf(finding.perturbation, record.prompt.text)}`.trim(),
      ),
  );
  return diagnostic;
}
