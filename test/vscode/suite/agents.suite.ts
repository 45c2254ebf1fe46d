/** Tools for agents, as another extension calls them. */
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { LANGUAGE_TOOLS } from '../../../src/extension/manifest';

const PROMPT = 'Please say whether the customer is happy or unhappy.\n\nIt broke.';
const MODEL = 'local:smollm2-135m';

async function invoke(name: (typeof LANGUAGE_TOOLS)[number], input: object): Promise<string> {
  const result = await vscode.lm.invokeTool(name, { input, toolInvocationToken: undefined });
  return result.content
    .map((part) => (part instanceof vscode.LanguageModelTextPart ? part.value : ''))
    .join('');
}

describe('tools for agents', () => {
  it('are offered with a schema that another extension can read', () => {
    for (const name of LANGUAGE_TOOLS) {
      const tool = vscode.lm.tools.find((entry) => entry.name === name);
      assert.ok(tool, name);
      assert.ok('properties' in (tool.inputSchema ?? {}));
      assert.match(tool.description, /real model/);
    }
  });

  it('check a prompt on a real model and say the verdict', async () => {
    const text = await invoke('evenkeel_check_prompt', { prompt: PROMPT, model: MODEL, samples: 4 });
    assert.match(text, /^(Steady|Wobbles|Undecided): /);
    assert.match(text, /Run \S+\.$/);
  });

  it('compare an edit', async () => {
    const text = await invoke('evenkeel_compare_edit', {
      before: PROMPT,
      after: PROMPT.replace('Please say', 'Say'),
      model: MODEL,
      samples: 4,
    });
    assert.match(text, /Run \S+\.$/);
  });

  it('list flip-prone sentences, from the check that is kept', async () => {
    const text = await invoke('evenkeel_list_flip_prone', { prompt: PROMPT, model: MODEL });
    assert.match(text, /kept from/);
  });

  it('say what is wrong with their input', async () => {
    await assert.rejects(
      invoke('evenkeel_check_prompt', { prompt: PROMPT, model: 'none' }),
      /no model 'none'/,
    );
    await assert.rejects(
      invoke('evenkeel_compare_edit', { before: PROMPT, after: PROMPT, model: MODEL }),
      /Both prompts are the same/,
    );
  });
});
