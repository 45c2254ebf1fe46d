import * as vscode from 'vscode';
import { COMMANDS } from './manifest';
import { plainText } from './plainText';

export interface StatusBar {
  /** The model that the next check runs on; says nothing while one is going on. */
  model(modelId: string): void;
  running(text: string, tooltip: string): void;
  /** Checks wait until the person goes on. */
  paused(count: number): void;
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
    show(`$(beaker) ${plainText(modelId)}`, tooltip, COMMANDS.selectModel.id);
  };
  return {
    model,
    running(text, tooltip) {
      running = true;
      show(`$(sync~spin) ${plainText(text)}`, tooltip, COMMANDS.openLastReport.id);
    },
    paused(count) {
      running = false;
      const tooltip = 'A check is paused; what it has is kept. Click to go on.';
      show(`$(debug-pause) Evenkeel: ${count} paused`, tooltip, COMMANDS.resumeRun.id);
    },
    ended(modelId, verdict) {
      running = false;
      if (verdict === undefined) return model(modelId);
      const { words, wobbles } = verdict;
      const tooltip = `${words} on ${modelId}. Click to open the report.`;
      const text = `$(${wobbles ? 'warning' : 'pass'}) ${words} · ${plainText(shortName(modelId))}`;
      show(text, tooltip, COMMANDS.openLastReport.id);
    },
    dispose: () => item.dispose(),
  };
}

const shortName = (modelId: string) => modelId.slice(modelId.indexOf(':') + 1);
