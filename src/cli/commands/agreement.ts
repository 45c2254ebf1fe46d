import { createRng } from '../../stats/rng';
import { judgeAgreement, type JudgeAgreement } from '../../judge/judgeAgreement';
import { LEVELS } from '../../judge/rubric';
import { toPrintable } from '../../report/visibleText';
import type { CliContext } from '../context';
import { EXIT } from '../exitCodes';
import { readPerturbationSet } from '../readPerturbationSet';
import { wrap } from '../words';

/** `evenkeel agreement SET…`: how far the judge agrees with the person who relabelled. */
export async function agreement(
  context: CliContext,
  files: string[],
  flags: { json?: boolean },
): Promise<number> {
  const sets = await Promise.all(files.map(readPerturbationSet));
  const found = judgeAgreement(sets, createRng(sets[0]!.seed, 'agreement'));
  context.terminal.out(
    flags.json === true
      ? JSON.stringify({ agreement: found }, null, 2)
      : render(found, context.terminal.columns),
  );
  return found.some(({ suppressed }) => !suppressed) ? EXIT.policyMet : EXIT.undecided;
}

function render(found: JudgeAgreement[], columns: number): string {
  if (found.length === 0) {
    return wrap(
      'No rating of a judge is labelled by a person yet. Write 0, 1, 2 or 3 after `relabel` in the set, also where you agree.',
      columns,
    );
  }
  return found.map((one) => renderOne(one, columns)).join('\n\n');
}

/** Human readers among themselves (arXiv 2609.30849). */
const HUMAN_KAPPA = { input: 0.855, cot: 0.649 };

function renderOne(one: JudgeAgreement, columns: number): string {
  const { type, items, kappa, interval, suppressed } = one;
  const head = `${toPrintable(one.judge)} against your labels, ${type} perturbations: ${items} rated by both`;
  const value = suppressed
    ? `Kappa is shown from 10 labels on; ${10 - items} more are needed.`
    : kappa === null
      ? 'Kappa is not defined: judge and labels all name one level.'
      : `Linear-weighted kappa ${kappa.toFixed(2)}${interval === null ? '' : `, 95% interval ${interval.low.toFixed(2)} to ${interval.high.toFixed(2)}`}. The same level on ${Math.round(one.agreed * 100)}%. People among themselves reached ${HUMAN_KAPPA[type]}.`;
  const table = [
    ['judge \\ you', '0', '1', '2', '3'],
    ...one.table.map((row, level) => [`${level} ${LEVELS[level]!.name}`, ...row.map(String)]),
  ].map(
    (row) =>
      `  ${row[0]!.padEnd(14)}${row
        .slice(1)
        .map((cell) => cell.padStart(5))
        .join('')}`,
  );
  return [wrap(head, columns), ...table, wrap(value, columns)].join('\n');
}
