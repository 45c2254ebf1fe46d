import * as vscode from 'vscode';
import type { Comparison, Perturbation, RunRecord, Span } from '../contracts/runRecord';
import { comparisonSentence } from '../report/sentences';
import { toPrintable } from '../report/visibleText';
import { codeBlock, sideBySide } from './answersText';
import { CONTEXT_KEYS } from './manifest';
import { followAll, placesOf, visibleSpan } from './trackedSpans';
import { answersUri } from './virtualDocuments';

/** Something of a prompt that moved the answers, and where it stands in its document now. */
interface Finding {
  record: RunRecord;
  comparison: Comparison;
  perturbation: Perturbation;
  /** In the document: several where the prompt is put together there. */
  spans: Span[];
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
  clear(): void;
  dispose(): void;
}

/**
 * Diagnostics and hovers on the words whose perturbation moved the behaviour. They follow edits elsewhere in the document;
 * where the words themselves are edited, the finding is about a text that is no more, and goes.
 */
export function createFindings(): Findings {
  const collection = vscode.languages.createDiagnosticCollection('evenkeel');
  const shown = new Map<string, Finding[]>();
  /** The last record of each document, for when it is opened again. */
  const newest = new Map<string, RunRecord>();
  const tracked = new Set<{ uri: string; spans: Map<string, Span[]> }>();

  const publish = (document: vscode.TextDocument) => {
    const findings = shown.get(document.uri.toString()) ?? [];
    collection.set(
      document.uri,
      findings.flatMap((finding) => diagnosticsOf(finding, document)),
    );
    const any = [...shown.values()].some((list) => list.length > 0);
    void vscode.commands.executeCommand('setContext', CONTEXT_KEYS.hasFindings, any);
  };
  const put = (
    document: vscode.TextDocument,
    record: RunRecord,
    spansOf: (id: string) => Span[] | undefined,
  ) => {
    shown.set(
      document.uri.toString(),
      movedOf(record).flatMap(({ comparison, perturbation }) => {
        const spans = spansOf(perturbation.id);
        return spans === undefined ? [] : [{ record, comparison, perturbation, spans }];
      }),
    );
    publish(document);
  };

  const locate = (record: RunRecord, document: vscode.TextDocument) => {
    const places = placesOf(document.getText(), record.prompt);
    put(document, record, (id) => {
      const perturbation = record.perturbations.find((entry) => entry.id === id);
      if (perturbation === undefined || places === null) return undefined;
      return places(visibleSpan(perturbation, record.prompt.text));
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
    const findings = shown.get(uri);
    if (findings === undefined) return;
    const followed = findings.flatMap((finding) => {
      const spans = followAll(finding.spans, contentChanges);
      return spans === null ? [] : [{ ...finding, spans }];
    });
    shown.set(uri, followed);
    const record = newest.get(uri);
    // An undo, or a file that git put back, makes a dropped finding true again.
    const isPromptBack =
      record !== undefined &&
      followed.length < movedOf(record).length &&
      placesOf(document.getText(), record.prompt) !== null;
    if (isPromptBack) locate(record, document);
    else if (findings.length > 0) publish(document);
  });

  const hover = vscode.languages.registerHoverProvider([{ scheme: '*' }], {
    provideHover(document, position) {
      const offset = document.offsetAt(position);
      const here = (shown.get(document.uri.toString()) ?? []).filter(({ spans }) =>
        spans.some(({ start, end }) => start <= offset && offset <= end),
      );
      // The largest effect first; more than three would not fit a hover.
      const largest = here
        .toSorted((a, b) => (b.comparison.effect?.debiased ?? 0) - (a.comparison.effect?.debiased ?? 0))
        .slice(0, 3);
      if (largest[0] === undefined) return undefined;
      const under = largest[0].spans.find(({ start, end }) => start <= offset && offset <= end);
      return new vscode.Hover(largest.map(hoverText), under && rangeOf(document, under));
    },
  });

  return {
    track(document, checked, perturbations) {
      const places = placesOf(document.getText(), checked);
      const spans = new Map(
        perturbations.flatMap((perturbation) =>
          places === null
            ? []
            : [[perturbation.id, places(visibleSpan(perturbation, checked.text))] as const],
        ),
      );
      const prompt = { uri: document.uri.toString(), spans };
      tracked.add(prompt);
      return {
        show(record) {
          newest.set(prompt.uri, record);
          put(document, record, (id) => spans.get(id));
        },
        dispose: () => tracked.delete(prompt),
      };
    },
    restore(record) {
      const uri = record.prompt.source?.uri;
      if (uri === null || uri === undefined) return;
      newest.set(uri, record);
      const document = vscode.workspace.textDocuments.find((entry) => entry.uri.toString() === uri);
      if (document !== undefined) locate(record, document);
    },
    clear() {
      shown.clear();
      newest.clear();
      collection.clear();
      void vscode.commands.executeCommand('setContext', CONTEXT_KEYS.hasFindings, false);
    },
    dispose() {
      for (const part of [collection, onOpen, onEdit, hover]) part.dispose();
    },
  };
}

/** Changes that should not matter and did. One that should matter and did is no finding. */
function movedOf(record: RunRecord): { comparison: Comparison; perturbation: Perturbation }[] {
  return record.comparisons.flatMap((comparison) => {
    const perturbation = record.perturbations.find(({ id }) => id === comparison.perturbationId);
    return comparison.verdict === 'changed' && perturbation?.expectation === 'irrelevant'
      ? [{ comparison, perturbation }]
      : [];
  });
}

const rangeOf = (document: vscode.TextDocument, { start, end }: Span) =>
  new vscode.Range(document.positionAt(start), document.positionAt(end));

const diagnosticsOf = (finding: Finding, document: vscode.TextDocument): vscode.Diagnostic[] =>
  finding.spans.map((span) => diagnosticOf(finding, document, rangeOf(document, span)));

function diagnosticOf(
  { record, comparison, perturbation }: Finding,
  document: vscode.TextDocument,
  range: vscode.Range,
): vscode.Diagnostic {
  const diagnostic = new vscode.Diagnostic(
    range,
    comparisonSentence(comparison, perturbation, record),
    vscode.DiagnosticSeverity.Warning,
  );
  diagnostic.source = 'Evenkeel';
  diagnostic.code = { value: 'show answers', target: answersUri(record.id, perturbation) };
  diagnostic.relatedInformation = [
    new vscode.DiagnosticRelatedInformation(
      new vscode.Location(document.uri, range),
      `${perturbation.description} ${wordingOf(perturbation, record.prompt.text)}`.trim(),
    ),
  ];
  return diagnostic;
}

const MAX_WORDING_CHARACTERS = 200;

/** `“do not” → “don’t”`, per edit, the first three. */
function wordingOf({ edits }: Perturbation, text: string): string {
  const quote = (part: string) => {
    const shown = part.length > MAX_WORDING_CHARACTERS ? `${part.slice(0, MAX_WORDING_CHARACTERS)}…` : part;
    return shown === '' ? 'nothing' : `“${toPrintable(shown).replace(/\n/g, '⏎')}”`;
  };
  const shown = edits
    .slice(0, 3)
    .map((edit) => `${quote(text.slice(edit.start, edit.end))} → ${quote(edit.text)}`);
  return shown.join(', ') + (edits.length > 3 ? ` and ${edits.length - 3} more` : '');
}

/** Untrusted Markdown: no command links, no HTML; what the model said stands in a code block only. */
function hoverText({ record, perturbation }: Finding): vscode.MarkdownString {
  const markdown = new vscode.MarkdownString();
  markdown.isTrusted = false;
  markdown.supportHtml = false;
  markdown.appendText(`${perturbation.name}: answers that tell the difference`);
  markdown.appendMarkdown(`\n\n${codeBlock(sideBySide(record, perturbation.id))}\n`);
  return markdown;
}
