/**
 * Everything that may lie between the engine and its server, one case each: what becomes of the answer, what a person
 * reads (what, why, next step), how often it is asked again, and that nothing received before was lost.
 */
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Outcome, Sample } from '../../src/contracts/runRecord';
import { toUserError, type ErrorCode, type UserError } from '../../src/contracts/userError';
import { collectSamples } from '../../src/engine/collect';
import { DEFAULT_OPTIONS } from '../../src/engine/defaults';
import type { Clock, RunStore } from '../../src/engine/ports';
import { scheduleJobs } from '../../src/engine/schedule';
import { createOpenAiModel } from '../../src/providers/openai/openAiModel';
import { createRunStore } from '../../src/store/runStore';
import { buildRunRecord } from '../builders/runRecord';
import { USAGE, chunk, startFakeOpenAi, type Handler } from '../contract/fakeOpenAiServer';
import { goodStream, gzipBomb, startFakeFaultProxy, type Fault } from './fakeFaultProxy';

const KEY = 'sk-fault-5ecret5ecret';
const HEALTHY = 3;
const RETRIES = 1;
const wallClock: Clock = { nowMs: () => Date.now() };
const limits = {
  retries: RETRIES,
  rateLimitRetries: RETRIES,
  retryDelayMs: 1,
  // Far away: a busy machine is no fault. Where a limit is the point, it is SOON.
  firstTokenMs: 30_000,
  totalMs: 60_000,
  probeMs: 5_000,
};

const SOON = { firstTokenMs: 400, totalMs: 800 };

let cacheDir: string;
let stops: (() => unknown)[] = [];
beforeEach(async () => {
  cacheDir = await mkdtemp(path.join(os.tmpdir(), 'evenkeel-faults-'));
});
afterEach(async () => {
  for (const stop of stops) await stop();
  stops = [];
  await rm(cacheDir, { recursive: true, force: true });
});

const conditions = ['baseline', 'other'].map((id) => ({
  id,
  role: id === 'baseline' ? ('baseline' as const) : ('perturbation' as const),
  perturbationId: null,
  rendered: `Name a colour (${id}).`,
}));

const healthy: Handler = (_, answer, nth) => answer.stream([chunk(`Answer ${nth}`, 'stop'), USAGE, '[DONE]']);

/** The engine's sampling of 4 answers (`samples`) to each of two prompts, into the real store, by the real provider. */
async function collect(
  baseUrl: string,
  more: {
    clock?: Clock;
    store?: RunStore;
    model?: Partial<Parameters<typeof createOpenAiModel>[0]>;
    firstTokenTop?: number;
    signal?: AbortSignal;
    samples?: number;
  } = {},
) {
  const store = more.store ?? createRunStore({ cacheDir });
  const model = createOpenAiModel({
    id: 'lab:m',
    model: 'm',
    baseUrl,
    apiKey: KEY,
    clock: more.clock ?? wallClock,
    concurrency: 1,
    limits,
    ...more.model,
  });
  await store.begin('run');
  const warnings: string[] = [];
  const never = new AbortController().signal;
  await model.open(never);
  const jobs = scheduleJobs(conditions, more.samples ?? 4, model.batch, 7);
  const { samples, stopped } = await collectSamples(
    { model, store, clock: more.clock ?? wallClock },
    { id: 'run', jobs, options: DEFAULT_OPTIONS, firstTokenTop: more.firstTokenTop ?? 0 },
    {
      signal: more.signal ?? never,
      onEvent: (event) => event.type === 'warning' && warnings.push(event.message),
    },
  );
  await model.close();
  const kept = await createRunStore({ cacheDir }).readSamples('run');
  // Lets go of the file.
  await store.finish({ ...buildRunRecord(), id: 'run' });
  const error = stopped?.reason === 'failed' ? toUserError(stopped.error) : null;
  expect(JSON.stringify([samples, kept, warnings, error, error?.message, error?.hint])).not.toContain(KEY);
  return { samples, kept, warnings, stopped, error };
}

async function behindProxy(
  fault: Fault | 'refuse',
  more: Parameters<typeof collect>[1] = {},
  first = HEALTHY,
) {
  const upstream = await startFakeOpenAi(healthy);
  const proxy = await startFakeFaultProxy({ upstream: upstream.baseUrl, healthy: first, fault });
  stops.push(upstream.stop, proxy.stop);
  return { proxy, ...(await collect(proxy.baseUrl, more)) };
}

/** What was received before the fault is in the store and in the result, whole. */
function expectNothingLost(samples: Sample[], kept: Sample[], first = HEALTHY) {
  const texts = (list: Sample[]) => list.filter(({ outcome }) => outcome === 'ok').map(({ text }) => text);
  expect(texts(kept).slice(0, first)).toEqual(Array.from({ length: first }, (_, nth) => `Answer ${nth}`));
  expect(samples.map(({ position }) => position)).toEqual(kept.map(({ position }) => position));
}

interface Expected {
  outcome: Outcome;
  code: string;
  /** Of the answer's own error, which the report shows. */
  says: RegExp;
  /** How the run ends. */
  error: ErrorCode;
  next: RegExp;
  /** Chat requests per answer. */
  asked: number;
  /** Answers that are asked for before the run gives up. */
  answers: number;
  text?: string;
}
const AGAIN = 1 + RETRIES;
/** Failures in a row that open the circuit. */
const CIRCUIT = 5;
/** Any other request would meet the same: the first one ends the run. */
const fatal = (outcome: Outcome, code: string, says: RegExp, error: ErrorCode, next: RegExp): Expected => ({
  ...{ outcome, code, says, error, next },
  asked: 1,
  answers: 1,
});
const passing = (outcome: Outcome, code: string, says: RegExp, error: ErrorCode, next: RegExp): Expected => ({
  ...{ outcome, code, says, error, next },
  asked: AGAIN,
  answers: CIRCUIT,
});
const broken = (code: string, says: RegExp, text = ''): Expected => ({
  outcome: 'malformed',
  code,
  says,
  error: 'malformedReply',
  next: /address is that of a model server/,
  asked: 1,
  answers: CIRCUIT,
  text,
});

const status =
  (code: number, body: string | object = '', headers: Record<string, string> = {}): Fault =>
  ({ send }) =>
    send(code, body, headers);
const stream =
  (...events: (string | object)[]): Fault =>
  ({ begin, response }) => {
    begin(...events);
    response.end();
  };

const UNWELL = /server runs and is well/;
const BUSY = /busy or hangs.*--timeout/;
const SLOWER = /fewer at once \(--concurrency/;

const cases: [name: string, fault: Fault | 'refuse', expected: Expected][] = [
  [
    'refused connection',
    'refuse',
    {
      ...passing('unavailable', 'unreachable', /Nothing answers.*ECONNREFUSED/, 'serverUnreachable', UNWELL),
      asked: 0,
    },
  ],
  [
    'reset in mid-stream',
    ({ begin, response }) => {
      begin(chunk('Hel'));
      setTimeout(() => response.socket?.resetAndDestroy(), 20);
    },
    {
      ...passing('unavailable', 'connectionLost', /connection broke off/, 'serverUnreachable', UNWELL),
      text: 'Hel',
    },
  ],
  [
    'slow drip',
    ({ begin, response }) => {
      begin();
      const timer = setInterval(() => response.write(`data: ${JSON.stringify(chunk('x'))}\n\n`), 40);
      response.on('close', () => clearInterval(timer));
    },
    {
      ...passing('timeout', 'totalTimeout', /did not end within 0.8 s/, 'timeout', BUSY),
      asked: 1,
      text: 'xx',
    },
  ],
  [
    'never ends',
    ({ begin }) => begin(chunk('Hel')),
    {
      ...passing('timeout', 'totalTimeout', /did not end within 0.8 s/, 'timeout', BUSY),
      asked: 1,
      text: 'Hel',
    },
  ],
  [
    'never begins',
    () => undefined,
    { ...passing('timeout', 'firstTokenTimeout', /No reply began within 0.4 s/, 'timeout', BUSY), asked: 1 },
  ],
  [
    '401',
    status(401, { error: { message: `Incorrect API key provided: ${KEY}` } }),
    fatal(
      'unavailable',
      'unauthorized',
      /does not accept the key \(401\): .*\[key\]/,
      'serverRefused',
      /Check the key/,
    ),
  ],
  [
    '403',
    status(403, 'no'),
    fatal('unavailable', 'forbidden', /does not allow this \(403\)/, 'serverRefused', /your account may use/),
  ],
  [
    '404',
    status(404, 'no'),
    fatal(
      'unavailable',
      'notFound',
      /no such model or address \(404\)/,
      'serverRefused',
      /`evenkeel models`/,
    ),
  ],
  ['408', status(408), passing('timeout', 'requestTimeout', /gave up waiting \(408\)/, 'timeout', BUSY)],
  [
    '413',
    status(413),
    fatal(
      'unavailable',
      'tooLarge',
      /too large for the server \(413\)/,
      'serverRefused',
      /Shorten the prompt/,
    ),
  ],
  [
    '429',
    status(429),
    passing('rateLimited', 'rateLimited', /Too many requests \(429\)/, 'rateLimited', SLOWER),
  ],
  [
    '429 with Retry-After in seconds',
    status(429, '', { 'retry-after': '0.01' }),
    passing('rateLimited', 'rateLimited', /Too many requests/, 'rateLimited', SLOWER),
  ],
  [
    '429 with Retry-After as a date',
    status(429, '', { 'retry-after': new Date(0).toUTCString() }),
    passing('rateLimited', 'rateLimited', /Too many requests/, 'rateLimited', SLOWER),
  ],
  [
    '429 with a Retry-After of hours',
    status(429, '', { 'retry-after': '7200' }),
    { ...passing('rateLimited', 'rateLimited', /Too many requests/, 'rateLimited', SLOWER), asked: 1 },
  ],
  [
    '429 because the quota of the day is used up (promptfoo #7727)',
    status(429, { error: { message: 'You exceeded your current quota', code: 'insufficient_quota' } }),
    fatal('rateLimited', 'quotaExhausted', /quota is used up/, 'rateLimited', /until the quota renews/),
  ],
  ...([500, 502, 503, 529] as const).map((code): (typeof cases)[number] => [
    String(code),
    status(code, 'oh no'),
    passing(
      'unavailable',
      code === 503 || code === 529 ? 'overloaded' : 'serverError',
      new RegExp(`The server failed \\(${code}\\): oh no`),
      'serverUnreachable',
      UNWELL,
    ),
  ]),
  [
    '503 with Retry-After',
    status(503, '', { 'retry-after': '0.01' }),
    passing('unavailable', 'overloaded', /failed \(503\)/, 'serverUnreachable', UNWELL),
  ],
  [
    'an HTML error page with status 200',
    status(200, '<html>Sorry</html>', { 'content-type': 'text/html' }),
    broken('htmlReply', /HTML page: the address is not that of a model server/),
  ],
  ['half a JSON', status(200, '{"choices":[{"mess'), broken('brokenJson', /not complete JSON/)],
  [
    'half a JSON in the stream',
    stream(chunk('Hel'), '{"choices":[{"del'),
    broken('brokenJson', /not complete JSON/, 'Hel'),
  ],
  ['an empty body', status(200, ''), broken('emptyReply', /reply is empty/)],
  [
    'the wrong content type: a stream that calls itself JSON',
    status(200, goodStream(), { 'content-type': 'application/json' }),
    broken('brokenJson', /not complete JSON/),
  ],
  [
    'the wrong content type: words',
    status(200, 'hello', { 'content-type': 'text/plain' }),
    broken('emptyReply', /reply is empty/),
  ],
  ['missing choices', status(200, { id: 'x' }), broken('noChoices', /`choices` is missing/)],
  [
    'finish_reason missing and nothing else that shows an end',
    stream(chunk('Hel'), '[DONE]'),
    broken('cutReply', /ended before it was complete/, 'Hel'),
  ],
  [
    'a gzip bomb as a stream',
    status(200, gzipBomb(64 * 1024 * 1024), {
      'content-type': 'text/event-stream',
      'content-encoding': 'gzip',
    }),
    broken('replyTooLong', /does not end, or is far too long/),
  ],
  [
    'a gzip bomb as JSON',
    status(200, gzipBomb(64 * 1024 * 1024), { 'content-encoding': 'gzip' }),
    broken('replyTooLong', /does not end, or is far too long/),
  ],
  [
    'a gzip bomb as an error page',
    status(500, gzipBomb(64 * 1024 * 1024), { 'content-encoding': 'gzip' }),
    passing('unavailable', 'serverError', /failed \(500\)/, 'serverUnreachable', UNWELL),
  ],
  [
    'bytes that say gzip and are none',
    status(200, 'not gzip at all', { 'content-encoding': 'gzip' }),
    passing('unavailable', 'failed', /./, 'serverUnreachable', UNWELL),
  ],
];

describe('faults that end a run: an error is never an answer (nextmoe #193)', () => {
  test.each(cases)('%s', async (_, fault, expected) => {
    const { proxy, samples, kept, stopped, error } = await behindProxy(fault, {
      samples: 6,
      model: expected.outcome === 'timeout' ? { limits: { ...limits, ...SOON } } : {},
    });
    expectNothingLost(samples, kept);
    const failed = kept.slice(HEALTHY);
    expect(failed).toHaveLength(expected.answers);
    for (const sample of failed) {
      expect(sample.outcome).toBe(expected.outcome);
      expect(sample.error?.code).toBe(expected.code);
      expect(sample.error?.message).toMatch(expected.says);
      expect(sample.text.startsWith(expected.text ?? '')).toBe(true);
      // In the record an error is a code and a message, nothing more.
      expect(Object.keys(sample.error!).sort()).toEqual(['code', 'message']);
    }
    expect(stopped?.reason).toBe('failed');
    expect(error).toMatchObject({ name: 'UserError', code: expected.error });
    expect(error!.message).toMatch(expected.says);
    expect(error!.hint).toMatch(expected.next);
    expect(proxy.chats()).toBe(HEALTHY + expected.answers * expected.asked);
  });

  test('a redirect to another host is not followed, and the key goes nowhere', async () => {
    const thief = await startFakeOpenAi(healthy);
    stops.push(thief.stop);
    const location = `${thief.baseUrl}/chat/completions`;
    for (const code of [301, 302, 307, 308]) {
      const { samples, kept, error } = await behindProxy(status(code, '', { location }), {}, 1);
      expect(samples.at(-1)).toMatchObject({ outcome: 'unavailable', error: { code: 'redirected' } });
      expectNothingLost(samples, kept.slice(-2), 1);
      expect(error).toMatchObject({
        code: 'serverRefused',
        hint: expect.stringContaining('if you trust it'),
      });
    }
    expect(thief.requests).toEqual([]);
  });
});

describe('oddities that a run gets over', () => {
  test.each<[string, Fault, string]>([
    [
      'invalid UTF-8',
      ({ response }) => {
        const bytes = Buffer.from(goodStream('a?b'));
        bytes[bytes.indexOf('?')] = 0xff;
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        response.end(bytes);
      },
      'a\uFFFDb',
    ],
    [
      'duplicated choices: the first of an index counts',
      status(200, {
        choices: ['one', 'two'].map((content) => ({ index: 0, message: { content }, finish_reason: 'stop' })),
      }),
      'one',
    ],
    [
      'choices nobody asked for',
      status(200, {
        choices: ['one', 'two'].map((content, index) => ({
          index,
          message: { content },
          finish_reason: 'stop',
        })),
      }),
      'one',
    ],
    ['finish_reason missing, counts there', stream(chunk('Hello'), USAGE, '[DONE]'), 'Hello'],
    [
      'a slow drip that comes to its end',
      ({ response }) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        const letters = [...goodStream('drip')];
        const timer = setInterval(() => {
          if (letters.length === 0) {
            clearInterval(timer);
            response.end();
          } else response.write(letters.splice(0, 20).join(''));
        }, 2);
      },
      'drip',
    ],
  ])('%s', async (_, fault, text) => {
    const { samples, kept, stopped, proxy } = await behindProxy(fault);
    expect(stopped).toBeNull();
    expectNothingLost(samples, kept);
    expect(kept.slice(HEALTHY).map((sample) => sample.text)).toEqual(Array(5).fill(text));
    expect(kept.every(({ outcome }) => outcome === 'ok')).toBe(true);
    expect(proxy.chats()).toBe(8);
  });

  test('a fault that passes is not in the record: every answer comes in the end', async () => {
    const faults: Fault[] = [
      status(500),
      status(429, '', { 'retry-after': '0.01' }),
      ({ response }) => response.socket?.resetAndDestroy(),
    ];
    let met = 0;
    const { samples, stopped } = await behindProxy((exchange) => {
      const fault = met % 2 === 0 ? faults[met / 2] : undefined;
      met += 1;
      if (fault) fault(exchange);
      else exchange.send(200, goodStream(), { 'content-type': 'text/event-stream' });
    });
    expect(stopped).toBeNull();
    expect(samples.map(({ outcome }) => outcome)).toEqual(Array(8).fill('ok'));
  });

  test('logprobs missing: the answer is kept, without probabilities', async () => {
    const { samples, stopped } = await behindProxy(stream(chunk('Yes', 'stop'), USAGE), {
      firstTokenTop: 20,
    });
    expect(stopped).toBeNull();
    expect(samples.every(({ outcome, firstToken }) => outcome === 'ok' && firstToken === undefined)).toBe(
      true,
    );
  });

  test('the wall clock jumps an hour to and fro: no limit strikes, no latency is wrong', async () => {
    let calls = 0;
    const jumping: Clock = { nowMs: () => Date.now() + ((calls += 1) % 2 === 0 ? 3_600_000 : -3_600_000) };
    const { samples, stopped } = await behindProxy(stream(chunk('x', 'stop'), USAGE), { clock: jumping });
    expect(stopped).toBeNull();
    for (const { latencyMs } of samples) {
      expect(latencyMs).toBeGreaterThanOrEqual(0);
      expect(latencyMs).toBeLessThan(limits.totalMs);
    }
  });
});

describe('`n`: several answers a request', () => {
  const numbered = (request: { body: Record<string, unknown> }, make: (i: number) => string) =>
    Array.from({ length: (request.body['n'] as number | undefined) ?? 1 }, (_, index) => ({
      index,
      message: { content: make(index) },
      finish_reason: 'stop',
    }));
  const usage = { prompt_tokens: 40, completion_tokens: 10 };
  async function serving(handler: Handler, more: Parameters<typeof collect>[1] = {}) {
    const server = await startFakeOpenAi(handler);
    stops.push(server.stop);
    const model = { answersPerRequest: 4, ...more.model };
    return { server, ...(await collect(server.baseUrl, { ...more, model })) };
  }

  test('where it works it is used, and each answer says which seed was really sent', async () => {
    const { server, samples } = await serving((request, answer, nth) =>
      answer.send(200, { choices: numbered(request, (i) => `answer ${nth} ${i}`), usage }),
    );
    // One request to see whether it works, then four answers each.
    expect(server.requests.map(({ body }) => body['n'])).toEqual([3, 4, 4]);
    expect(new Set(samples.map(({ text }) => text)).size).toBe(8);
    const sent = server.requests.slice(1).map(({ body }) => body['seed']);
    for (const sample of samples) {
      expect(sent).toContain(sample.drawn!.seed);
      expect(sample.seed === sample.drawn!.seed).toBe(sample.drawn!.choice === 0);
    }
    // The server counts the tokens of all four together.
    expect(samples.reduce((sum, { completionTokens }) => sum + completionTokens!, 0)).toBe(20);
  });

  test('`n` ignored: seen by the count, single calls with seeds of their own', async () => {
    const { server, samples } = await serving((_, answer, nth) =>
      answer.stream([chunk(`answer ${nth}`, 'stop'), USAGE]),
    );
    expect(server.requests).toHaveLength(1 + 8);
    expect(samples.every(({ outcome, drawn }) => outcome === 'ok' && drawn === undefined)).toBe(true);
    expect(
      server.requests
        .slice(1)
        .map(({ body }) => body['seed'])
        .sort(),
    ).toEqual(samples.map(({ seed }) => seed).sort());
  });

  test('one answer repeated: seen by the difference', async () => {
    const { server, samples } = await serving((request, answer) =>
      answer.send(200, { choices: numbered(request, () => 'same'), usage }),
    );
    expect(server.requests).toHaveLength(1 + 8);
    expect(samples.every(({ drawn }) => drawn === undefined)).toBe(true);
  });

  test('`n` refused: single calls, without a word about it', async () => {
    const { samples, warnings } = await serving(({ body }, answer, nth) =>
      'n' in body
        ? answer.send(400, { error: { message: 'n is not supported', param: 'n' } })
        : answer.stream([chunk(`answer ${nth}`, 'stop'), USAGE]),
    );
    expect(samples.map(({ outcome }) => outcome)).toEqual(Array(8).fill('ok'));
    expect(warnings).toEqual([]);
  });

  test('remembered, and when it fails later the missing answers are asked for one by one', async () => {
    const memory = {
      recall: async () => ({ concurrency: null, severalAnswers: true }),
      learn: async () => undefined,
    };
    const { server, samples } = await serving(
      (request, answer, nth) =>
        answer.send(200, { choices: numbered(request, (i) => `answer ${nth} ${i}`).slice(0, 2), usage }),
      { model: { memory } },
    );
    expect(server.requests.map(({ body }) => body['n'] ?? 1).sort()).toEqual([1, 1, 1, 1, 4, 4]);
    expect(new Set(samples.map(({ text }) => text)).size).toBe(8);
    expect(samples.filter(({ drawn }) => drawn !== undefined)).toHaveLength(4);
  });
});

describe('certificates', () => {
  test('a self-signed one is refused before anything is sent, and the message names the setting (vscode #236091, #236423; promptfoo #1388)', async () => {
    const key = path.join(cacheDir, 'key.pem');
    const cert = path.join(cacheDir, 'cert.pem');
    execFileSync(
      'openssl',
      [
        'req',
        '-x509',
        '-newkey',
        'rsa:2048',
        '-nodes',
        '-keyout',
        key,
        '-out',
        cert,
        '-days',
        '1',
        '-subj',
        '/CN=127.0.0.1',
      ],
      { stdio: 'ignore' },
    );
    const { readFile } = await import('node:fs/promises');
    let requests = 0;
    const server = createTlsServer(
      { key: await readFile(key), cert: await readFile(cert) },
      () => (requests += 1),
    );
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    stops.push(() => server.close());
    const baseUrl = `https://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
    const error = (await collect(baseUrl).catch((thrown: unknown) => thrown)) as UserError;
    expect(error).toMatchObject({ name: 'UserError', code: 'serverRefused' });
    expect(error.message).toMatch(/certificate is not trusted.*NODE_EXTRA_CA_CERTS.*http\.proxyStrictSSL/);
    expect(error.hint).toMatch(/\.$/);
    expect(requests).toBe(0);
  });
});

describe('the disk', () => {
  test.skipIf(process.platform !== 'linux')('a full one: the run stops, what was kept stays', async () => {
    const upstream = await startFakeOpenAi(healthy);
    stops.push(upstream.stop);
    const store = createRunStore({ cacheDir });
    await mkdir(path.join(cacheDir, 'runs', 'full'), { recursive: true });
    await symlink('/dev/full', path.join(cacheDir, 'runs', 'full', 'samples.jsonl'));
    let kept = 0;
    const { error, kept: onDisk } = await collect(upstream.baseUrl, {
      store: {
        ...store,
        appendSample: (id, sample) => store.appendSample((kept += 1) > HEALTHY ? 'full' : id, sample),
      },
    });
    expect(error).toMatchObject({ code: 'diskFull', hint: expect.stringContaining('Free some space') });
    expect(onDisk.map(({ text }) => text)).toEqual(['Answer 0', 'Answer 1', 'Answer 2']);
    // Nothing further is paid for.
    expect(upstream.requests).toHaveLength(HEALTHY + 1);
  });

  test('a cache folder that cannot be written: said before anything is asked', async () => {
    const upstream = await startFakeOpenAi(healthy);
    stops.push(upstream.stop);
    const file = path.join(cacheDir, 'file');
    await writeFile(file, '');
    const store = createRunStore({ cacheDir: path.join(file, 'cache') });
    await expect(collect(upstream.baseUrl, { store })).rejects.toMatchObject({
      code: 'cacheNotWritable',
      hint: expect.stringContaining('Make the folder writable'),
    });
    expect(upstream.requests).toEqual([]);
  });
});
