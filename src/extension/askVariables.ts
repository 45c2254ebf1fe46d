import * as vscode from 'vscode';
import { VARIABLES_MEMORY } from './manifest';

/**
 * Values for the variables of a prompt: given ones first, then those remembered in this workspace, then asked for once each.
 * @returns undefined when the person presses Escape; what was answered until then is remembered
 */
export async function askVariables(
  names: string[],
  given: Record<string, string>,
  memory: vscode.Memento,
): Promise<Record<string, string> | undefined> {
  const remembered = memory.get<Record<string, string>>(VARIABLES_MEMORY, {});
  const values: Record<string, string> = {};
  const open = names.filter(
    (name) => valueOf(given, name) === undefined && valueOf(remembered, name) === undefined,
  );
  for (const name of names) {
    const known = valueOf(given, name) ?? valueOf(remembered, name);
    if (known !== undefined) {
      values[name] = known;
      continue;
    }
    const value = await vscode.window.showInputBox({
      title: `Variable ${open.indexOf(name) + 1} of ${open.length}: ${name}`,
      prompt: `The prompt holds a placeholder. Which value stands for “${name}”? It is remembered in this workspace.`,
      ignoreFocusOut: true,
      validateInput: (text) =>
        text.trim() === ''
          ? {
              message: 'Empty: the prompt is then checked with nothing in this place.',
              severity: vscode.InputBoxValidationSeverity.Warning,
            }
          : null,
    });
    if (value === undefined) return undefined;
    values[name] = value;
    // Nothing is a value for once, and no answer to remember.
    if (value.trim() === '') continue;
    await memory.update(VARIABLES_MEMORY, {
      ...memory.get<Record<string, string>>(VARIABLES_MEMORY, {}),
      [name]: value,
    });
  }
  return values;
}

/** A variable may be called `constructor`: only what was put in counts. */
const valueOf = (values: Record<string, string>, name: string): string | undefined =>
  Object.hasOwn(values, name) ? values[name] : undefined;
