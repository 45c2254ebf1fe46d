import { describe, expect, it } from 'vitest';
import type { SampleRequest } from '../../engine/ports';
import { askedOf, filesOf, linesOf, readReply } from './batchFile';

const request = (content: string, seeds: number[]): SampleRequest => ({
  messages: [{ role: 'user', content }],
  options: { temperature: 1, topP: 1, maxTokens: 8 },
  seeds,
  signal: new AbortController().signal,
  onReply: () => undefined,
});

describe('ids', () => {
  it('are the same for the same request in any list, and of their own for repeats', () => {
    const [a, b, again] = askedOf([request('a', [1, 2]), request('a', [1])], 'm').map(({ id }) => id);
    expect(new Set([a, b, again]).size).toBe(3);
    expect(askedOf([request('x', [9]), request('a', [1])], 'm').at(-1)!.id).toBe(a);
    expect(askedOf([request('a', [1])], 'another')[0]!.id).not.toBe(a);
    expect(a!.length).toBeLessThanOrEqual(64);
  });
});

describe('files', () => {
  const sizesOf = (count: number, most: Parameters<typeof filesOf>[2]) =>
    [
      ...filesOf(
        askedOf(
          [
            request(
              'é',
              Array.from({ length: count }, (_, i) => i),
            ),
          ],
          'm',
        ),
        () => ({ a: 'é' }),
        most,
      ),
    ].map(({ asked, lines }) => {
      expect(lines).toHaveLength(asked.length);
      return lines.length;
    });
  const lineBytes = Buffer.byteLength(
    [...filesOf(askedOf([request('é', [0])], 'm'), () => ({ a: 'é' }))][0]!.lines[0]!,
  );

  it('hold no more requests than a server takes', () => {
    expect(sizesOf(7, { requests: 3, bytes: 1e9 })).toEqual([3, 3, 1]);
    expect(sizesOf(0, { requests: 3, bytes: 1e9 })).toEqual([]);
  });

  it('hold no more bytes than a server takes, and never none', () => {
    expect(sizesOf(5, { requests: 99, bytes: 2 * lineBytes })).toEqual([2, 2, 1]);
    expect(sizesOf(2, { requests: 99, bytes: 1 })).toEqual([1, 1]);
  });
});

describe('lines of a stream', () => {
  const linesIn = async (...chunks: (string | Uint8Array)[]) => {
    const encoder = new TextEncoder();
    async function* bytes() {
      for (const chunk of chunks) yield typeof chunk === 'string' ? encoder.encode(chunk) : chunk;
    }
    const lines = [];
    for await (const line of linesOf(bytes())) lines.push(line);
    return lines;
  };

  it('are whole wherever the chunks are cut, also within a letter', async () => {
    const bytes = new TextEncoder().encode('né\nzwö\n\nlast');
    for (let at = 0; at <= bytes.length; at++) {
      expect(await linesIn(bytes.slice(0, at), bytes.slice(at))).toEqual(['né', 'zwö', 'last']);
    }
  });

  it('that are far too long are skipped, and the next one is read', async () => {
    const long = Array.from({ length: 5 }, () => 'x'.repeat(500_000));
    expect(await linesIn('a\n', ...long, 'end of it\nb\n')).toEqual(['a', 'b']);
    expect(await linesIn(...long)).toEqual([]);
  });
});

it.each(['', '7', '[]', '{"custom_id":1}', '{"custom_id":"a"'])('no reply: %s', (line) => {
  expect(readReply(line)).toBeNull();
});
