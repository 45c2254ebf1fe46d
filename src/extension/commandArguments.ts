import * as vscode from 'vscode';
import type { Span } from '../contracts/runRecord';
import type { CheckArguments } from './checkPrompt';

/** Menus pass a Uri or a part of the source control view, key bindings and other extensions an object. */
export function argumentsOf(given: unknown): CheckArguments {
  if (given instanceof vscode.Uri) return { uri: given };
  if (typeof given !== 'object' || given === null) return {};
  const { uri, rootUri, range, symbol, modelId, variables, within } = given as Record<string, unknown>;
  const place = uri ?? rootUri;
  return {
    ...(place instanceof vscode.Uri
      ? { uri: place }
      : typeof place === 'string'
        ? { uri: vscode.Uri.parse(place) }
        : {}),
    ...(range instanceof vscode.Range ? { range } : {}),
    ...(typeof symbol === 'string' && symbol !== '' ? { symbol } : {}),
    ...(typeof modelId === 'string' ? { modelId } : {}),
    ...(isSpan(within) ? { within } : {}),
    ...(typeof variables === 'object' && variables !== null
      ? {
          variables: Object.fromEntries(
            Object.entries(variables).map(([key, value]) => [key, String(value)]),
          ),
        }
      : {}),
  };
}

const isSpan = (value: unknown): value is Span =>
  typeof (value as Partial<Span> | null | undefined)?.start === 'number' &&
  typeof (value as Partial<Span>).end === 'number';

/** A text of the object that a command was given. */
export function textArgument(given: unknown, name: string): string | undefined {
  const value = (given as Record<string, unknown> | null | undefined)?.[name];
  return typeof value === 'string' ? value : undefined;
}

export function optionsOf(given: unknown): { options?: string[] } {
  const { options } = (given ?? {}) as { options?: unknown };
  return Array.isArray(options) ? { options: options.map(String) } : {};
}

export function modelIdsOf(given: unknown): { modelIds?: string[] } {
  const { modelIds } = (given ?? {}) as { modelIds?: unknown };
  return Array.isArray(modelIds) ? { modelIds: modelIds.map(String) } : {};
}
