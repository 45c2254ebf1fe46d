import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { createOpenAiModel } from '../../src/providers/openai/openAiModel';
import { listOpenAiModels } from '../../src/providers/openai/openAiServer';
import { GOOD, USAGE, chunk, startFakeOpenAi, type Handler } from './fakeOpenAiServer';
import { withRealOllama } from './realOllama';
import { OPTIONS, modelContract, sampleAll } from './suite';

const clock = { nowMs: () => Date.now() };
const never = new AbortController().signal;
const KEY = 'sk-test-5ecret5ecret';

withRealOllama(
  "Ollama's OpenAI-compatible endpoint",
  (server) => {
    const make = (model = 'smollm2:135m') =>
      createOpenAiModel({
        id: `lab:${model}`,
        model,
        baseUrl: `${server.baseUrl()}/v1`,
        apiKey: null,
        clock,
        concurrency: 1,
      });

    modelContract({
      make: () => make(),
      makeUnknown: () => make('smolm2:135'),
      suggestion: 'smollm2:135m',
      firstToken: true,
      digest: false,
      contextLength: null,
    });

    test('after a reply the identity is what the server says it ran', async () => {
      const model = make();
      expect((await model.open(never)).digest).toBeNull();
      await sampleAll(model);
      expect(await model.open(never)).toMatchObject({ resolved: 'smollm2:135m', digest: 'fp_ollama' });
    });

    test('a prompt that this endpoint cuts silently is found out by its token count (ollama #3839)', async () => {
      const { replies } = await sampleAll(make(), {
        prompt: 'tell me more '.repeat(200),
        options: { ...OPTIONS, maxTokens: 1 },
      });
      expect(replies[0]).toMatchObject({ outcome: 'malformed', error: { code: 'promptCut' } });
    });

    test('`n` is ignored by this endpoint: seen before it is used, so every answer has its own seed', async () => {
      const model = createOpenAiModel({
        id: 'lab:smollm2:135m',
        model: 'smollm2:135m',
        baseUrl: `${server.baseUrl()}/v1`,
        apiKey: null,
        clock,
        concurrency: 1,
        answersPerRequest: 4,
      });
      await model.open(never);
      expect(model.batch).toBe(1);
      const { replies } = await sampleAll(model, { seeds: [1, 2, 3, 4] });
      for (const reply of replies) expect(reply).toMatchObject({ outcome: 'ok' });
      expect(replies.every(({ drawn }) => drawn === undefined)).toBe(true);
      await model.close();
    });

    test('lists its models without a key', async () => {
      const listed = await listOpenAiModels({
        baseUrl: `${server.baseUrl()}/v1`,
        apiKey: null,
        signal: never,
      });
      expect(listed).toContainEqual({ name: 'smollm2:135m' });
    });
  },
  // Small, so that a prompt that does not fit is quickly read.
  { contextTokens: 256 },
);

describe('an OpenAI-protocol server with faults', () => {
  let stops: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const stop of stops) await stop();
    stops = [];
  });

  async function start(chat: Handler, list?: Parameters<typeof startFakeOpenAi>[1]) {
    const server = await startFakeOpenAi(chat, list);
    stops.push(server.stop);
    return server;
  }

  const modelAt = (baseUrl: string, more: Partial<Parameters<typeof createOpenAiModel>[0]> = {}) =>
    createOpenAiModel({
      id: 'openai:m',
      model: 'm',
      baseUrl,
      apiKey: KEY,
      clock,
      limits: { retries: 2, rateLimitRetries: 2, retryDelayMs: 5, probeMs: 3000, ...more.limits },
      concurrency: 1,
      ...more,
    });

  /** Samples against `chat`; checks that nothing is printed and that no error text holds the key. */
  async function faced(chat: Handler, request: Parameters<typeof sampleAll>[1] = {}) {
    const server = await start(chat);
    const printed = (['log', 'info', 'warn', 'error', 'debug'] as const).map((name) =>
      vi.spyOn(console, name).mockImplementation(() => undefined),
    );
    const { replies, warnings } = await sampleAll(modelAt(server.baseUrl), request);
    for (const spy of printed) {
      expect(spy).not.toHaveBeenCalled();
      spy.mockRestore();
    }
    expect(JSON.stringify([replies, warnings])).not.toContain(KEY);
    return { replies, reply: replies[0]!, warnings, requests: server.requests, server };
  }

  test('a healthy stream: text, counts, resolved model and fingerprint', async () => {
    const server = await start((_, answer) => answer.stream(GOOD));
    const model = modelAt(server.baseUrl);
    const { replies } = await sampleAll(model);
    expect(replies[0]).toMatchObject({
      outcome: 'ok',
      text: 'Hello',
      finishReason: 'stop',
      promptTokens: 9,
      completionTokens: 2,
    });
    expect(await model.open(never)).toMatchObject({ resolved: 'm-2026', digest: 'fp_1' });
    expect(server.requests[0]!.body).toMatchObject({
      seed: 1,
      temperature: 1,
      top_p: 1,
      max_tokens: 12,
      model: 'm',
    });
    expect(server.requests[0]!.body).not.toHaveProperty('n');
  });

  test('a server that ignores `stream` and answers whole', async () => {
    const whole = { model: 'm', choices: [{ index: 0, message: { content: 'Hi' }, finish_reason: 'stop' }] };
    const { reply } = await faced((_, answer) => answer.send(200, whole));
    expect(reply).toMatchObject({ outcome: 'ok', text: 'Hi', promptTokens: null });
  });

  const FATAL = { retried: 0 };
  const RETRIED = { retried: 2 };
  test.each<[string, Handler, object, { retried: number }]>([
    [
      '401',
      (_, a) =>
        a.send(401, {
          error: { message: `Incorrect API key provided: ${KEY}. See https://x.example.com/keys` },
        }),
      { outcome: 'unavailable', error: { code: 'unauthorized' } },
      FATAL,
    ],
    ['403', (_, a) => a.send(403, 'no'), { outcome: 'unavailable', error: { code: 'forbidden' } }, FATAL],
    [
      '404',
      (_, a) => a.send(404, { error: { message: 'no model' } }),
      { outcome: 'unavailable', error: { code: 'notFound' } },
      FATAL,
    ],
    ['408', (_, a) => a.send(408, ''), { outcome: 'timeout', error: { code: 'requestTimeout' } }, RETRIED],
    ['413', (_, a) => a.send(413, ''), { outcome: 'unavailable', error: { code: 'tooLarge' } }, FATAL],
    [
      '429 without Retry-After',
      (_, a) => a.send(429, { error: { message: 'slow down' } }),
      { outcome: 'rateLimited', error: { code: 'rateLimited' } },
      RETRIED,
    ],
    [
      '429 with a Retry-After of hours',
      (_, a) => a.send(429, '', { 'retry-after': '7200' }),
      { outcome: 'rateLimited', error: { code: 'rateLimited' } },
      FATAL,
    ],
    [
      '429 because the credit is used up',
      (_, a) => a.send(429, { error: { message: 'x', code: 'insufficient_quota' } }),
      { outcome: 'rateLimited', error: { code: 'quotaExhausted' } },
      FATAL,
    ],
    [
      '429 because the day is used up',
      (_, a) =>
        a.send(
          429,
          { error: { message: 'Rate limit reached on requests per day (RPD)' } },
          { 'retry-after': '1' },
        ),
      { outcome: 'rateLimited', error: { code: 'quotaExhausted' } },
      FATAL,
    ],
    [
      '500',
      (_, a) => a.send(500, { error: { message: 'boom' } }),
      { outcome: 'unavailable', error: { code: 'serverError' } },
      RETRIED,
    ],
    [
      '503 with HTML',
      (_, a) => a.send(503, '<!doctype html><b>', { 'content-type': 'text/html' }),
      {
        outcome: 'unavailable',
        error: { code: 'overloaded', message: 'The server failed (503): an HTML page' },
      },
      RETRIED,
    ],
    ['529', (_, a) => a.send(529, ''), { outcome: 'unavailable', error: { code: 'overloaded' } }, RETRIED],
    [
      'HTML with status 200',
      (_, a) => a.send(200, '<html></html>', { 'content-type': 'text/html' }),
      { outcome: 'malformed', error: { code: 'htmlReply' } },
      FATAL,
    ],
    [
      'half a JSON',
      (_, a) => a.send(200, '{"choices":[{"mess'),
      { outcome: 'malformed', text: '', error: { code: 'brokenJson' } },
      FATAL,
    ],
    [
      'half a JSON in the stream',
      (_, a) => a.stream([chunk('Hel'), '{"choices":[{"del']),
      { outcome: 'malformed', text: 'Hel', error: { code: 'brokenJson' } },
      FATAL,
    ],
    [
      'an empty body',
      (_, a) => a.send(200, ''),
      { outcome: 'malformed', error: { code: 'emptyReply' } },
      FATAL,
    ],
    [
      'an empty stream',
      (_, a) => a.stream([]),
      { outcome: 'malformed', error: { code: 'emptyReply' } },
      FATAL,
    ],
    [
      'text that is no stream',
      (_, a) => a.send(200, 'hello', { 'content-type': 'text/plain' }),
      { outcome: 'malformed', error: { code: 'emptyReply' } },
      FATAL,
    ],
    [
      'missing choices',
      (_, a) => a.send(200, { id: 'x' }),
      { outcome: 'malformed', error: { code: 'noChoices' } },
      FATAL,
    ],
    [
      'choices of null',
      (_, a) => a.stream([{ choices: null }, '[DONE]']),
      { outcome: 'malformed', error: { code: 'noChoices' } },
      FATAL,
    ],
    [
      'a stream that ends too early',
      (_, a) => a.stream([chunk('Hel')]),
      { outcome: 'malformed', text: 'Hel', error: { code: 'cutReply' } },
      FATAL,
    ],
    [
      'finish_reason missing, counts there',
      (_, a) => a.stream([chunk('Hello'), USAGE, '[DONE]']),
      { outcome: 'ok', text: 'Hello', finishReason: null },
      FATAL,
    ],
    [
      'two choices mixed',
      (_, a) =>
        a.stream([
          chunk('A'),
          chunk('', null, { choices: [{ index: 1, delta: { content: 'B' } }] }),
          chunk('C', 'stop'),
        ]),
      { outcome: 'ok', text: 'AC' },
      FATAL,
    ],
    [
      'an error inside the stream',
      (_, a) => a.stream([chunk('Hel'), { error: { message: 'overloaded' } }]),
      { outcome: 'unavailable', text: 'Hel' },
      RETRIED,
    ],
    [
      'a reset in mid-stream',
      (_, a) => {
        a.stream([chunk('Hel')], false);
        a.reset();
      },
      { outcome: 'unavailable', text: 'Hel', error: { code: 'connectionLost' } },
      RETRIED,
    ],
    [
      'a reset before any byte',
      (_, a) => a.reset(),
      { outcome: 'unavailable', error: { code: 'connectionLost' } },
      RETRIED,
    ],
    [
      'a refusal',
      (_, a) =>
        a.stream([
          chunk('', 'stop', {
            choices: [{ index: 0, delta: { refusal: 'I cannot.' }, finish_reason: 'stop' }],
          }),
        ]),
      { outcome: 'refused', text: 'I cannot.' },
      FATAL,
    ],
    [
      'the content filter',
      (_, a) => a.stream([chunk('He', 'content_filter')]),
      { outcome: 'refused' },
      FATAL,
    ],
    ['nothing but white space', (_, a) => a.stream([chunk('  \n', 'stop')]), { outcome: 'empty' }, FATAL],
    [
      'thinking in a field of its own',
      (_, a) =>
        a.stream([
          chunk('', null, { choices: [{ index: 0, delta: { reasoning_content: 'hm' } }] }),
          chunk('yes', 'stop'),
        ]),
      { outcome: 'ok', text: 'yes', thinking: 'hm' },
      FATAL,
    ],
    [
      'thinking that used up the window (promptfoo #10954, #5182)',
      (_, a) => a.stream([chunk('<think>so let me', 'length')]),
      { outcome: 'thinkingOnly', text: '', thinking: 'so let me' },
      FATAL,
    ],
    [
      'an answer that ran out of context',
      (_, a) => a.stream([chunk('He', 'length'), USAGE]),
      { outcome: 'truncated', finishReason: 'length' },
      FATAL,
    ],
    [
      'text that is no text',
      (_, a) =>
        a.stream([chunk('ok'), { choices: [{ index: 0, delta: { content: 7 }, finish_reason: 'stop' }] }]),
      { outcome: 'ok', text: 'ok' },
      FATAL,
    ],
  ])('%s', async (_, chat, expected, { retried }) => {
    const { reply, requests } = await faced(chat);
    expect(reply).toMatchObject(expected);
    expect(reply.error?.message ?? '').not.toMatch(/example\.com|<html/);
    expect(requests).toHaveLength(1 + retried);
  });

  test('invalid UTF-8 is text with replacement characters, not a crash', async () => {
    const bytes = Buffer.from(`data: ${JSON.stringify(chunk('a?b', 'stop'))}\n\n`);
    bytes[bytes.indexOf('?')] = 0xff;
    const http = createServer((request, response) => {
      response.setHeader(
        'content-type',
        request.url === '/v1/models' ? 'application/json' : 'text/event-stream',
      );
      response.end(request.url === '/v1/models' ? '{"data":[]}' : bytes);
    }).listen(0, '127.0.0.1');
    await once(http, 'listening');
    const { replies } = await sampleAll(
      modelAt(`http://127.0.0.1:${(http.address() as AddressInfo).port}/v1`),
    );
    expect(replies[0]).toMatchObject({ outcome: 'ok', text: 'a\uFFFDb' });
    http.closeAllConnections();
    http.close();
  });

  test('a passing fault is asked again, and Retry-After is waited for (promptfoo #1970)', async () => {
    const startMs = Date.now();
    const { reply, requests } = await faced((_, answer, nth) => {
      if (nth === 0) answer.send(429, '', { 'retry-after': '0.5' });
      else if (nth === 1) answer.send(500, '');
      else answer.stream(GOOD);
    });
    const tookMs = Date.now() - startMs;
    expect(reply).toMatchObject({ outcome: 'ok', text: 'Hello' });
    expect(requests).toHaveLength(3);
    // Latency is that of the request that was answered: the wait is in the whole, not in it.
    expect(tookMs - reply.latencyMs).toBeGreaterThanOrEqual(490);
  });

  test('a stream that never ends: the total limit counts from dispatch, not from the queue (ollama #11277)', async () => {
    const server = await start((_, answer) => answer.stream([chunk('Hel')], false));
    const limits = { firstTokenMs: 10_000, totalMs: 1000, retries: 0, retryDelayMs: 1 };
    const { replies } = await sampleAll(modelAt(server.baseUrl, { limits }), { seeds: [1, 2] });
    // The second one waited in the queue for longer than its own limit and is not blamed for it.
    for (const reply of replies)
      expect(reply).toMatchObject({ outcome: 'timeout', text: 'Hel', error: { code: 'totalTimeout' } });
    expect(server.requests).toHaveLength(2);
    await vi.waitFor(() => expect(server.abandoned()).toBe(2), { timeout: 10_000 });
  });

  test('a server that never begins: the first-token limit', async () => {
    const server = await start(() => undefined);
    const limits = { firstTokenMs: 100, totalMs: 5000, retries: 2, retryDelayMs: 1 };
    const { replies } = await sampleAll(modelAt(server.baseUrl, { limits }));
    expect(replies[0]).toMatchObject({ outcome: 'timeout', text: '', error: { code: 'firstTokenTimeout' } });
    expect(server.requests).toHaveLength(1);
  });

  test('cancel stops the request at the server and keeps what came', async () => {
    const controller = new AbortController();
    const server = await start((_, answer) => {
      answer.stream([chunk('Hel')], false);
      setTimeout(() => controller.abort(), 100);
    });
    const { replies } = await sampleAll(modelAt(server.baseUrl), {
      seeds: [1, 2],
      signal: controller.signal,
    });
    expect(replies[0]).toMatchObject({ outcome: 'cancelled', text: 'Hel' });
    expect(replies[1]).toMatchObject({ outcome: 'cancelled', text: '' });
    expect(server.requests).toHaveLength(1);
    await vi.waitFor(() => expect(server.abandoned()).toBe(1), { timeout: 10_000 });
  });

  test('cancel while waiting for Retry-After does not wait on', async () => {
    const controller = new AbortController();
    const server = await start((_, answer) => {
      answer.send(429, '', { 'retry-after': '30' });
      setTimeout(() => controller.abort(), 50);
    });
    const startMs = Date.now();
    const { replies } = await sampleAll(modelAt(server.baseUrl), { signal: controller.signal });
    expect(replies[0]).toMatchObject({ outcome: 'cancelled' });
    expect(Date.now() - startMs).toBeLessThan(5000);
  });

  test('the circuit: after three failures in a row the rest is not sent; a later call tries once', async () => {
    let ill = true;
    const server = await start((_, answer) => (ill ? answer.send(500, '') : answer.stream(GOOD)));
    const model = modelAt(server.baseUrl, { limits: { retries: 0 } });
    const seeds = Array.from({ length: 10 }, (_, i) => i);
    const first = (await sampleAll(model, { seeds })).replies;
    expect(first.map(({ error }) => error?.code)).toEqual([
      ...Array<string>(3).fill('serverError'),
      ...Array<string>(7).fill('notSent'),
    ]);
    expect(first.every(({ outcome }) => outcome === 'unavailable')).toBe(true);
    await sampleAll(model, { seeds });
    expect(server.requests).toHaveLength(4);
    ill = false;
    const healed = (await sampleAll(model, { seeds })).replies;
    expect(healed.every(({ outcome }) => outcome === 'ok')).toBe(true);
  });

  test('a refused key stops the call at once', async () => {
    const { replies, requests } = await faced((_, answer) => answer.send(401, ''), { seeds: [1, 2, 3] });
    expect(requests).toHaveLength(1);
    expect(replies.map(({ error }) => error?.code)).toEqual(['unauthorized', 'notSent', 'notSent']);
  });

  test('side by side up to the bound, not more, and few at first', async () => {
    let open = 0;
    let most = 0;
    const server = await start((_, answer) => {
      open += 1;
      most = Math.max(most, open);
      setTimeout(() => {
        open -= 1;
        answer.stream(GOOD);
      }, 30);
    });
    const model = createOpenAiModel({
      id: 'openai:m',
      model: 'm',
      baseUrl: server.baseUrl,
      apiKey: null,
      clock,
      concurrency: 4,
    });
    expect(model.concurrency).toBe(4);
    await sampleAll(model, { seeds: [1, 2, 3] });
    expect(most).toBe(2);
    await sampleAll(model, { seeds: Array.from({ length: 24 }, (_, i) => i) });
    expect(most).toBe(4);
  });

  test('a redirect to another host is not followed and the key goes nowhere', async () => {
    const thief = await start((_, answer) => answer.stream(GOOD));
    const { reply, requests } = await faced((_, answer) =>
      answer.send(307, '', { location: `${thief.baseUrl}/chat/completions` }),
    );
    expect(reply).toMatchObject({ outcome: 'unavailable', error: { code: 'redirected' } });
    expect(requests).toHaveLength(1);
    expect(thief.requests).toHaveLength(0);
    const list = await start(
      () => undefined,
      (answer) => answer.send(302, '', { location: `${thief.baseUrl}/models` }),
    );
    await expect(modelAt(list.baseUrl).open(never)).rejects.toMatchObject({ code: 'serverRefused' });
  });

  test('only named headers are sent, whatever the environment says', async () => {
    vi.stubEnv('OPENAI_API_KEY', 'sk-from-environment');
    vi.stubEnv('OPENAI_ORG_ID', 'org-secret');
    vi.stubEnv('OPENAI_CUSTOM_HEADERS', 'x-secret: 1');
    const server = await start((_, answer) => answer.stream(GOOD));
    await sampleAll(modelAt(server.baseUrl, { apiKey: null }));
    await sampleAll(modelAt(server.baseUrl));
    vi.unstubAllEnvs();
    const [keyless, keyed] = server.requests;
    expect(keyless!.headers).not.toHaveProperty('authorization');
    expect(keyed!.headers.authorization).toBe(`Bearer ${KEY}`);
    expect(JSON.stringify(server.requests)).not.toMatch(/from-environment|org-secret|x-secret|stainless/);
  });

  describe('options that a server does not take', () => {
    const refusing =
      (refused: string, error: object): Handler =>
      ({ body }, answer) =>
        refused in body ? answer.send(400, { error }) : answer.stream(GOOD);

    test('max_tokens becomes max_completion_tokens, once (glass #227)', async () => {
      const { replies, requests, warnings } = await faced(
        refusing('max_tokens', {
          message:
            "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
          param: 'max_tokens',
          code: 'unsupported_parameter',
        }),
        { seeds: [1, 2] },
      );
      expect(replies.every(({ outcome }) => outcome === 'ok')).toBe(true);
      expect(requests).toHaveLength(3);
      expect(requests[2]!.body).toMatchObject({ max_completion_tokens: 12 });
      expect(warnings).toEqual([]);
    });

    test('temperature is left out and people are told (glass #227)', async () => {
      const { reply, warnings, requests } = await faced(
        refusing('temperature', {
          message:
            "Unsupported value: 'temperature' does not support 0.7 with this model. Only the default (1) value is supported.",
          param: 'temperature',
          code: 'unsupported_value',
        }),
      );
      expect(reply.outcome).toBe('ok');
      expect(requests).toHaveLength(2);
      expect(warnings).toEqual([expect.stringContaining('temperature')]);
    });

    test('a field named only in the message', async () => {
      const { reply } = await faced(
        refusing('stream_options', { message: 'Extra inputs are not permitted: stream_options' }),
      );
      expect(reply.outcome).toBe('ok');
    });

    test('an option that is refused even when absent ends, it does not loop', async () => {
      const { reply, requests } = await faced((_, answer) =>
        answer.send(400, {
          error: {
            message: 'temperature is not supported',
            param: 'temperature',
            code: 'unsupported_parameter',
          },
        }),
      );
      expect(reply).toMatchObject({ outcome: 'unavailable', error: { code: 'badRequest' } });
      expect(requests).toHaveLength(2);
    });

    test('a prompt that does not fit is a UserError', async () => {
      const server = await start((_, answer) =>
        answer.send(400, {
          error: {
            message: "This model's maximum context length is 8192 tokens",
            code: 'context_length_exceeded',
          },
        }),
      );
      await expect(sampleAll(modelAt(server.baseUrl))).rejects.toMatchObject({ code: 'promptTooLong' });
    });
  });

  test('a changed fingerprint in mid-run is told', async () => {
    const changes: string[] = [];
    const { warnings } = await faced(
      (_, answer, nth) => answer.stream([chunk('a', 'stop', { system_fingerprint: `fp_${nth}` })]),
      { seeds: [1, 2], onModelChanged: (what) => changes.push(what) },
    );
    expect(changes).toEqual([expect.stringContaining('fp_0')]);
    expect(warnings).toEqual([]);
  });

  test('local servers are told to sample the plain distribution', async () => {
    const server = await start(
      (_, answer) => answer.stream(GOOD),
      (answer) => answer.send(200, { data: [{ id: 'm', owned_by: 'vllm' }] }),
    );
    await sampleAll(modelAt(server.baseUrl));
    expect(server.requests[0]!.body).toMatchObject({ top_k: -1, min_p: 0, repetition_penalty: 1 });
  });

  describe('open', () => {
    const openWith = async (list: Parameters<typeof startFakeOpenAi>[1], apiKey: string | null = null) =>
      modelAt((await start(() => undefined, list)).baseUrl, { apiKey }).open(never);

    test('no key where one is wanted names the variable; a refused key says so', async () => {
      await expect(openWith((a) => a.send(401, { error: { message: 'no key' } }))).rejects.toMatchObject({
        code: 'keyMissing',
        hint: expect.stringContaining('OPENAI_API_KEY'),
      });
      await expect(openWith((a) => a.send(401, ''), KEY)).rejects.toMatchObject({ code: 'serverRefused' });
    });

    test('a server without a list of models is taken at its word', async () => {
      expect(await openWith((a) => a.send(404, 'not found'))).toMatchObject({ resolved: 'm', digest: null });
    });

    test('a list that is none', async () => {
      await expect(
        openWith((a) => a.send(200, '<html>', { 'content-type': 'text/html' })),
      ).rejects.toMatchObject({ code: 'malformedReply' });
      await expect(openWith((a) => a.send(200, { data: 'x' }))).rejects.toMatchObject({
        code: 'malformedReply',
      });
    });

    test('nothing listens: what was tried and the next step', async () => {
      const server = await startFakeOpenAi(() => undefined);
      await server.stop();
      await expect(modelAt(server.baseUrl).open(never)).rejects.toMatchObject({
        code: 'serverUnreachable',
        message: expect.stringContaining(server.baseUrl),
      });
      await expect(
        listOpenAiModels({ baseUrl: server.baseUrl, apiKey: KEY, signal: never }),
      ).rejects.toMatchObject({
        code: 'serverUnreachable',
      });
    });

    test('a server that went away after open: outcomes, not an exception', async () => {
      const server = await startFakeOpenAi(() => undefined);
      const model = modelAt(server.baseUrl);
      await model.open(never);
      await server.stop();
      const { replies } = await sampleAll(model, { seeds: [1, 2, 3, 4, 5] });
      // While one waits to be sent again another has its turn: which of them were first is chance.
      expect(replies.map(({ error }) => error?.code).sort()).toEqual([
        'notSent',
        'notSent',
        'unreachable',
        'unreachable',
        'unreachable',
      ]);
    });

    test('addresses that are none or carry a password are refused before anything is sent', () => {
      for (const baseUrl of ['ftp://x', 'http://', 'http://user:pass@127.0.0.1/v1'])
        expect(() => modelAt(baseUrl)).toThrowError(expect.objectContaining({ code: 'invalidOption' }));
    });
  });
});
