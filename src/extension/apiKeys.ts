import * as vscode from 'vscode';
import type { Endpoint } from '../compose/evenkeel';
import { UserError } from '../contracts/userError';
import { readSettings } from './settings';

const OPENAI = { name: 'openai', baseUrl: 'https://api.openai.com/v1' };

export interface ApiKeys {
  /** Endpoints with the keys that were read last. */
  endpoints(): Endpoint[];
  /** Reads the keys of the endpoints that the settings name now. */
  refresh(): Promise<void>;
  setKey(): Promise<void>;
  clearKey(): Promise<void>;
}

/**
 * Keys live in SecretStorage, bound to the origin that they were given for: an endpoint that is redirected to another
 * server by a setting does not get the key.
 */
export function createApiKeys(secrets: vscode.SecretStorage): ApiKeys {
  let known: Endpoint[] = [];
  const configured = () => {
    const { endpoints } = readSettings();
    return endpoints.some(({ name }) => name === OPENAI.name) ? endpoints : [OPENAI, ...endpoints];
  };
  const refresh = async () => {
    known = await Promise.all(
      configured().map(async ({ name, baseUrl }) => ({
        name,
        baseUrl,
        apiKey: (await secrets.get(secretOf(baseUrl))) ?? null,
        keyHint: 'Run `Evenkeel: Set API Key`.',
      })),
    );
  };
  const pick = async (endpoints: { name: string; baseUrl: string }[], title: string) => {
    const items = endpoints.map(({ name, baseUrl }) => ({ label: name, description: baseUrl, baseUrl }));
    return vscode.window.showQuickPick(items, { title, placeHolder: 'Endpoint', matchOnDescription: true });
  };

  return {
    endpoints: () => known,
    refresh,
    async setKey() {
      const endpoint = await pick(configured(), 'Evenkeel: Set API Key');
      if (endpoint === undefined) return;
      const origin = new URL(endpoint.baseUrl).origin;
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
      await refresh();
      const withKey = known.filter(({ apiKey }) => apiKey !== null);
      if (withKey.length === 0) {
        throw new UserError('keyMissing', 'No API key is kept.', 'Evenkeel: Set API Key keeps one.');
      }
      const endpoint = await pick(withKey, 'Evenkeel: Clear API Key');
      if (endpoint === undefined) return;
      await secrets.delete(secretOf(endpoint.baseUrl));
      await refresh();
      void vscode.window.showInformationMessage(
        `Evenkeel: the key for ${new URL(endpoint.baseUrl).origin} is gone.`,
      );
    },
  };
}

const secretOf = (baseUrl: string) => `evenkeel.apiKey:${new URL(baseUrl).origin}`;
