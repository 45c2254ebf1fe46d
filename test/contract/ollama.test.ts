import { once } from 'node:events';
import { createServer } from 'node:http';
import { createServer as createTcpServer, type AddressInfo } from 'node:net';
import { describe, expect, test, vi } from 'vitest';
import type { Fetch } from '../../src/providers/guardedFetch';
import { createOllamaModel } from '../../src/providers/ollama/ollamaModel';
import { listOllamaModels } from '../../src/providers/ollama/ollamaServer';
import { withRealOllama } from './realOllama';
import { OPTIONS, modelContract, sampleAll } from './suite';

const clock = { nowMs: () => Date.now() };
const never = new AbortController().signal;
const quick = { retryDelayMs: 10, retries: 2 };

withRealOllama('a real Ollama', (server) => {
  const make = (more: Partial<Parameters<typeof createOllamaModel>[0]> = {}) =>
    createOllamaModel({
      id: 'ollama:smollm2:135m',
      model: 'smollm2:135m',
      baseUrl: server.baseUrl(),
      clock,
      ...more,
    });

  modelContract({
    make: () => make(),
    makeUnknown: () => make({ model: 'smolm2:135' }),
    suggestion: 'smollm2:135m',
    firstToken: true,
    digest: true,
    contextLength: 8192,
  });

  test('identity: name, digest as listed, size, quantization, context and version', async () => {
    const identity = await make().open(never);
    const listed = await listOllamaModels({ baseUrl: server.baseUrl(), signal: never });
    expect(identity).toEqual({
      id: 'ollama:smollm2:135m',
      provider: 'ollama',
      resolved: 'smollm2:135m',
      digest: listed.find(({ name }) => name === 'smollm2:135m')!.digest,
      baseUrl: server.baseUrl(),
      parameterSize: '134.52M',
      quantization: 'Q4_1',
      contextLength: 8192,
      runtime: 'Ollama 0.17.4',
    });
    expect(listed.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['smollm2:135m', 'gemma3:270m', 'gemma3-fewshot:270m']),
    );
    for (const one of listed) expect(one.sizeBytes).toBeGreaterThan(1e6);
  });

  test('an unknown model names `ollama pull`', async () => {
    await expect(make({ model: 'nope:1b' }).open(never)).rejects.toMatchObject({
      hint: expect.stringContaining('`ollama pull nope:1b`'),
    });
  });

  test('requests keep seeds inside options (ollama #5274), one context size kept loaded (ollama #7789, #10948), and switch off what bends the distribution', async () => {
    const bodies: Record<string, unknown>[] = [];
    const spying: Fetch = (input, init) => {
      if (String(input).endsWith('/api/chat'))
        bodies.push(JSON.parse(String(init?.body)) as Record<string, unknown>);
      return fetch(input, init);
    };
    const model = make({ fetch: spying });
    await sampleAll(model, { seeds: [7, 8], options: { ...OPTIONS, maxTokens: 2 } });
    await sampleAll(model, {
      seeds: [9],
      prompt: 'A longer one. '.repeat(20),
      options: { ...OPTIONS, maxTokens: 3 },
    });
    expect(bodies.map(({ options }) => (options as { seed: number }).seed)).toEqual([7, 8, 9]);
    expect(bodies[0]).toMatchObject({ truncate: false, shift: false, keep_alive: '10m' });
    expect(bodies[0]).not.toHaveProperty('seed');
    for (const { options } of bodies)
      expect(options).toMatchObject({
        num_ctx: 4096,
        top_k: 0,
        top_p: 1,
        min_p: 0,
        repeat_penalty: 1,
        temperature: 1,
      });
  });

  test('the context grows for a prompt that needs it, and not further (promptfoo #7505)', async () => {
    const contexts: number[] = [];
    const spying: Fetch = (input, init) => {
      if (String(input).endsWith('/api/chat'))
        contexts.push((JSON.parse(String(init?.body)) as { options: { num_ctx: number } }).options.num_ctx);
      // The estimate says 4096; a smaller one makes the server itself refuse first.
      const body = String(init?.body ?? '').replace('"num_ctx":4096', '"num_ctx":128');
      return fetch(input, init?.body ? { ...init, body } : init);
    };
    const model = make({ fetch: spying });
    const { replies } = await sampleAll(model, {
      prompt: 'tell me more '.repeat(60),
      options: { ...OPTIONS, maxTokens: 2 },
    });
    expect(contexts).toEqual([4096, 8192]);
    expect(replies[0]).toMatchObject({ outcome: 'ok' });
    expect(replies[0]!.promptTokens).toBeGreaterThan(128);
  });

  test('a server that cuts the prompt all the same is found out by its token count (ollama #3839, #17889)', async () => {
    const careless: Fetch = (input, init) => {
      const body = String(init?.body ?? '')
        .replace('"truncate":false,"shift":false,', '')
        .replace('"num_ctx":4096', '"num_ctx":128');
      return fetch(input, init?.body ? { ...init, body } : init);
    };
    const { replies } = await sampleAll(make({ fetch: careless }), {
      prompt: 'tell me more '.repeat(100),
      options: { ...OPTIONS, maxTokens: 2 },
    });
    expect(replies[0]).toMatchObject({ outcome: 'malformed', error: { code: 'promptCut' } });
  });

  test('a JSON schema is held', async () => {
    const schema = {
      type: 'object',
      properties: { rating: { type: 'integer', minimum: 1, maximum: 5 } },
      required: ['rating'],
    };
    const options = { ...OPTIONS, maxTokens: 40, schema };
    const { replies } = await sampleAll(make(), { prompt: 'Rate this tea from 1 to 5 as JSON.', options });
    expect([1, 2, 3, 4, 5]).toContain((JSON.parse(replies[0]!.text) as { rating: number }).rating);
  });
});

/** A port on which nothing listens. */
async function closedPort(): Promise<number> {
  const probe = createTcpServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as AddressInfo;
  probe.close();
  await once(probe, 'close');
  return port;
}

/** Speaks Ollama's protocol as far as open() needs it; /api/chat is the test's. */
async function fakeOllama(
  chat: (
    answer: (body: string, type?: string) => void,
    reset: () => void,
    begin: () => void,
    nth: number,
  ) => void,
) {
  let chats = 0;
  const http = createServer((request, response) => {
    const answer = (body: string, type = 'application/json') => {
      response.setHeader('content-type', type);
      response.end(body);
    };
    if (request.url === '/api/version') answer('{"version":"9.9.9"}');
    else if (request.url === '/api/tags') answer('{"models":[{"name":"m:1b","digest":"d","size":1}]}');
    else if (request.url === '/api/show') answer('{"capabilities":["completion"]}');
    else {
      const begin = () => response.write('{"message":{"role":"assistant","content":"half"},"done":false}\n');
      const reset = () => {
        begin();
        setTimeout(() => response.socket?.resetAndDestroy(), 20);
      };
      chat(answer, reset, begin, chats++);
    }
  }).listen(0, '127.0.0.1');
  await once(http, 'listening');
  const baseUrl = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
  const stop = () => {
    http.closeAllConnections();
    http.close();
  };
  return { baseUrl, stop };
}

describe('an Ollama that is not there or not well', () => {
  const make = (baseUrl: string) =>
    createOllamaModel({
      id: 'ollama:m:1b',
      model: 'm:1b',
      baseUrl,
      clock,
      limits: { ...quick, probeMs: 2000 },
    });

  test('server down: says what was tried and how to start it', async () => {
    const port = await closedPort();
    await expect(make(`http://localhost:${port}`).open(never)).rejects.toMatchObject({
      code: 'serverUnreachable',
      message: expect.stringContaining(`http://localhost:${port} and http://127.0.0.1:${port}`),
      hint: expect.stringContaining('`ollama serve`'),
    });
    await expect(listOllamaModels({ baseUrl: `127.0.0.1:${port}`, signal: never })).rejects.toMatchObject({
      code: 'serverUnreachable',
    });
  });

  test('localhost that resolves elsewhere: 127.0.0.1 answers and is named (ollama #1153)', async () => {
    const server = await fakeOllama((answer) => answer(''));
    const { port } = new URL(server.baseUrl);
    const wrongWay: Fetch = (input, init) => {
      if (new URL(String(input)).hostname === 'localhost')
        return Promise.reject(
          new TypeError('fetch failed', { cause: Object.assign(new Error('x'), { code: 'ECONNREFUSED' }) }),
        );
      return fetch(input, init);
    };
    const model = createOllamaModel({
      id: 'ollama:m:1b',
      model: 'm',
      baseUrl: `http://localhost:${port}`,
      clock,
      fetch: wrongWay,
    });
    // `m` is not `m:latest`: the name is refused, after the server was found.
    await expect(model.open(never)).rejects.toMatchObject({ code: 'unknownModel' });
    const right = createOllamaModel({
      id: 'ollama:m:1b',
      model: 'm:1b',
      baseUrl: `http://localhost:${port}`,
      clock,
      fetch: wrongWay,
    });
    expect((await right.open(never)).baseUrl).toBe(`http://127.0.0.1:${port}`);
    server.stop();
  });

  test('another program at the address', async () => {
    const http = createServer((_, response) => {
      response.setHeader('content-type', 'text/html');
      response.end('<html>hello</html>');
    }).listen(0, '127.0.0.1');
    await once(http, 'listening');
    await expect(
      make(`http://127.0.0.1:${(http.address() as AddressInfo).port}`).open(never),
    ).rejects.toMatchObject({
      code: 'malformedReply',
    });
    http.closeAllConnections();
    http.close();
  });

  test('time limits: the first token and the whole reply have one each', async () => {
    const silent = await fakeOllama(() => undefined);
    const slow = await fakeOllama((_, __, begin) => begin());
    const make = ({ baseUrl }: { baseUrl: string }, firstTokenMs: number, totalMs: number, loadMs = 0) =>
      createOllamaModel({
        id: 'ollama:m:1b',
        model: 'm:1b',
        baseUrl,
        clock,
        limits: { ...quick, firstTokenMs, totalMs, loadMs },
      });
    expect((await sampleAll(make(silent, 100, 10_000))).replies[0]).toMatchObject({
      outcome: 'timeout',
      error: { code: 'firstTokenTimeout' },
      text: '',
    });
    expect((await sampleAll(make(slow, 10_000, 1000))).replies[0]).toMatchObject({
      outcome: 'timeout',
      error: { code: 'totalTimeout' },
      text: 'half',
    });
    silent.stop();
    slow.stop();

    // The first load times out elsewhere (enchanted #105, ollama #2424): here it has a limit of its own, once.
    const whole = '{"message":{"content":"Hi"},"done":false}\n{"done":true,"done_reason":"stop"}\n';
    const loading = await fakeOllama((answer, _, __, nth) => {
      if (nth === 0) setTimeout(() => answer(whole, 'application/x-ndjson'), 400);
    });
    const model = make(loading, 100, 10_000, 5_000);
    expect((await sampleAll(model)).replies[0]).toMatchObject({ outcome: 'ok', text: 'Hi' });
    expect((await sampleAll(model)).replies[0]).toMatchObject({ error: { code: 'firstTokenTimeout' } });
    loading.stop();
  });

  const ndjson = 'application/x-ndjson';
  const part = (content: string) => `{"message":{"role":"assistant","content":"${content}"},"done":false}\n`;
  test.each<[string, Parameters<typeof fakeOllama>[0], object]>([
    [
      'reset in mid-stream',
      (_, reset) => reset(),
      { outcome: 'unavailable', text: 'half', error: { code: 'connectionLost' } },
    ],
    [
      'half a JSON',
      (answer) => answer(part('a') + '{"message":{"cont', ndjson),
      { outcome: 'malformed', error: { code: 'brokenJson' } },
    ],
    [
      'no last part',
      (answer) => answer(part('a'), ndjson),
      { outcome: 'malformed', text: 'a', error: { code: 'cutReply' } },
    ],
    ['empty body', (answer) => answer('', ndjson), { outcome: 'malformed', error: { code: 'cutReply' } }],
    [
      'HTML with 200',
      (answer) => answer('<html>', 'text/html'),
      { outcome: 'malformed', error: { code: 'htmlReply' } },
    ],
    [
      'error in mid-stream',
      (answer) => answer(part('a') + '{"error":"runner crashed at http://x.example.com/y"}\n', ndjson),
      {
        outcome: 'unavailable',
        error: { code: 'serverError', message: 'The server failed: runner crashed at [address]' },
      },
    ],
    [
      'thinking in the text',
      (answer) => answer(part('<think>hm</think> yes') + '{"done":true,"done_reason":"stop"}\n', ndjson),
      {
        outcome: 'ok',
        text: 'yes',
        thinking: 'hm',
      },
    ],
    [
      'thinking only',
      (answer) =>
        answer('{"message":{"content":"","thinking":"hm"},"done":true,"done_reason":"stop"}\n', ndjson),
      {
        outcome: 'thinkingOnly',
        thinking: 'hm',
      },
    ],
    [
      'nothing said',
      (answer) => answer('{"message":{"content":" "},"done":true,"done_reason":"stop"}\n', ndjson),
      { outcome: 'empty' },
    ],
  ])('%s is an outcome, and nothing is printed', async (_, chat, expected) => {
    const printed = (['log', 'warn', 'error'] as const).map((name) =>
      vi.spyOn(console, name).mockImplementation(() => undefined),
    );
    const server = await fakeOllama(chat);
    const { replies } = await sampleAll(make(server.baseUrl));
    server.stop();
    for (const spy of printed) {
      expect(spy).not.toHaveBeenCalled();
      spy.mockRestore();
    }
    expect(replies[0]).toMatchObject(expected);
  });
});
