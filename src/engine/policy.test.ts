import { describe, expect, it } from 'vitest';
import { judgeByPolicy } from './policy';
import { recordedRun } from '../../test/webview/recordedRuns';

describe('a policy', () => {
  const wobbles = recordedRun('changed');
  const steady = recordedRun('noChangeDetected');
  const edit = recordedRun('editWithinNoise');
  const largest = Math.max(
    ...wobbles.comparisons
      .filter(({ verdict }) => verdict === 'changed')
      .map(({ effect }) => effect!.debiased),
  );

  it.each([
    [wobbles, ['wobbles'], 'violated', 'wobbles'],
    [wobbles, ['changed'], 'met', null],
    [
      wobbles,
      [`effect > ${(largest - 0.01).toFixed(2)}`],
      'violated',
      `effect > ${(largest - 0.01).toFixed(2)}`,
    ],
    [wobbles, [`effect > ${(largest + 0.01).toFixed(2)}`], 'met', null],
    [wobbles, ['moved >= 0.05'], 'violated', 'moved >= 0.05'],
    [wobbles, ['moved > 0.9'], 'met', null],
    [steady, ['changed', 'wobbles', 'effect > 0', 'moved > 0'], 'met', null],
    // Moved, but within what rewordings do.
    [edit, ['changed', 'wobbles'], 'met', null],
    [
      { ...edit, comparisons: [{ ...edit.comparisons[0]!, verdict: 'changed' as const }] },
      ['changed'],
      'violated',
      'changed',
    ],
    [recordedRun('undecided'), ['wobbles'], 'undecided', null],
    [recordedRun('cancelled'), ['wobbles'], 'undecided', null],
  ])('case %#: %#', (record, fail, outcome, rule) => {
    expect(judgeByPolicy(record, { fail })).toEqual({ outcome, rule });
  });
});
