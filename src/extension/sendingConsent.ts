import * as vscode from 'vscode';
import { isLoopback } from '../providers/serverAddress';
import { plainText } from './plainText';

const MEMORY = 'evenkeel.sendingAllowed';

/** An Ollama server costs nothing, but its address may come from the workspace: prompts leave this machine only when asked. */
export async function maySendTo(
  modelId: string,
  ollamaUrl: string,
  memory: vscode.Memento,
): Promise<boolean> {
  const url = modelId.startsWith('ollama:') && URL.canParse(ollamaUrl) ? new URL(ollamaUrl) : null;
  if (url === null || isLoopback(url)) return true;
  const allowed = memory.get<string[]>(MEMORY, []);
  if (allowed.includes(url.origin)) return true;
  const send = vscode.l10n.t('Send');
  const answer = await vscode.window.showWarningMessage(
    plainText(`Send this prompt to ${url.origin}?`),
    {
      modal: true,
      detail:
        'The setting evenkeel.ollama.url names a server on another machine. Your answer is remembered for this address.',
    },
    send,
  );
  if (answer !== send) return false;
  await memory.update(MEMORY, [...allowed, url.origin]);
  return true;
}
