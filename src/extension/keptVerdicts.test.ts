import { describe, expect, it } from 'vitest';
import { digestOf, verdictKey, withVerdict } from './keptVerdicts';

const run = (id: string, source: object | null, text = 'You are kind.') => ({
  id,
  finishedAt: '2026-01-01T00:00:00.000Z',
  prompt: {
    source:
      source === null ? null : { path: 'a.ts', uri: 'file:///a.ts', range: { start: 0, end: 1 }, ...source },
    text,
    variables: {},
  },
});

describe('withVerdict', () => {
  it('keeps the last verdict of each prompt of a file', () => {
    let verdicts = withVerdict({}, run('1', { symbol: 'a' }), 'steady');
    verdicts = withVerdict(verdicts, run('2', { symbol: 'b' }), 'wobbles');
    verdicts = withVerdict(verdicts, run('3', { symbol: 'a' }), 'wobbles');
    expect(Object.keys(verdicts).sort()).toEqual(['file:///a.ts#a', 'file:///a.ts#b']);
    expect(verdicts[verdictKey('file:///a.ts', 'a')]).toMatchObject({ runId: '3', word: 'wobbles' });
  });

  it('keeps none of a part of a file, of a file without an address and of no file', () => {
    for (const source of [{ path: 'a.md:7' }, { uri: null }, null]) {
      expect(withVerdict({}, run('1', source), 'steady')).toEqual({});
    }
  });

  it('lets go of the oldest of many', () => {
    let verdicts = {};
    for (let n = 0; n < 305; n++)
      verdicts = withVerdict(verdicts, run(String(n), { symbol: `s${n}` }), 'steady');
    expect(Object.keys(verdicts)).toHaveLength(300);
    expect(verdicts).not.toHaveProperty(['file:///a.ts#s4']);
  });
});

describe('digestOf', () => {
  it('tells wordings apart, not line ends', () => {
    expect(digestOf('a\r\nb')).toBe(digestOf('a\nb'));
    expect(digestOf('a b')).not.toBe(digestOf('b a'));
  });
});
