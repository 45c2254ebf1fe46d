/** The MCP server of the built command line, with the SDK's own client. */
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AGENT_TOOLS } from '../../src/compose/agentTools';
import { dist, makePlace } from './runCli';

const MODEL = 'local:smollm2-135m';
const PROMPT = 'Please say whether the customer is happy or unhappy.\n\nIt broke again.';

describe('evenkeel mcp', () => {
  let place: Awaited<ReturnType<typeof makePlace>>;
  let client: Client;
  beforeAll(async () => {
    place = await makePlace();
    client = new Client({ name: 'test', version: '1' });
    const env = Object.fromEntries(
      Object.entries(place.env).filter((entry): entry is [string, string] => entry[1] !== undefined),
    );
    await client.connect(
      new StdioClientTransport({
        command: process.execPath,
        args: [
          path.join(dist, 'cli.cjs'),
          'mcp',
          '--model',
          MODEL,
          '--endpoint',
          'lab=http://127.0.0.1:9/v1',
        ],
        env,
        cwd: place.dir,
      }),
    );
  }, 60_000);
  afterAll(async () => {
    await client.close();
    await rm(place.dir, { recursive: true, force: true });
  });
  type Result = { isError?: boolean; content: { type: string; text: string }[] };
  const call = async (
    name: string,
    input: Record<string, unknown>,
    options: { onprogress?: (progress: { progress: number; total?: number | undefined }) => void } = {},
  ) => {
    const result = (await client.callTool({ name, arguments: input }, undefined, {
      timeout: 120_000,
      ...options,
    })) as Result;
    return { isError: result.isError === true, text: result.content.map(({ text }) => text).join('\n') };
  };

  it('names itself and lists the tools with their schemas', async () => {
    expect(client.getServerVersion()?.name).toBe('evenkeel');
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(Object.values(AGENT_TOOLS).map(({ name }) => name));
    const check = tools.find(({ name }) => name === AGENT_TOOLS.checkPrompt.name);
    expect(check?.inputSchema.required).toEqual(['prompt']);
    expect(Object.keys(check?.inputSchema.properties ?? {})).toEqual([
      'prompt',
      'model',
      'variables',
      'samples',
    ]);
  });

  it('checks a prompt on a real model, with progress and without a word of the model', async () => {
    const seen: number[] = [];
    const { isError, text } = await call(
      AGENT_TOOLS.checkPrompt.name,
      { prompt: PROMPT, samples: 4 },
      { onprogress: ({ progress }) => seen.push(progress) },
    );
    expect(isError).toBe(false);
    expect(text).toMatch(/^(Steady|Wobbles|Undecided): /);
    expect(text).toMatch(/Run \S+\.$/m);
    expect(seen.at(-1)).toBeGreaterThan(4);
  }, 120_000);

  it('lists flip-prone sentences from the check that is kept', async () => {
    const { text } = await call(AGENT_TOOLS.listFlipProne.name, { prompt: PROMPT });
    expect(text).toMatch(/moved the answers|was seen to move/);
    expect(text).toMatch(/kept from \d{4}-/);
  }, 120_000);

  it('compares an edit', async () => {
    const { isError, text } = await call(AGENT_TOOLS.compareEdit.name, {
      before: PROMPT,
      after: PROMPT.replace('happy or unhappy', 'unhappy or happy'),
      samples: 4,
    });
    expect(isError).toBe(false);
    expect(text).toMatch(/Run \S+\.$/m);
  }, 120_000);

  it.each([
    ['a prompt that is missing', AGENT_TOOLS.checkPrompt.name, {}],
    ['a model that does not exist', AGENT_TOOLS.checkPrompt.name, { prompt: PROMPT, model: 'no-such' }],
    ['a variable without a value', AGENT_TOOLS.checkPrompt.name, { prompt: 'Answer {{name}} politely.' }],
    ['an edit that changes nothing', AGENT_TOOLS.compareEdit.name, { before: PROMPT, after: PROMPT }],
    ['a model that may cost money', AGENT_TOOLS.checkPrompt.name, { prompt: PROMPT, model: 'lab:m' }],
  ])('says what is wrong with %s', async (_name, tool, input) => {
    const answer = await call(tool, input).catch((error: unknown) => ({
      isError: true,
      text: String(error),
    }));
    expect(answer.isError).toBe(true);
    expect(answer.text).toMatch(/prompt|no model|variable|same|cost money/i);
  });
});
