/** Cancel stops the network within 200 ms, also at the server; what was received is kept, and the run says cancelled (inspect #4859). */
import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { collectSamples } from '../../src/engine/collect';
import { DEFAULT_OPTIONS } from '../../src/engine/defaults';
import type { Model } from '../../src/engine/ports';
import { scheduleJobs } from '../../src/engine/schedule';
import { createOllamaModel } from '../../src/providers/ollama/ollamaModel';
import { createOpenAiModel } from '../../src/providers/openai/openAiModel';
import { createRunStore } from '../../src/store/runStore';
import { buildRunRecord } from '../builders/runRecord';
import { chunk } from '../contract/fakeOpenAiServer';
import { goodStream } from './fakeFaultProxy';

const WITHIN_MS = 200;
const COMPLETE = 6;
const clock = { nowMs: () => Date.now() };

let cacheDir: string;
let server: Server;
beforeEach(async () => {
  cacheDir = await mkdtemp(path.join(os.tmpdir(), 'evenkeel-cancel-'));
});
afterEach(async () => {
  server.closeAllConnections();
  server.close();
  await rm(cacheDir, { recursive: true, force: true });
});

const ollamaLine = (content: string, done = false) =>
  `${JSON.stringify({ message: { content }, done, ...(done ? { done_reason: 'stop' } : {}) })}\n`;
const ollamaAnswers: Record<string, unknown> = {
  '/api/version': { version: '1' },
  '/api/tags': { models: [{ name: 'm', digest: 'd', size: 1 }] },
  '/api/show': { capabilities: ['completion'] },
};

const protocols: [
  name: string,
  chat: string,
  make: (origin: string) => Model,
  whole: string,
  begun: string,
][] = [
  [
    'OpenAI protocol',
    '/v1/chat/completions',
    (origin) =>
      createOpenAiModel({
        id: 'lab:m',
        model: 'm',
        baseUrl: `${origin}/v1`,
        apiKey: null,
        clock,
        concurrency: 8,
      }),
    goodStream(),
    `data: ${JSON.stringify(chunk('Hel'))}\n\n`,
  ],
  [
    'Ollama',
    '/api/chat',
    (origin) => createOllamaModel({ id: 'ollama:m', model: 'm', baseUrl: origin, clock, concurrency: 8 }),
    ollamaLine('Hello') + ollamaLine('', true),
    ollamaLine('Hel'),
  ],
];

test.each(protocols)(
  '%s: a cancelled run is no success (inspect #4859)',
  async (_, chatPath, make, whole, begun) => {
    const closedAtMs: number[] = [];
    let open = 0;
    let chats = 0;
    /** Some answers hang in the middle, some before their first byte. */
    const hang = (response: ServerResponse, nth: number) => {
      open += 1;
      response.on('close', () => {
        open -= 1;
        closedAtMs.push(performance.now());
      });
      if (nth % 2 === 0) response.write(begun);
      if (open === 2) server.emit('hanging');
    };
    server = createServer((request, response) => {
      request.resume().on('end', () => {
        if (request.url === chatPath) {
          response.writeHead(200, { 'content-type': 'text/event-stream' });
          chats += 1;
          if (chats > COMPLETE) hang(response, chats);
          else response.end(whole);
          return;
        }
        response.setHeader('content-type', 'application/json');
        response.end(JSON.stringify(ollamaAnswers[request.url!] ?? { data: [{ id: 'm' }] }));
      });
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const model = make(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    const store = createRunStore({ cacheDir });
    await store.begin('run');
    const controller = new AbortController();
    const condition = {
      id: 'baseline',
      role: 'baseline' as const,
      perturbationId: null,
      rendered: 'Say hello.',
    };
    let received = 0;
    const ready = Promise.all([once(server, 'hanging'), once(server, 'received')]);
    const run = collectSamples(
      { model, store, clock },
      { id: 'run', jobs: scheduleJobs([condition], 40, 1, 3), options: DEFAULT_OPTIONS, firstTokenTop: 0 },
      {
        signal: controller.signal,
        onEvent: (event) => {
          if (event.type === 'sample' && (received += 1) === COMPLETE) server.emit('received');
        },
      },
    );
    await ready;
    const abortedAtMs = performance.now();
    controller.abort();
    const { samples, stopped } = await run;
    while (open > 0) await new Promise((resolve) => setImmediate(resolve));
    expect(closedAtMs.length).toBeGreaterThanOrEqual(2);
    for (const atMs of closedAtMs) expect(atMs - abortedAtMs).toBeLessThan(WITHIN_MS);
    const asked = chats;

    expect(stopped?.reason).toBe('cancelled');
    expect(samples.map(({ text }) => text)).toEqual(Array(COMPLETE).fill('Hello'));
    const kept = await createRunStore({ cacheDir }).readSamples('run');
    expect(kept.sort((a, b) => a.position - b.position)).toEqual(samples);
    // Nothing that waited in the queue is sent afterwards.
    await model.close();
    expect(chats).toBe(asked);
    await store.finish({ ...buildRunRecord(), id: 'run' });
  },
);
