import { describe, expect, it } from 'vitest';
import type { RunRecord, Sample } from '../contracts/runRecord';
import { answersDocument, codeBlock, sideBySide } from './answersText';

function recordOf(before: Partial<Sample>[], after: Partial<Sample>[]): RunRecord {
  const samples = (conditionId: string, list: Partial<Sample>[]) =>
    list.map((sample) => ({ outcome: 'ok', text: '', ...sample, conditionId }));
  return {
    model: { id: 'local:x' },
    perturbations: [],
    conditions: [
      { id: 'baseline', role: 'baseline', perturbationId: null },
      { id: 'c1', role: 'perturbation', perturbationId: 'p1' },
    ],
    samples: [...samples('baseline', before), ...samples('c1', after)],
  } as unknown as RunRecord;
}
const texts = (...list: string[]) => list.map((text) => ({ text }));

describe('sideBySide', () => {
  it('shows the answers that tell the conditions apart, with their counts', () => {
    const record = recordOf(texts('yes', 'yes', 'yes', 'no'), texts('yes', 'no', 'no', 'no'));
    expect(sideBySide(record, 'p1').split('\n')).toEqual([
      'YOUR WORDING               │ WITH THE CHANGE',
      '3 of 4 answers:            │ 3 of 4 answers:',
      'yes                        │ no',
    ]);
  });

  it('keeps columns apart for long lines, emoji and more lines than fit', () => {
    const long = `${'word '.repeat(30)}\n${'🙂'.repeat(50)}\n${'x\n'.repeat(40)}`;
    const lines = sideBySide(recordOf(texts(long), texts('short')), 'p1').split('\n');
    expect(lines.length).toBeLessThanOrEqual(15);
    for (const line of lines) expect([...line].indexOf('│')).toBe(27);
  });

  it('makes control and direction characters visible', () => {
    const shown = sideBySide(recordOf(texts('\u001b[31mred\u202e'), texts('\r\0')), 'p1');
    expect(shown).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u202e]/);
  });

  it('says so where there are no answers, and names what came instead of one', () => {
    expect(sideBySide(recordOf([], []), 'p1')).toContain('(no answers)');
    expect(sideBySide(recordOf([{ outcome: 'empty' }], []), 'p1')).toContain('[empty]');
  });
});

describe('codeBlock', () => {
  it('cannot be ended from inside', () => {
    const hostile = 'a\n```\n[click](command:workbench.action.quit)\n`````\n';
    const block = codeBlock(hostile).split('\n');
    const fence = block.at(-1)!;
    expect(block[0]).toBe(`${fence}text`);
    expect(hostile).not.toContain(fence);
  });
});

describe('answersDocument', () => {
  it('counts distinct answers, the most frequent first, and leaves cancelled ones out', () => {
    const record = recordOf([...texts('b', 'a', 'a'), { outcome: 'cancelled' }], texts('c'));
    const shown = answersDocument(record, 'p1');
    expect(shown.match(/── \d of \d ─+\n.*/g)?.map((answer) => answer.replace(/─/g, ''))).toEqual([
      ' 2 of 3 \na',
      ' 1 of 3 \nb',
      ' 1 of 1 \nc',
    ]);
    expect(shown).toContain('YOUR WORDING: 3 answers of local:x');
  });
});
