import * as vscode from 'vscode';
import { COMMANDS } from './manifest';

export interface StatusBar {
  /** The model that the next check runs on; says nothing while one is going on. */
  model(modelId: string): void;
  running(text: string, tooltip: string): void;
  /** A check ended, with this verdict; without one it found nothing out. */
  ended(modelId: string, verdict?: { words: string; wobbles: boolean }): void;
  dispose(): void;
}

/** The model that checks run on, and how the check goes on. */
export function createStatusBar(): StatusBar {
  const item = vscode.window.createStatusBarItem('evenkeel.status', vscode.StatusBarAlignment.Right, 90);
  item.name = 'Evenkeel';
  let running = false;
  const show = (text: string, tooltip: string, command: string) => {
    item.text = text;
    item.tooltip = tooltip;
    item.command = command;
    item.show();
  };
  const model = (modelId: string) => {
    if (running) return;
    const tooltip = `Evenkeel checks prompts with ${modelId}. Click to choose another model.`;
    show(`$(beaker) ${modelId}`, tooltip, COMMANDS.selectModel.id);
  };
  return {
    model,
    running(text, tooltip) {
      running = true;
      show(`$(sync~spin) ${text}`, tooltip, COMMANDS.openLastReport.id);
    },
    ended(modelId, verdict) {
      running = false;
      if (verdict === undefined) return model(modelId);
      const { words, wobbles } = verdict;
      const tooltip = `${words} on ${modelId}. Click to open the report.`;
      show(`$(${wobbles ? 'warning' : 'pass'}) ${words}`, tooltip, COMMANDS.openLastReport.id);
    },
    dispose: () => item.dispose(),
  };
}
