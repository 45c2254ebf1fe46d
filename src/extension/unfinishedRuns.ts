/** Checks of this workspace that stopped before their end: paused ones, and those that a reload or a crash cut off. */
import type * as vscode from 'vscode';
import { UNFINISHED_MEMORY } from './manifest';

export interface Unfinished {
  runId: string;
  title: string;
}

export interface UnfinishedRuns {
  list(): Unfinished[];
  begun(run: Unfinished): Promise<void>;
  ended(runId: string): Promise<void>;
  /** The window closes: what runs now is to be offered again, although it ends. */
  freeze(): void;
}

export function createUnfinishedRuns(memory: vscode.Memento): UnfinishedRuns {
  let frozen = false;
  const list = () => memory.get<Unfinished[]>(UNFINISHED_MEMORY, []);
  const without = (runId: string) => list().filter((entry) => entry.runId !== runId);
  return {
    list,
    begun: async (run) => memory.update(UNFINISHED_MEMORY, [...without(run.runId), run]),
    async ended(runId) {
      if (!frozen) await memory.update(UNFINISHED_MEMORY, without(runId));
    },
    freeze() {
      frozen = true;
    },
  };
}
