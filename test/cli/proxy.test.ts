/** Proxies of the environment, with a real one on this machine. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { chunk, startFakeOpenAi } from '../contract/fakeOpenAiServer';
import { makePlace, runCli } from './runCli';

/** Resolves every name to the server under test, as a proxy of a closed network might. */
async function startProxy(target: string) {
  const asked: string[] = [];
  const { port } = new URL(target);
  const http = createServer((_, response) => response.writeHead(405).end());
  http.on('connect', (request, socket) => {
    asked.push(request.url!);
    const upstream = connect(Number(port), '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection Established\r\n\r\n');
      upstream.pipe(socket).pipe(upstream);
    });
    upstream.on('error', () => socket.destroy());
    socket.on('error', () => upstream.destroy());
  });
  http.listen(0, '127.0.0.1');
  await once(http, 'listening');
  return {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}`,
    asked,
    stop: () => {
      http.closeAllConnections();
      http.close();
    },
  };
}

let place: Awaited<ReturnType<typeof makePlace>>;
let server: Awaited<ReturnType<typeof startFakeOpenAi>>;
let proxy: Awaited<ReturnType<typeof startProxy>>;
beforeAll(async () => {
  place = await makePlace();
  await writeFile(path.join(place.dir, 'a.prompt'), 'Name a colour, please.\n');
  server = await startFakeOpenAi((_, answer, nth) =>
    answer.stream([
      chunk(`Blue ${nth % 2}`, 'stop'),
      { choices: [], usage: { prompt_tokens: 30, completion_tokens: 2 } },
    ]),
  );
  proxy = await startProxy(server.baseUrl);
});
afterAll(async () => {
  proxy.stop();
  await server.stop();
  await rm(place.dir, { recursive: true, force: true });
});

const check = (url: string, env: Record<string, string>) =>
  runCli(
    [
      'robustness',
      'a.prompt',
      '--endpoint',
      `lab=${url}`,
      '--model',
      'lab:m',
      '--samples',
      '4',
      '--limit',
      '1',
    ],
    { env: { ...place.env, ...env }, cwd: place.dir },
  );

it('a server on another machine is asked through the proxy that the environment names', async () => {
  const { code, stderr } = await check('http://model.test:8000/v1', { HTTP_PROXY: proxy.url });
  expect(stderr).not.toContain('error');
  expect([0, 1, 3]).toContain(code);
  expect(new Set(proxy.asked)).toEqual(new Set(['model.test:8000']));
  expect(server.requests.length).toBeGreaterThanOrEqual(8);
});

it('NO_PROXY names those that are asked directly', async () => {
  const before = proxy.asked.length;
  const { code } = await check('http://model.invalid:8000/v1', {
    HTTP_PROXY: proxy.url,
    NO_PROXY: 'model.invalid',
  });
  expect(code).toBe(4);
  expect(proxy.asked).toHaveLength(before);
});

it('this machine is never asked through a proxy', async () => {
  const before = proxy.asked.length;
  const { code } = await check(server.baseUrl, { HTTP_PROXY: proxy.url, ALL_PROXY: proxy.url });
  expect([0, 1, 3]).toContain(code);
  expect(proxy.asked).toHaveLength(before);
});
