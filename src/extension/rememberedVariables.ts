import * as vscode from 'vscode';
import { UserError } from '../contracts/userError';
import { VARIABLES_MEMORY } from './manifest';
import { plainText } from './plainText';

/**
 * Values of variables that this workspace remembers: choose one, then give it another value or have it forgotten.
 * @throws UserError `usage` where none is remembered
 */
export async function editVariables(memory: vscode.Memento): Promise<void> {
  const values = memory.get<Record<string, string>>(VARIABLES_MEMORY, {});
  if (Object.keys(values).length === 0) {
    throw new UserError(
      'usage',
      'This workspace remembers no value of a variable.',
      'Check a prompt with a variable such as {{name}}: its value is asked for and remembered.',
    );
  }
  const chosen = await choose(values);
  if (chosen === undefined) return;
  const { name, forget } = chosen;
  if (forget) {
    await memory.update(
      VARIABLES_MEMORY,
      Object.fromEntries(Object.entries(values).filter(([key]) => key !== name)),
    );
    return;
  }
  const value = await vscode.window.showInputBox({
    title: plainText(vscode.l10n.t('Value of {0}', name)),
    value: values[name] ?? '',
    ignoreFocusOut: true,
  });
  if (value !== undefined) await memory.update(VARIABLES_MEMORY, { ...values, [name]: value });
}

function choose(values: Record<string, string>): Promise<{ name: string; forget: boolean } | undefined> {
  const picker = vscode.window.createQuickPick<vscode.QuickPickItem & { name: string }>();
  const button = { iconPath: new vscode.ThemeIcon('trash'), tooltip: vscode.l10n.t('Forget this value') };
  picker.title = vscode.l10n.t('Evenkeel: values that this workspace remembers');
  picker.placeholder = vscode.l10n.t('Choose one to change it');
  picker.items = Object.entries(values).map(([name, value]) => ({
    label: plainText(name),
    description: plainText(value.replaceAll(/\s+/g, ' ').slice(0, 120)),
    buttons: [button],
    name,
  }));
  return new Promise((resolve) => {
    picker.onDidTriggerItemButton(({ item }) => {
      resolve({ name: item.name, forget: true });
      picker.hide();
    });
    picker.onDidAccept(() => {
      const [item] = picker.selectedItems;
      resolve(item === undefined ? undefined : { name: item.name, forget: false });
      picker.hide();
    });
    picker.onDidHide(() => {
      resolve(undefined);
      picker.dispose();
    });
    picker.show();
  });
}
