import * as vscode from 'vscode';
import { toUserError, type ErrorCode } from '../contracts/userError';
import { COMMANDS, type CommandName } from './manifest';
import { plainText } from './plainText';

/** Where a command of ours is the next step, it is offered as a button. */
const NEXT_COMMAND: Partial<Record<ErrorCode, CommandName>> = {
  noReport: 'openSampleReport',
  unknownModel: 'selectModel',
  unboundVariables: 'editVariables',
  storeDamaged: 'showHistory',
  modelCrashed: 'doctor',
  embedderFailed: 'doctor',
  diskFull: 'doctor',
  cacheNotWritable: 'doctor',
  timeout: 'selectModel',
  rateLimited: 'selectModel',
  malformedReply: 'selectModel',
  modelNotInstalled: 'selectModel',
  serverUnreachable: 'selectModel',
  nativePartMissing: 'selectModel',
  weightsUnavailable: 'selectModel',
  weightsDamaged: 'doctor',
  keyMissing: 'setApiKey',
  serverRefused: 'setApiKey',
  internal: 'doctor',
};

/** Shows what happened, why and the next step; never rejects. Cancelling is no error and says nothing. */
export async function showError(error: unknown, log: vscode.LogOutputChannel): Promise<void> {
  const { code, message, hint, cause } = toUserError(error);
  if (code === 'cancelled') return;
  log.error(`${code}: ${message} ${hint}`);
  if (code === 'internal' && cause instanceof Error) log.debug(cause.stack ?? cause.message);
  const next = NEXT_COMMAND[code];
  const buttons = [...(next === undefined ? [] : [COMMANDS[next].title]), 'Show Log'];
  const answer = await vscode.window.showErrorMessage(plainText(`${message} ${hint}`), ...buttons);
  if (answer === 'Show Log') log.show();
  else if (answer !== undefined && next !== undefined) {
    await vscode.commands.executeCommand(COMMANDS[next].id);
  }
}
