import { createRng } from '../../stats/rng';
import { agreementFigure, agreementHead } from '../../judge/agreementSentence';
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

function renderOne(one: JudgeAgreement, columns: number): string {
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
  return [wrap(toPrintable(agreementHead(one)), columns), ...table, wrap(agreementFigure(one), columns)].join(
    '\n',
  );
}
