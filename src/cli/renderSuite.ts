import type { RunRecord } from '../contracts/runRecord';
import { headline } from '../report/sentences';
import { toPrintable } from '../report/visibleText';
import { EXIT } from './exitCodes';
import type { Terminal } from './terminal';

/** What became of every check of a suite, a line each. */
export function renderSuite(
  done: { name: string; record: RunRecord; code: number }[],
  { columns, colors }: Pick<Terminal, 'columns' | 'colors'>,
): string {
  const rows = done.map(({ name, record, code }) => {
    const { word } = headline(record);
    const says = code === EXIT.policyMet ? 'passes' : code === EXIT.policyViolated ? 'FAILS' : 'no verdict';
    const width = columns - 24;
    const shown = toPrintable(name);
    const clipped = shown.length <= width ? shown : `…${shown.slice(shown.length - width + 1)}`;
    const row = `${says.padEnd(10)}  ${word.padEnd(10)}  ${clipped}`;
    return code === EXIT.policyViolated ? colors.red(row) : row;
  });
  const passed = done.filter(({ code }) => code === EXIT.policyMet).length;
  return [...rows, '', `${passed} of ${done.length} pass.`].join('\n');
}
