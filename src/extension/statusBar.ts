import * as vscode from 'vscode';
import { COMMANDS } from './manifest';

export interface StatusBar {
  idle(modelId: string, last?: { words: string; wobbles: boolean }): void;
  running(text: string, tooltip: string): void;
  dispose(): void;
}

/** The model that checks run on, and how the check goes on. */
export function createStatusBar(): StatusBar {
  const item = vscode.window.createStatusBarItem('evenkeel.status', vscode.StatusBarAlignment.Right, 90);
  item.name = 'Evenkeel';
  return {
    idle(modelId, last) {
      item.text =
        last === undefined ? `$(beaker) ${modelId}` : `$(${last.wobbles ? 'warning' : 'pass'}) ${last.words}`;
      item.tooltip =
        last === undefined
          ? `Evenkeel checks prompts with ${modelId}. Click to choose another model.`
          : `${last.words} on ${modelId}. Click to open the report.`;
      item.command = last === undefined ? COMMANDS.selectModel.id : COMMANDS.openLastReport.id;
      item.show();
    },
    running(text, tooltip) {
      item.text = `$(sync~spin) ${text}`;
      item.tooltip = tooltip;
      item.command = COMMANDS.openLastReport.id;
      item.show();
    },
    dispose: () => item.dispose(),
  };
}
