import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { DiffHunk } from '../contracts/reportView';
import type { TextEdit } from '../contracts/runRecord';
import { promptDiff, wholeDiff } from './promptDiff';

const textOf = (hunk: DiffHunk, ...ops: string[]) =>
  hunk.parts
    .filter(({ op }) => ops.includes(op))
    .flatMap(({ runs }) => runs.map(({ text }) => text))
    .join('')
    .replace(/·/g, ' ')
    .replace(/⏎/g, '');

function apply(text: string, edits: readonly TextEdit[]): string {
  return [...edits]
    .reverse()
    .reduce((now, { start, end, text: put }) => now.slice(0, start) + put + now.slice(end), text);
}

test('a trailing space is seen', () => {
  const text = 'Answer with one word.\nThanks.';
  const [hunk] = promptDiff(text, [{ start: 21, end: 21, text: ' ' }]);
  expect(hunk?.parts.find(({ op }) => op === 'added')?.runs).toEqual([{ text: '·', mark: 'space' }]);
});

test('far edits have hunks of their own, near ones share one', () => {
  const text = 'word '.repeat(200);
  const edit = (start: number): TextEdit => ({ start, end: start + 4, text: 'other' });
  expect(promptDiff(text, [edit(0), edit(10), edit(800)])).toHaveLength(2);
});

test('same and removed parts make up the old text, same and added ones the new', () => {
  const word = fc.stringMatching(/^[a-z]{1,8}$/);
  fc.assert(
    fc.property(fc.array(word, { minLength: 4, maxLength: 12 }), word, fc.nat(), (words, put, at) => {
      const text = words.join(' ');
      const start = at % text.length;
      const edits = [{ start, end: Math.min(text.length, start + 3), text: ` ${put} ` }];
      const [hunk] = promptDiff(text, edits);
      if (!hunk) throw new Error('no hunk');
      fc.pre(!hunk.elidedBefore && !hunk.elidedAfter);
      expect(textOf(hunk, 'same', 'removed')).toBe(text);
      expect(textOf(hunk, 'same', 'added')).toBe(apply(text, edits));
    }),
  );
});

test('a prompt of 200,000 characters rewritten whole stays small', () => {
  const text = 'lorem ipsum '.repeat(17_000);
  const hunks = promptDiff(text, [{ start: 0, end: text.length, text: text.toUpperCase() }]);
  expect(JSON.stringify(hunks).length).toBeLessThan(10_000);
});

test('shows a whole text with its edits, neighbouring ones as one', () => {
  const edits = [
    { start: 0, end: 3, text: 'Say' },
    { start: 4, end: 8, text: 'it' },
    { start: 18, end: 18, text: ' now' },
  ];
  const { parts, elidedBefore, elidedAfter } = wholeDiff('One word is enough', edits);
  expect([elidedBefore, elidedAfter]).toEqual([false, false]);
  expect(parts.map(({ op, runs }) => [op, runs.map(({ text }) => text).join('')])).toEqual([
    ['removed', 'One word'],
    ['added', 'Say it'],
    ['same', ' is enough'],
    ['added', ' now'],
  ]);
});
