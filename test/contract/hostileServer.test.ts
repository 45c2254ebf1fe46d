/** Servers that mean harm or are broken in odd ways: nothing they send may leak a key, hang us, or spoil the record. */
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { modelIdentitySchema, sampleSchema, type RunOptions } from '../../src/contracts/runRecord';
import type { Model, Reply } from '../../src/engine/ports';
import { toSample } from '../../src/engine/toSample';
import { listOllamaModels } from '../../src/providers/ollama/ollamaServer';
import { createOllamaModel } from '../../src/providers/ollama/ollamaModel';
import { createOpenAiModel } from '../../src/providers/openai/openAiModel';
import { listOpenAiModels } from '../../src/providers/openai/openAiServer';
import { GOOD, chunk, startFakeOpenAi, type Handler } from './fakeOpenAiServer';
import { sampleAll } from './suite';

const clock = { nowMs: () => Date.now() };
const never = new AbortController().signal;
const limits = { retries: 0, retryDelayMs: 1, probeMs: 5000 };

let stops: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const stop of stops) await stop();
  stops = [];
});

async function openAi(
  chat: Handler,
  list?: Parameters<typeof startFakeOpenAi>[1],
  apiKey: string | null = null,
) {
  const server = await startFakeOpenAi(chat, list);
  stops.push(server.stop);
  const { baseUrl } = server;
  const model = createOpenAiModel({
    id: 'lab:m',
    model: 'm',
    baseUrl,
    apiKey,
    clock,
    limits,
    concurrency: 1,
  });
  return { baseUrl, model, server };
}

async function ollama(answers: Record<string, unknown>, chat: RequestListener) {
  const http = createServer((request, response) => {
    const answer = answers[request.url ?? ''];
    if (answer === undefined) return chat(request, response);
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(answer));
  }).listen(0, '127.0.0.1');
  await once(http, 'listening');
  stops.push(() => {
    http.closeAllConnections();
    http.close();
  });
  const baseUrl = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
  return { baseUrl, model: createOllamaModel({ id: 'ollama:m', model: 'm', baseUrl, clock, limits }) };
}

/** What the engine would keep of a reply, as it reads it back from disk. */
function keptAs(reply: Reply): unknown {
  const condition = { id: 'baseline', role: 'baseline' as const, perturbationId: null, rendered: '' };
  const options = { wholeAnswers: false } as RunOptions;
  return JSON.parse(JSON.stringify(toSample(reply, { condition, index: 0, position: 0 }, options)));
}

async function expectReadable(model: Model): Promise<Reply> {
  expect(modelIdentitySchema.safeParse(await model.open(never)).error).toBeUndefined();
  const { replies } = await sampleAll(model);
  expect(sampleSchema.safeParse(keptAs(replies[0]!)).error).toBeUndefined();
  return replies[0]!;
}

describe('values of the wrong kind do not make a run unreadable', () => {
  test('OpenAI protocol', async () => {
    const { model } = await openAi(
      (_, answer) =>
        answer.stream([
          {
            ...chunk('Yes', 'stop'),
            model: 7,
            system_fingerprint: { a: 1 },
            choices: [
              {
                index: 0,
                delta: { content: 'Yes' },
                finish_reason: 'stop',
                logprobs: {
                  content: [
                    { top_logprobs: [{ token: 5, logprob: -1 }, { token: 'a', logprob: 3 }, { token: 'b' }] },
                  ],
                },
              },
            ],
          },
          { choices: [], usage: { prompt_tokens: 1e300, completion_tokens: -4 } },
          '[DONE]',
        ]),
      (answer) =>
        answer.send(200, {
          data: [{ id: 'm', owned_by: { name: 'x' } }, { id: 5 }, { id: 'n', owned_by: 3 }],
        }),
    );
    const reply = await expectReadable(model);
    expect(reply).toMatchObject({ outcome: 'ok', text: 'Yes', promptTokens: null, completionTokens: null });
    expect(reply.firstToken).toEqual([{ token: 'a', probability: 1 }]);
  });

  test('Ollama', async () => {
    const { model, baseUrl } = await ollama(
      {
        '/api/version': { version: '1' },
        '/api/tags': {
          models: [{ name: 'm', digest: 5, size: 'big', details: { quantization_level: 4 } }, { name: null }],
        },
        '/api/show': {
          capabilities: 'completion',
          details: { parameter_size: 135 },
          model_info: { 'x.context_length': 2.5 },
        },
      },
      (_, response) => {
        response.write(`${JSON.stringify({ message: { content: 'Yes' }, done: false })}\n`);
        response.write(`${JSON.stringify({ message: { content: { a: 1 }, thinking: 3 }, done: false })}\n`);
        response.end(
          `${JSON.stringify({ message: {}, done: true, done_reason: 4, prompt_eval_count: -1, eval_count: 'x' })}\n`,
        );
      },
    );
    const reply = await expectReadable(model);
    expect(reply).toMatchObject({ outcome: 'ok', text: 'Yes', promptTokens: null, completionTokens: null });
    expect(await listOllamaModels({ baseUrl, signal: never })).toEqual([
      { name: 'm', sizeBytes: 0, digest: null, quantization: null },
    ]);
  });
});

describe('a server that goes on and on', () => {
  const endless = (line: string) => (response: Parameters<RequestListener>[1]) => {
    const more = () => {
      while (!response.destroyed && response.write(line));
    };
    response.on('drain', more);
    more();
  };

  test.each([
    ['an answer that ignores the limit', `data: ${JSON.stringify(chunk('word '.repeat(2000)))}\n\n`],
    ['an event that is never complete', 'x'.repeat(64 * 1024)],
    [
      'thinking without end',
      `data: ${JSON.stringify({ choices: [{ delta: { reasoning: 'hm '.repeat(3000) } }] })}\n\n`,
    ],
  ])('OpenAI protocol: %s', async (_, line) => {
    const http = createServer((request, response) => {
      if (request.url?.endsWith('/models')) return response.end('{"data":[{"id":"m"}]}');
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      endless(line)(response);
    }).listen(0, '127.0.0.1');
    await once(http, 'listening');
    stops.push(() => {
      http.closeAllConnections();
      http.close();
    });
    const baseUrl = `http://127.0.0.1:${(http.address() as AddressInfo).port}/v1`;
    const model = createOpenAiModel({ id: 'lab:m', model: 'm', baseUrl, apiKey: null, clock, limits });
    const { replies } = await sampleAll(model);
    expect(replies[0]).toMatchObject({ outcome: 'malformed', error: { code: 'replyTooLong' } });
  });

  test.each([
    ['lines', `${JSON.stringify({ message: { content: 'word '.repeat(2000) }, done: false })}\n`],
    ['one line', 'x'.repeat(64 * 1024)],
  ])('Ollama: %s', async (_, line) => {
    const { model } = await ollama(
      {
        '/api/version': { version: '1' },
        '/api/tags': { models: [{ name: 'm', digest: 'd', size: 1 }] },
        '/api/show': { capabilities: ['completion'] },
      },
      (_request, response) => endless(line)(response),
    );
    const { replies } = await sampleAll(model);
    expect(replies[0]).toMatchObject({ outcome: 'malformed', error: { code: 'replyTooLong' } });
  });

  test('a list of models without end', async () => {
    const { model } = await openAi(
      (_, answer) => answer.stream(GOOD),
      (answer) => answer.send(200, `{"data":[${'{"id":"n"},'.repeat(4_000_000)}]}`),
    );
    await expect(model.open(never)).rejects.toMatchObject({ code: 'malformedReply' });
  });
});

describe('what a server says never carries a key or a command', () => {
  test.each(['topsecret\nsecond line', 'topsecret\u2013dash', 'topsecret\u0000', 'top secret', ''])(
    'a key that cannot be sent (%j) is refused without being repeated',
    async (apiKey) => {
      const { baseUrl, server } = await openAi((_, answer) => answer.stream(GOOD));
      const failed = await listOpenAiModels({ baseUrl, apiKey, signal: never, keyHint: 'Set X.' }).then(
        () => null,
        (error: Error) => error,
      );
      expect(failed).toMatchObject({ code: 'keyMissing', hint: 'Set X.' });
      const texts: string[] = [];
      for (let at: unknown = failed; at instanceof Error; at = at.cause)
        texts.push(String(at), at.stack ?? '');
      expect(texts.join('\n')).not.toMatch(/top ?secret/);
      expect(server.requests).toEqual([]);
    },
  );

  test('an error that holds the key, an escape sequence and a command link', async () => {
    const { model } = await openAi(
      ({ headers }, answer) =>
        answer.send(400, { error: { message: `\u001b[31m${headers.authorization} [fix](command:x?y)` } }),
      undefined,
      'plainsecret',
    );
    const { replies } = await sampleAll(model);
    const message = replies[0]!.error!.message;
    expect(message).toContain('[key]');
    expect(message).not.toMatch(/plainsecret|\u001b|\]\(/);
  });

  test('names of models that nobody would type are not offered', async () => {
    const { model } = await openAi(
      (_, answer) => answer.stream(GOOD),
      (answer) =>
        answer.send(200, {
          data: ['m\u001b[31m', '[m](command:x)', `m${'x'.repeat(100_000)}`, 'm2'].map((id) => ({ id })),
        }),
    );
    await expect(model.open(never)).rejects.toMatchObject({
      message: 'The endpoint lab has no model m. Nearest: m2.',
    });
  });
});
