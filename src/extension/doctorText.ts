/** Where the extension runs, for Doctor: on a remote machine “127.0.0.1” is not the one that the person looks at. */
import * as vscode from 'vscode';
import type { DoctorLine } from '../compose/evenkeel';

export function placeLine(extensionKind: vscode.ExtensionKind): DoctorLine {
  const { remoteName, uiKind, appName } = vscode.env;
  const ui = uiKind === vscode.UIKind.Web ? 'a browser' : 'a desktop window';
  const kind = extensionKind === vscode.ExtensionKind.UI ? 'beside the window' : 'beside the workspace';
  return {
    name: 'editor',
    status: 'ok',
    detail: `${appName} ${vscode.version} in ${ui}, ${remoteName === undefined ? 'no remote' : `remote: ${remoteName}`}; Evenkeel runs ${kind}`,
    hint:
      remoteName === undefined
        ? null
        : `Addresses such as 127.0.0.1 mean the ${remoteName} machine. A server on your own machine needs a forwarded port, and its address in evenkeel.ollama.url.`,
  };
}

export function trustLines(): DoctorLine[] {
  if (vscode.workspace.isTrusted) return [];
  return [
    {
      name: 'trust',
      status: 'warning',
      detail: vscode.l10n.t(
        'This workspace is not trusted: its settings do not decide where prompts are sent.',
      ),
      hint: 'Trust it with “Workspaces: Manage Workspace Trust”.',
    },
  ];
}

export const doctorText = (lines: DoctorLine[]): string =>
  lines
    .map(
      ({ status, name, detail, hint }) =>
        `${SIGNS[status]} ${name}: ${detail}${hint === null ? '' : `\n    → ${hint}`}\n`,
    )
    .join('');

const SIGNS: Record<DoctorLine['status'], string> = { ok: '✔', warning: '!', problem: '✘' };
