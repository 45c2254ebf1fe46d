/** An OpenAI-protocol server under the test's control, for faults that a real one cannot be made to show. */
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ReceivedRequest {
  path: string;
  headers: IncomingHttpHeaders;
  body: Record<string, unknown>;
}

export interface Answer {
  /** The whole answer at once. */
  send(status: number, body: string | object, headers?: Record<string, string>): void;
  /** Server-sent events; `end` false leaves the stream open. */
  stream(chunks: (string | object)[], end?: boolean): void;
  /** Breaks the connection off without an end. */
  reset(): void;
}

export type Handler = (request: ReceivedRequest, answer: Answer, nth: number) => void;

export const chunk = (content: string, finishReason: string | null = null, more: object = {}) => ({
  id: 'x',
  object: 'chat.completion.chunk',
  model: 'm-2026',
  system_fingerprint: 'fp_1',
  choices: [{ index: 0, delta: { role: 'assistant', content }, finish_reason: finishReason }],
  ...more,
});

export const USAGE = { model: 'm-2026', choices: [], usage: { prompt_tokens: 9, completion_tokens: 2 } };

/** What a healthy server streams. */
export const GOOD = [chunk('Hel'), chunk('lo', 'stop'), USAGE, '[DONE]'];

function answerOn(response: ServerResponse): Answer {
  return {
    send(status, body, headers = {}) {
      const text = typeof body === 'string' ? body : JSON.stringify(body);
      response.writeHead(status, { 'content-type': 'application/json', ...headers });
      response.end(text);
    },
    stream(chunks, end = true) {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      for (const one of chunks)
        response.write(`data: ${typeof one === 'string' ? one : JSON.stringify(one)}\n\n`);
      if (end) response.end();
    },
    reset: () => void setTimeout(() => response.socket?.resetAndDestroy(), 20),
  };
}

/** Lists the model `m`; `chat` answers /chat/completions, the nth request from 0. */
export async function startFakeOpenAi(chat: Handler, list?: (answer: Answer) => void) {
  const requests: ReceivedRequest[] = [];
  /** Chat requests whose client went away before the answer's end. */
  let abandoned = 0;
  const http = createServer((request, response) => {
    let text = '';
    request.on('data', (data: Buffer) => (text += data.toString()));
    request.on('end', () => {
      const received = {
        path: request.url ?? '',
        headers: request.headers,
        body: JSON.parse(text || '{}') as Record<string, unknown>,
      };
      const answer = answerOn(response);
      if (received.path.endsWith('/models')) {
        if (list) list(answer);
        else answer.send(200, { object: 'list', data: [{ id: 'm', object: 'model', owned_by: 'test' }] });
        return;
      }
      response.on('close', () => {
        if (!response.writableFinished) abandoned += 1;
      });
      requests.push(received);
      chat(received, answer, requests.length - 1);
    });
  }).listen(0, '127.0.0.1');
  await once(http, 'listening');
  return {
    baseUrl: `http://127.0.0.1:${(http.address() as AddressInfo).port}/v1`,
    requests,
    abandoned: () => abandoned,
    async stop() {
      http.closeAllConnections();
      http.close();
      await once(http, 'close');
    },
  };
}
