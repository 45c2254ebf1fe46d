/** Stands between the engine and a protocol server, lets the first answers through and then spoils the others. */
import { once } from 'node:events';
import { createServer, request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { USAGE, chunk } from '../contract/fakeOpenAiServer';

export interface Exchange {
  response: ServerResponse;
  /** The whole answer at once. */
  send(status: number, body: string | Buffer | object, headers?: Record<string, string>): void;
  /** Events of a stream that stays open. */
  begin(...events: (string | object)[]): void;
}
export type Fault = (exchange: Exchange) => void;

const event = (one: string | object) => `data: ${typeof one === 'string' ? one : JSON.stringify(one)}\n\n`;

/**
 * Chat requests 0 … healthy−1 go to `upstream` (a base URL); the following ones meet `fault`, which may be `refuse`: the
 * proxy then closes its port. Questions about the server always go through.
 */
export async function startFakeFaultProxy(options: {
  upstream: string;
  healthy: number;
  fault: Fault | 'refuse';
}) {
  const { upstream, healthy, fault } = options;
  let chats = 0;
  /** When the engine let go of a request that had no end yet, by performance.now(). */
  const abandonedAtMs: number[] = [];

  const forward = (incoming: IncomingMessage, body: Buffer, response: ServerResponse) => {
    const url = new URL(upstream);
    const outgoing = httpRequest(
      {
        host: url.hostname,
        port: url.port,
        path: incoming.url,
        method: incoming.method,
        headers: incoming.headers,
      },
      (answer) => {
        response.writeHead(answer.statusCode!, answer.headers);
        answer.pipe(response);
      },
    );
    outgoing.on('error', () => response.destroy());
    response.on('close', () => outgoing.destroy());
    outgoing.end(body);
  };

  const spoil = (response: ServerResponse) => {
    if (fault === 'refuse') return response.destroy();
    fault({
      response,
      send(status, given, headers = {}) {
        const body = typeof given === 'string' || Buffer.isBuffer(given) ? given : JSON.stringify(given);
        response.writeHead(status, { 'content-type': 'application/json', ...headers });
        response.end(body);
      },
      begin(...events) {
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        for (const one of events) response.write(event(one));
      },
    });
  };

  const proxy = createServer((incoming, response) => {
    const parts: Buffer[] = [];
    incoming.on('data', (part: Buffer) => parts.push(part));
    incoming.on('end', () => {
      const body = Buffer.concat(parts);
      if (!incoming.url!.endsWith('/chat/completions')) return forward(incoming, body, response);
      response.on('close', () => {
        if (!response.writableFinished) abandonedAtMs.push(performance.now());
      });
      chats += 1;
      if (chats > healthy) return spoil(response);
      if (chats === healthy && fault === 'refuse') {
        response.on('finish', () => {
          proxy.close();
          proxy.closeIdleConnections();
          response.socket?.destroySoon();
        });
        response.setHeader('connection', 'close');
      }
      forward(incoming, body, response);
    });
  }).listen(0, '127.0.0.1');
  await once(proxy, 'listening');

  return {
    baseUrl: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}/v1`,
    /** Chat requests that arrived. */
    chats: () => chats,
    abandonedAtMs,
    stop() {
      proxy.closeAllConnections();
      proxy.close();
    },
  };
}

/** Zeros that are a thousand times as many as the bytes sent. */
export const gzipBomb = (bytes: number): Buffer => gzipSync(Buffer.alloc(bytes));

/** A healthy streamed answer, in one text. */
export const goodStream = (text = 'Hello'): string =>
  [chunk(text, 'stop'), USAGE, '[DONE]'].map(event).join('');
