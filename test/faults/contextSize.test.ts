/** Model thrash: a context size that changes in mid-run loads the model anew (ollama #7789, #10948). One size for a whole run. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Condition } from '../../src/contracts/runRecord';
import { collectSamples } from '../../src/engine/collect';
import { DEFAULT_OPTIONS } from '../../src/engine/defaults';
import { scheduleJobs } from '../../src/engine/schedule';
import { createOllamaModel } from '../../src/providers/ollama/ollamaModel';

const contexts: number[] = [];
const answers: Record<string, unknown> = {
  '/api/version': { version: '1' },
  '/api/tags': { models: [{ name: 'm', digest: 'd', size: 1 }] },
  '/api/show': { capabilities: ['completion'], model_info: { 'x.context_length': 65_536 } },
};
const server = createServer((request, response) => {
  let body = '';
  request.on('data', (data: Buffer) => (body += data.toString()));
  request.on('end', () => {
    const known = answers[request.url ?? ''];
    if (known !== undefined) return response.end(JSON.stringify(known));
    const { messages, options } = JSON.parse(body) as {
      messages: { content: string }[];
      options: { num_ctx: number };
    };
    contexts.push(options.num_ctx);
    const words = messages[0]!.content.split(' ').length;
    response.end(
      `${JSON.stringify({ message: { content: 'yes' }, done: true, done_reason: 'stop', prompt_eval_count: 2 * words, eval_count: 1 })}\n`,
    );
  });
});
beforeEach(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

test('is that of the longest prompt, from the first request on', async () => {
  const conditions = ['Is it raining?', `${'It was a long evening. '.repeat(1_500)}Is it raining?`].map(
    (rendered, i): Condition => ({ id: `c${i}`, role: 'perturbation', perturbationId: null, rendered }),
  );
  const clock = { nowMs: () => Date.now() };
  const model = createOllamaModel({
    id: 'ollama:m',
    model: 'm',
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    clock,
  });
  // The short ones first: that is where a size that grows would begin too small.
  const jobs = scheduleJobs(conditions, 4, 1, 1).sort((a, b) => a.condition.id.localeCompare(b.condition.id));
  const { samples } = await collectSamples(
    { model, store: { appendSample: async () => {} }, clock },
    { id: 'run', jobs, options: DEFAULT_OPTIONS, firstTokenTop: 0 },
    { signal: new AbortController().signal },
  );
  expect(samples.map(({ outcome }) => outcome)).toEqual(Array(8).fill('ok'));
  expect(contexts).toHaveLength(8);
  expect(new Set(contexts).size).toBe(1);
  expect(contexts[0]).toBeGreaterThan(2 * 1_500 * 5);
});
