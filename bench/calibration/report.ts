/** The result as a table that people read: docs/validation/calibration.md. */
import { fails, type Claim, type Row } from './study';

export interface Calibration {
  replicates: number;
  seed: number;
  seconds: number;
  rows: Row[];
  claims: Claim[];
}

export const failures = ({ rows, claims }: Calibration) =>
  rows.filter(fails).length + claims.filter((claim) => !claim.holds).length;

/** The kept result with the studies of a later run, of the same length and seed, in place of its own. */
export function replaceStudies(kept: Calibration, later: Calibration): Calibration {
  if (kept.replicates !== later.replicates || kept.seed !== later.seed) {
    throw new RangeError(`the kept run has ${kept.replicates} replicates and seed ${kept.seed}`);
  }
  const replaced = new Set(later.rows.map(({ study }) => study));
  const at = kept.rows.findIndex(({ study }) => replaced.has(study));
  const before = (at < 0 ? kept.rows : kept.rows.slice(0, at)).filter(({ study }) => !replaced.has(study));
  const after = (at < 0 ? [] : kept.rows.slice(at)).filter(({ study }) => !replaced.has(study));
  return { ...kept, rows: [...before, ...later.rows, ...after] };
}

export function toMarkdown(result: Calibration): string {
  const { replicates, seed, seconds, rows, claims } = result;
  const studies = [...new Set(rows.map((row) => row.study))];
  const held = rows.filter((row) => row.role === 'size');
  const failed = failures(result);
  const repeated = held.filter((row) => row.again !== undefined).length;
  const claimStudies = [...new Set(claims.map((claim) => claim.study))];
  return [
    '# Calibration: do the tests keep their level, and what do they find?',
    '',
    'Made by `npm run bench -- calibration`; do not edit.',
    '',
    `${replicates} replicates (fewer for slow methods, as the tables say), seed ${seed}, ${(seconds / 60).toFixed(1)} minutes on one core.`,
    `${held.length} rejection rates under H0 are held to their level: **${failed === 0 ? 'all pass' : `${failed} fail`}**.`,
    `A rate fails if its 99% Clopper–Pearson interval lies above the level, and again on an independent run of twice the length (${repeated} of ${held.length} were run again: at 99% a few alarms among so many are chance).`,
    '"Reported" rows are approximations, or methods whose model the data violate on purpose: shown, not held.',
    ...studies.flatMap((study) =>
      studyTable(
        study,
        rows.filter((row) => row.study === study),
      ),
    ),
    ...claimStudies.flatMap((study) => [
      '',
      `## ${capital(study)}`,
      '',
      '| statement | seen | holds |',
      '| --- | --- | --- |',
      ...claims
        .filter((claim) => claim.study === study)
        .map(
          ({ statement, figures, holds }) => `| ${statement} | ${figures} | ${holds ? 'yes' : '**no**'} |`,
        ),
    ]),
    '',
  ].join('\n');
}

/** Methods down, situations across would be too wide: one line per method and situation, levels side by side. */
function studyTable(study: string, rows: Row[]): string[] {
  const alphas = [...new Set(rows.map((row) => row.alpha))].sort((x, y) => y - x);
  const keys = [...new Set(rows.map((row) => `${row.shape}\n${row.size}\n${row.method}`))];
  return [
    '',
    `## ${capital(study)}`,
    '',
    `| data | size | method | n | ${alphas.map((alpha) => `at α = ${alpha}`).join(' | ')} | |`,
    `| --- | --- | --- | ---: | ${alphas.map(() => '---').join(' | ')} | --- |`,
    ...keys.map((key) => {
      const [shape, size, method] = key.split('\n');
      const own = rows.filter((row) => row.shape === shape && row.size === size && row.method === method);
      const cells = alphas.map((alpha) => {
        const row = own.find((candidate) => candidate.alpha === alpha);
        return row ? rate(row) : '';
      });
      const { role } = own[0]!;
      const verdict = role !== 'size' ? role : own.some(fails) ? '**above**' : 'held';
      return `| ${shape} | ${size} | ${method} | ${own[0]!.replicates} | ${cells.join(' | ')} | ${verdict} |`;
    }),
  ];
}

function rate(row: Row): string {
  const figures = (value: { low: number; high: number }) =>
    `[${value.low.toFixed(3)}, ${value.high.toFixed(3)}]`;
  const again = row.again
    ? `; again ${(row.again.rejected / row.again.replicates).toFixed(4)} ${figures(row.again)}`
    : '';
  return `${row.rate.toFixed(4)} ${figures(row)}${again}`;
}

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);
