import { expect, test } from 'vitest';
import { nearestNames } from '../contracts/nearestNames';
import { serverAddresses } from './serverAddress';

test.each([
  ['http://127.0.0.1:11434', ['http://127.0.0.1:11434']],
  ['127.0.0.1:11434/', ['http://127.0.0.1:11434']],
  ['http://localhost:11434', ['http://localhost:11434', 'http://127.0.0.1:11434']],
  ['0.0.0.0:11434', ['http://127.0.0.1:11434']],
  ['https://example.com/v1/', ['https://example.com/v1']],
  ['http://[::1]:8000/v1', ['http://[::1]:8000/v1']],
])('serverAddresses(%j)', (baseUrl, expected) => {
  expect(serverAddresses(baseUrl)).toEqual(expected);
});

test.each(['', 'http://', 'file:///etc/passwd', 'http://me:secret@example.com', 'data:text/html,x'])(
  'serverAddresses(%j) is refused without repeating it',
  (baseUrl) => {
    expect(() => serverAddresses(baseUrl)).toThrowError(expect.objectContaining({ code: 'invalidOption' }));
    expect(() => serverAddresses(baseUrl)).not.toThrowError(/secret/);
  },
);

test('nearestNames puts typing errors and shared parts first', () => {
  const known = ['qwen2.5:7b', 'smollm2:135m', 'gemma3:270m', 'gemma3-fewshot:270m', 'llama3.2:1b'];
  expect(nearestNames('smolm2:135m', known)[0]).toBe('smollm2:135m');
  expect(nearestNames('Gemma3', known).slice(0, 2).sort()).toEqual(['gemma3-fewshot:270m', 'gemma3:270m']);
  expect(nearestNames('x', [])).toEqual([]);
});
