import * as vscode from 'vscode';
import { COMMANDS } from './manifest';
export function activate(context: vscode.ExtensionContext): void {
  for (const { id } of Object.values(COMMANDS)) context.subscriptions.push(vscode.commands.registerCommand(id, () => id));
}
