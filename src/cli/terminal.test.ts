import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { createTerminal } from './terminal';

function terminalOf(given: { isTTY: boolean; columns?: number }) {
  const stderr = Object.assign(new PassThrough(), given) as unknown as NodeJS.WriteStream;
  let written = '';
  (stderr as unknown as PassThrough).on('data', (data: Buffer) => (written += data.toString()));
  let nowMs = 0;
  const terminal = createTerminal(stderr, stderr, {}, { quiet: false, nowMs: () => nowMs });
  return { terminal, written: () => written, at: (ms: number) => (nowMs = ms) };
}

describe('a terminal', () => {
  it('redraws progress ten times a second at most', () => {
    const { terminal, written, at } = terminalOf({ isTTY: true });
    for (let ms = 0; ms < 1_000; ms++) {
      at(ms);
      terminal.progress(`${ms}`);
    }
    expect(written().match(/\r/g)).toHaveLength(10);
  });

  it('elsewhere prints a plain line now and then', () => {
    const { terminal, written, at } = terminalOf({ isTTY: false });
    for (const ms of [0, 9_999, 10_000]) {
      at(ms);
      terminal.progress(`at ${ms}`);
    }
    expect(written()).toBe('at 0\nat 10000\n');
  });

  it.each([
    [0, 80],
    [undefined, 80],
    [12, 40],
    [60, 60],
    [300, 100],
  ])('that reports a width of %s has %i columns', (columns, expected) => {
    const given = columns === undefined ? { isTTY: true } : { isTTY: true, columns };
    expect(terminalOf(given).terminal.columns).toBe(expected);
  });
});
