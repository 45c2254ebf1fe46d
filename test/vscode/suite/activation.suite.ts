import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { COMMANDS, EXTENSION_ID } from '../../../src/extension/manifest';

describe('activation', () => {
  it('activates from the packaged VSIX', async () => {
    const extension = vscode.extensions.getExtension(EXTENSION_ID);
    assert.ok(extension, 'the extension is installed');
    assert.match(extension.extensionPath, /extensions/);
    await extension.activate();
    assert.equal(extension.isActive, true);
  });

  it('registers every command that it contributes', async () => {
    const registered = await vscode.commands.getCommands(true);
    for (const { id } of Object.values(COMMANDS)) assert.ok(registered.includes(id), id);
  });
});
