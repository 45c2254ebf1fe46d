import * as vscode from 'vscode';
import { codeBlock, sideBySide } from './answersText';
import { effectPlot, type PlotColors } from './effectPlot';
import type { Moved } from './findingText';
import { FINDING_COMMANDS } from './manifest';

/**
 * The answers that tell the difference, what can be done, and a plot of the effects. Only the second part may run commands, and only
 * ours: what a model or a file says stands in the other parts, as a code block or inside a picture.
 */
export function findingHover(moved: Moved, stale: boolean): vscode.MarkdownString[] {
  const { record, perturbation } = moved;
  const answers = untrusted();
  answers.appendText(`${perturbation.name}: answers that tell the difference`);
  if (stale) answers.appendText(' (of the words before your edit)');
  answers.appendMarkdown(`\n\n${codeBlock(sideBySide(record, perturbation.id))}\n`);
  const plot = effectPlot(record, perturbation.id, colorsOf(vscode.window.activeColorTheme.kind));
  // The plot last: a hover is low, and what can be done must be seen without scrolling.
  const parts = [answers, links(record.id, perturbation.id)];
  if (plot !== null) {
    const picture = untrusted();
    const data = Buffer.from(plot.svg).toString('base64');
    picture.appendMarkdown(
      `![${plot.summary}](data:image/svg+xml;base64,${data}|width=${plot.width},height=${plot.height})`,
    );
    parts.push(picture);
  }
  return parts;
}

function untrusted(): vscode.MarkdownString {
  const markdown = new vscode.MarkdownString();
  markdown.isTrusted = false;
  markdown.supportHtml = false;
  return markdown;
}

function links(runId: string, perturbationId: string): vscode.MarkdownString {
  const markdown = new vscode.MarkdownString();
  const { showAnswers, checkAgain, silence, explain } = FINDING_COMMANDS;
  const shown = [showAnswers, checkAgain, silence, explain];
  markdown.isTrusted = { enabledCommands: shown.map(({ id }) => id) };
  markdown.supportThemeIcons = true;
  const argument = encodeURIComponent(JSON.stringify([{ runId, perturbationId }]));
  markdown.appendMarkdown(
    shown.map(({ id, icon, link }) => `[$(${icon}) ${link}](command:${id}?${argument})`).join(' &nbsp; '),
  );
  return markdown;
}

/** A picture knows no theme: colours with enough contrast on the hover of each kind. */
function colorsOf(kind: vscode.ColorThemeKind): PlotColors {
  switch (kind) {
    case vscode.ColorThemeKind.Light:
      return { text: '#1f1f1f', quiet: '#5f5f5f', marked: '#b15c00', band: '#e2e2e2' };
    case vscode.ColorThemeKind.HighContrastLight:
      return { text: '#000000', quiet: '#292929', marked: '#8a3b00', band: '#d0d0d0' };
    case vscode.ColorThemeKind.HighContrast:
      return { text: '#ffffff', quiet: '#e0e0e0', marked: '#ffc44d', band: '#3a3a3a' };
    case vscode.ColorThemeKind.Dark:
      return { text: '#e6e6e6', quiet: '#a8a8a8', marked: '#f0a54a', band: '#3c3c3c' };
  }
}
