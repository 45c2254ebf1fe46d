/**
 * Prompts of the editor's documents, and the lines above them. A bundle of its own (dist/discovery.cjs), loaded when lines are
 * first asked for; the parsers are, when a document has a word that can mean a prompt.
 */
import path from 'node:path';
import * as vscode from 'vscode';
import { loadPromptParsers, type PromptParsers } from '../compose/promptParsers';
import type { FoundPrompt } from '../contracts/foundPrompt';
import { discoverPrompts } from '../prompts/discover';
import { askedPrompt } from '../prompts/discovery/askedPrompt';
import { mayHoldPrompts, type SourceLanguage } from '../prompts/discovery/languages';
import { agoWords } from './agoWords';
import { COMMANDS } from './manifest';
import { digestOf, verdictKey, VERDICTS, type KeptVerdict } from './keptVerdicts';

export interface Discovery {
  /** Prompts of a document as it is now, in its order. */
  prompts(document: vscode.TextDocument): Promise<FoundPrompt[]>;
  lenses(document: vscode.TextDocument): Promise<vscode.CodeLens[]>;
  dispose(): void;
}

/** Larger files are generated. */
const MOST_CHARACTERS = 2_000_000;
const LANGUAGES: Record<string, SourceLanguage> = {
  typescript: 'typescript',
  typescriptreact: 'tsx',
  javascript: 'tsx',
  javascriptreact: 'tsx',
  python: 'python',
};
const NOTEBOOK_CELL = 'vscode-notebook-cell';

export function createDiscovery({ distDir, memory }: { distDir: string; memory: vscode.Memento }): Discovery {
  let parsers: Promise<PromptParsers> | null = null;
  let loaded: PromptParsers | null = null;
  const found = new Map<string, { version: number; prompts: FoundPrompt[] }>();
  const onClose = vscode.workspace.onDidCloseTextDocument(({ uri }) => {
    found.delete(uri.toString());
    loaded?.forget(uri.toString());
  });
  const load = async () => {
    parsers ??= loadPromptParsers(path.join(distDir, 'treesitter'));
    loaded = await parsers;
    return loaded;
  };

  async function prompts(document: vscode.TextDocument): Promise<FoundPrompt[]> {
    const key = document.uri.toString();
    const known = found.get(key);
    if (known?.version === document.version) return known.prompts;
    const text = document.getText();
    const isCell = document.uri.scheme === NOTEBOOK_CELL;
    const language = LANGUAGES[document.languageId];
    const name = vscode.workspace.asRelativePath(document.uri, false);
    const { version } = document;
    if (text.length > MOST_CHARACTERS || (isCell && language === undefined)) return [];
    const mayHold = mayHoldPrompts(name, language ?? null, text);
    const listed = mayHold
      ? discoverPrompts({ path: name, text, language, parsers: (await load()).ofDocument(key) })
      : [];
    found.set(key, { version, prompts: listed });
    return listed;
  }

  return {
    prompts,
    async lenses(document) {
      const verdicts = memory.get<Record<string, KeptVerdict>>(VERDICTS, {});
      return (await prompts(document)).flatMap((prompt) => {
        const line = document.positionAt(prompt.span.start).line;
        const range = new vscode.Range(line, 0, line, 0);
        const target = { uri: document.uri.toString(), symbol: prompt.symbol };
        const check = new vscode.CodeLens(range, {
          command: COMMANDS.checkRobustness.id,
          title: 'Check robustness',
          tooltip: `${prompt.role === null ? '' : `${prompt.role} prompt `}${prompt.symbol || prompt.name}`,
          arguments: [target],
        });
        const last = verdicts[verdictKey(document.uri.toString(), prompt.symbol)];
        if (last === undefined) return [check];
        const asked = askedPrompt(prompt, prompt.values);
        const isSame = asked.missing.length > 0 || digestOf(asked.text) === last.digest;
        const when = agoWords(Date.now() - Date.parse(last.finishedAt));
        return [
          check,
          new vscode.CodeLens(range, {
            command: COMMANDS.openLastReport.id,
            title: `last: ${last.word}, ${when}${isSame ? '' : ', edited since'}`,
            tooltip: 'Open its report',
            arguments: [{ runId: last.runId }],
          }),
        ];
      });
    },
    dispose() {
      onClose.dispose();
      loaded?.close();
    },
  };
}
