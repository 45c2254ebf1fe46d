import * as vscode from 'vscode';
import type { ServerOptions } from '../compose/evenkeel';
import type { BudgetLimits } from '../contracts/budget';
import { budgetIn } from './budgetIn';
import { SETTINGS } from './manifest';

export interface Settings {
  modelId: string;
  /** The person chose the model; false while it is the default. */
  modelChosen: boolean;
  /** Model that rates perturbations, and the one that writes some; null: the rules do. */
  judgeId: string | null;
  writerId: string | null;
  samples: number;
  answerTokens: number;
  perturbations: number;
  seed: number;
  useCache: boolean;
  /** Saving a prompt may ask a model that costs money, or that may. */
  continuousAnyModel: boolean;
  ollamaUrl: string;
  endpoints: { name: string; baseUrl: string; fromWorkspace: boolean }[];
  servers: ServerOptions;
  /** Hard caps of a run; undefined without any. */
  budget: BudgetLimits | undefined;
  cacheMaxBytes: number;
}

/** Settings as they apply to a document. Values of the wrong type count as not set. */
export function readSettings(scope?: vscode.Uri): Settings {
  const configuration = vscode.workspace.getConfiguration(undefined, scope ?? null);
  const text = (setting: { key: string; default: string }) => {
    const value = configuration.get<unknown>(setting.key);
    return typeof value === 'string' && value.trim() !== '' ? value.trim() : setting.default;
  };
  const count = (setting: { key: string; default: number }) => {
    const value = configuration.get<unknown>(setting.key);
    return typeof value === 'number' ? value : setting.default;
  };
  const chosen = configuration.inspect(SETTINGS.model.key);
  return {
    modelId: text(SETTINGS.model),
    modelChosen:
      chosen?.globalValue !== undefined ||
      chosen?.workspaceValue !== undefined ||
      chosen?.workspaceFolderValue !== undefined,
    judgeId: text(SETTINGS.judge) || null,
    writerId: text(SETTINGS.writer) || null,
    samples: count(SETTINGS.samples),
    answerTokens: count(SETTINGS.answerTokens),
    perturbations: count(SETTINGS.perturbations),
    seed: count(SETTINGS.seed),
    useCache: configuration.get<unknown>(SETTINGS.useCache.key) !== false,
    continuousAnyModel: configuration.get<unknown>(SETTINGS.continuousAnyModel.key) === true,
    ollamaUrl: text(SETTINGS.ollamaUrl),
    endpoints: endpointsIn(
      configuration.get<unknown>(SETTINGS.endpoints.key),
      configuration.inspect(SETTINGS.endpoints.key),
    ),
    servers: serverOptions({
      concurrency: count(SETTINGS.concurrency),
      timeout: count(SETTINGS.timeout),
      firstTokenTimeout: count(SETTINGS.firstTokenTimeout),
    }),
    budget: budgetIn({
      calls: count(SETTINGS.maxCalls),
      tokens: count(SETTINGS.maxTokens),
      usd: count(SETTINGS.maxCost),
      seconds: count(SETTINGS.maxSeconds),
    }),
    cacheMaxBytes: Math.max(0, count(SETTINGS.cacheMaxSize)) * 1_000_000,
  };
}

/** Only what the person changed: the defaults are finer than one number for every server. */
function serverOptions(set: {
  concurrency: number;
  timeout: number;
  firstTokenTimeout: number;
}): ServerOptions {
  const { timeout, firstTokenTimeout } = SETTINGS;
  return {
    ...(set.concurrency >= 1 ? { concurrency: Math.floor(set.concurrency) } : {}),
    limits: {
      ...(set.timeout > 0 && set.timeout !== timeout.default ? { totalMs: set.timeout * 1000 } : {}),
      ...(set.firstTokenTimeout > 0 && set.firstTokenTimeout !== firstTokenTimeout.default
        ? { firstTokenMs: set.firstTokenTimeout * 1000 }
        : {}),
    },
  };
}

export async function saveModel(modelId: string): Promise<void> {
  await vscode.workspace
    .getConfiguration()
    .update(SETTINGS.model.key, modelId, vscode.ConfigurationTarget.Global);
}

function endpointsIn(
  value: unknown,
  levels: { workspaceValue?: unknown; workspaceFolderValue?: unknown } | undefined,
): Settings['endpoints'] {
  if (!Array.isArray(value)) return [];
  const fromWorkspace = levels?.workspaceValue !== undefined || levels?.workspaceFolderValue !== undefined;
  return value.flatMap((entry: unknown) => {
    const { name, baseUrl } = (entry ?? {}) as { name?: unknown; baseUrl?: unknown };
    return typeof name === 'string' && typeof baseUrl === 'string' && URL.canParse(baseUrl)
      ? [{ name, baseUrl, fromWorkspace }]
      : [];
  });
}
