import * as vscode from 'vscode';
import { addressFault, nameFault } from './endpointFaults';
import { COMMANDS, SETTINGS } from './manifest';

/** Asks for name and address of an OpenAI-compatible server and adds it to the person's own settings. */
export async function addEndpoint(): Promise<{ name: string; baseUrl: string } | undefined> {
  const name = await vscode.window.showInputBox({
    title: vscode.l10n.t('Add an OpenAI-compatible server (1 of 2): its name'),
    prompt: vscode.l10n.t('Its models are then called <name>:<model>'),
    ignoreFocusOut: true,
    validateInput: (value) => nameFault(value.trim()),
  });
  if (name === undefined) return undefined;
  const baseUrl = await vscode.window.showInputBox({
    title: vscode.l10n.t('Add an OpenAI-compatible server (2 of 2): its address'),
    prompt: vscode.l10n.t('The base URL of the API, usually ending in /v1'),
    value: 'http://127.0.0.1:8000/v1',
    ignoreFocusOut: true,
    validateInput: (value) => addressFault(value.trim()),
  });
  if (baseUrl === undefined) return undefined;
  const entry = { name: name.trim(), baseUrl: baseUrl.trim() };
  const configuration = vscode.workspace.getConfiguration();
  const known = configuration.inspect<unknown[]>(SETTINGS.endpoints.key)?.globalValue;
  const others = (Array.isArray(known) ? known : []).filter(
    (other) => (other as { name?: unknown } | null)?.name !== entry.name,
  );
  await configuration.update(SETTINGS.endpoints.key, [...others, entry], vscode.ConfigurationTarget.Global);
  // Not awaited: the message may stay open for long.
  void offerNext(entry.name);
  return entry;
}

async function offerNext(name: string): Promise<void> {
  const { setApiKey, selectModel } = COMMANDS;
  const answer = await vscode.window.showInformationMessage(
    vscode.l10n.t('{0} is added to your settings.', name),
    selectModel.title,
    setApiKey.title,
  );
  const next = [setApiKey, selectModel].find(({ title }) => title === answer);
  if (next !== undefined) await vscode.commands.executeCommand(next.id);
}
