import * as vscode from 'vscode';
import type { Endpoint } from '../compose/evenkeel';
import { UserError } from '../contracts/userError';
import { keyUse, originOf, type KeyDestination } from './keyConsent';
import { plainText } from './plainText';
import { readSettings } from './settings';

const OPENAI = { name: 'openai', baseUrl: 'https://api.openai.com/v1', fromWorkspace: false };
const MEMORY = 'evenkeel.keyAllowed';

export interface ApiKeys {
  /** Endpoints with the keys that were read last. */
  endpoints(): Endpoint[];
  /** Reads the keys of the endpoints that the settings name now. */
  refresh(): Promise<void>;
  /**
   * Asks about every address that must be allowed before its key is used, or about that of `modelId` only; once in a
   * session where the answer is no.
   */
  askConsent(modelId: string | null): Promise<void>;
  setKey(): Promise<void>;
  clearKey(): Promise<void>;
}

/**
 * Keys live in SecretStorage, bound to the origin that they were given for: an endpoint that is redirected to another
 * server by a setting does not get the key. Addresses from the workspace, and those that are not encrypted, must be
 * allowed first (keyConsent.ts); `memory` is that of the workspace.
 */
export function createApiKeys(secrets: vscode.SecretStorage, memory: vscode.Memento): ApiKeys {
  let known: Endpoint[] = [];
  const declined = new Set<string>();
  const useOf = (destination: KeyDestination) =>
    keyUse(destination, {
      trusted: vscode.workspace.isTrusted,
      allowedOrigins: memory.get<string[]>(MEMORY, []),
    });
  const configured = () => {
    const { endpoints } = readSettings();
    return endpoints.some(({ name }) => name === OPENAI.name) ? endpoints : [OPENAI, ...endpoints];
  };
  const refresh = async () => {
    known = await Promise.all(
      configured().map(async (endpoint) => {
        const given = useOf(endpoint) === 'give';
        return {
          name: endpoint.name,
          baseUrl: endpoint.baseUrl,
          apiKey: given ? ((await secrets.get(secretOf(endpoint.baseUrl))) ?? null) : null,
          keyOverHttp: given,
          keyHint: 'Run `Evenkeel: Set API Key`.',
        };
      }),
    );
  };
  const pick = async (endpoints: { name: string; baseUrl: string }[], title: string) => {
    const items = endpoints.map(({ name, baseUrl }) => ({ label: name, description: baseUrl, baseUrl }));
    return vscode.window.showQuickPick(items, {
      title,
      placeHolder: vscode.l10n.t('Endpoint'),
      matchOnDescription: true,
    });
  };

  return {
    endpoints: () => known,
    refresh,
    async askConsent(modelId) {
      for (const endpoint of configured()) {
        if (modelId !== null && !modelId.startsWith(`${endpoint.name}:`)) continue;
        const use = useOf(endpoint);
        const origin = originOf(endpoint.baseUrl);
        if (typeof use === 'string' || declined.has(origin)) continue;
        if ((await secrets.get(secretOf(endpoint.baseUrl))) === undefined) continue;
        const allow = vscode.l10n.t('Use Key');
        const answer = await vscode.window.showWarningMessage(
          plainText(`Use your key with ${origin}?`),
          { modal: true, detail: use.ask },
          allow,
        );
        if (answer === allow) await memory.update(MEMORY, [...memory.get<string[]>(MEMORY, []), origin]);
        else declined.add(origin);
      }
      await refresh();
    },
    async setKey() {
      const endpoint = await pick(configured(), 'Evenkeel: Set API Key');
      if (endpoint === undefined) return;
      const origin = originOf(endpoint.baseUrl);
      const key = await vscode.window.showInputBox({
        title: `API key for ${endpoint.label}`,
        prompt: `Kept in the editor's secret storage and sent to ${origin} only.`,
        password: true,
        ignoreFocusOut: true,
        validateInput: (value) => (value.trim() === '' ? 'Paste the key, or press Escape.' : undefined),
      });
      if (key === undefined) return;
      await secrets.store(secretOf(endpoint.baseUrl), key.trim());
      await refresh();
      void vscode.window.showInformationMessage(`Evenkeel: the key for ${origin} is kept.`);
    },
    async clearKey() {
      const keys = await Promise.all(configured().map(({ baseUrl }) => secrets.get(secretOf(baseUrl))));
      const withKey = configured().filter((_, i) => keys[i] !== undefined);
      if (withKey.length === 0) {
        throw new UserError('keyMissing', 'No API key is kept.', 'Evenkeel: Set API Key keeps one.');
      }
      const endpoint = await pick(withKey, 'Evenkeel: Clear API Key');
      if (endpoint === undefined) return;
      await secrets.delete(secretOf(endpoint.baseUrl));
      await refresh();
      void vscode.window.showInformationMessage(
        `Evenkeel: the key for ${originOf(endpoint.baseUrl)} is gone.`,
      );
    },
  };
}

const secretOf = (baseUrl: string) => `evenkeel.apiKey:${originOf(baseUrl)}`;
