import { expect, test } from 'vitest';
import {
  ServerFault,
  fault,
  faultFromStatus,
  faultOf,
  quoteServer,
  readServerError,
  retryAfterMs,
} from './serverFault';

test.each([
  ['pull it from https://models.example.com/library/x first', 'pull it from [address] first'],
  ['no such host hub.example.io:443/v2/x', 'no such host [host]'],
  ['dial tcp 10.0.0.7:8080: refused', 'dial tcp [address]: refused'],
  ['Incorrect API key provided: sk-abcd1234efgh.', 'Incorrect API key provided: [key].'],
  ['the key is topsecret!', 'the key is [key]!'],
  ['a\n\tb\u0007\u001b[31mc', 'a b [31mc'],
  ['see [this](command:run) please', 'see [this] (command:run) please'],
  ['version 0.17.4 of model gemma3:270m', 'version 0.17.4 of model gemma3:270m'],
])('quoteServer(%j)', (words, expected) => {
  expect(quoteServer(words, ['topsecret', null])).toBe(expected);
});

test('quoteServer is short', () => {
  expect(quoteServer('x '.repeat(5000)).length).toBeLessThanOrEqual(240);
});

test.each(['a.', 'a-', 'a.a', 'sk-', 'a://', '1.'])('quoteServer is quick with 64 kB of %j', (unit) => {
  // Takes ten seconds and more where every position is tried to the end.
  expect(quoteServer(unit.repeat(65_536 / unit.length)).length).toBeLessThanOrEqual(240);
});

test.each([
  ['{"error":"plain"}', 'plain', null],
  ['{"error":{"message":"m","code":"c","type":"t","param":"p"}}', 'm', 'c'],
  ['{"error":{"message":"m","type":"t"}}', 'm', 't'],
  ['{"message":"m"}', 'm', null],
  ['{"detail":"d"}', 'd', null],
  ['{"detail":[{"loc":["body","n"]}]}', '[{"loc":["body","n"]}]', null],
  ['just words', 'just words', null],
  ['<!DOCTYPE html><title>x', 'an HTML page', null],
  ['null', 'null', null],
])('readServerError(%j)', (body, message, code) => {
  expect(readServerError(body)).toMatchObject({ message, code });
});

test.each([
  [{ 'retry-after': '2' }, 2000],
  [{ 'retry-after': '0.5' }, 500],
  [{ 'retry-after-ms': '120', 'retry-after': '9' }, 120],
  [{ 'retry-after': 'Thu, 01 Jan 2026 00:00:10 GMT' }, 10_000],
  [{ 'retry-after': 'Thu, 01 Jan 2020 00:00:00 GMT' }, 0],
  [{ 'retry-after': 'soon' }, null],
  [{}, null],
])('retryAfterMs(%j) = %j', (headers, expected) => {
  expect(retryAfterMs(new Headers(headers as Record<string, string>), Date.UTC(2026, 0, 1))).toBe(expected);
});

test('a content filter that answers 400 is a refusal of the model, not a failure of the server', () => {
  const body = '{"error":{"message":"filtered","code":"content_filter"}}';
  expect(faultFromStatus(400, body, new Headers(), 0, [])).toMatchObject({
    outcome: 'refused',
    fatal: false,
  });
});

const caused = (code: string, depth: number): Error => {
  let error: Error = Object.assign(new Error('inner'), { code });
  for (let i = 0; i < depth; i += 1) error = new TypeError('fetch failed', { cause: error });
  return error;
};

test.each([
  [caused('ECONNREFUSED', 1), 'unreachable', true],
  [caused('ECONNREFUSED', 2), 'unreachable', true],
  [caused('ENOTFOUND', 1), 'hostUnknown', false],
  [caused('ECONNRESET', 1), 'connectionLost', true],
  [caused('UND_ERR_SOCKET', 1), 'connectionLost', true],
  [caused('UND_ERR_HEADERS_TIMEOUT', 1), 'connectionTimeout', true],
  [caused('DEPTH_ZERO_SELF_SIGNED_CERT', 1), 'certificate', false],
  [caused('CERT_HAS_EXPIRED', 1), 'certificate', false],
  [
    new TypeError('fetch failed', {
      cause: new AggregateError([caused('ECONNREFUSED', 0), caused('ECONNREFUSED', 0)]),
    }),
    'unreachable',
    true,
  ],
  [new SyntaxError('x'), 'brokenJson', false],
  [new Error('wrapped', { cause: new ServerFault(fault('empty', 'mine', 'm')) }), 'mine', false],
  [new Error('odd'), 'failed', true],
  ['not even an error', 'failed', true],
])('faultOf(%s) is %s', (error, code, retry) => {
  expect(faultOf(error)).toMatchObject({ code, retry });
});
