/**
 * Do the tests keep their level, and what do they find? Every method of src/stats under H0 (rejection rate with its 99%
 * interval, α = .05 and .01) and under alternatives. Exit code 1 where a method that claims its level exceeds it.
 *
 * `npm run bench -- calibration [--replicates 2000] [--smoke] [--only STUDY] [--seed N]`
 * Writes docs/validation/calibration.{json,md}; --smoke (200 replicates) writes nothing, --only nothing but what --keep
 * puts in place of the kept rows of the same studies.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { performance } from 'node:perf_hooks';
import { parseArgs } from 'node:util';
import { calibrate } from './calibration/calibrate';
import { failures, replaceStudies, toMarkdown, type Calibration } from './calibration/report';
import { fails } from './calibration/study';

const folder = path.join(import.meta.dirname, '..', 'docs', 'validation');

const readKept = (file: string) => JSON.parse(readFileSync(file, 'utf8')) as Calibration;

export async function run(args: string[]): Promise<number> {
  const { values } = parseArgs({
    args,
    options: {
      replicates: { type: 'string', default: '2000' },
      seed: { type: 'string', default: '20260801' },
      smoke: { type: 'boolean', default: false },
      only: { type: 'string', default: '' },
      keep: { type: 'boolean', default: false },
    },
  });
  const replicates = values.smoke ? 200 : Number(values.replicates);
  if (!Number.isInteger(replicates) || replicates < 20) {
    console.error('--replicates must be a whole number of at least 20');
    return 2;
  }
  const result = calibrate({
    replicates,
    seed: Number(values.seed),
    sizes: values.smoke ? [5, 20] : [5, 10, 20, 50],
    only: values.only,
    now: () => performance.now(),
    onCell: (name, seconds, rows) => {
      console.log(`${name}  (${seconds.toFixed(1)} s)`);
      for (const row of rows) {
        const state = fails(row) ? '  ABOVE' : row.again ? '  alarm, not confirmed' : '';
        console.log(
          `  ${row.method.padEnd(36)} α = ${String(row.alpha).padEnd(5)} ${row.rate.toFixed(4)}  [${row.low.toFixed(4)}, ${row.high.toFixed(4)}]  ${row.role}${state}`,
        );
      }
    },
  });
  for (const { study, statement, figures, holds } of result.claims) {
    console.log(`${holds ? 'holds' : 'FAILS'}  ${study}: ${statement} (${figures})`);
  }
  if (!values.smoke && (values.only === '' || values.keep)) {
    const file = path.join(folder, 'calibration.json');
    const whole = values.only === '' ? result : replaceStudies(readKept(file), result);
    mkdirSync(folder, { recursive: true });
    writeFileSync(file, `${JSON.stringify(whole, null, 1)}\n`);
    writeFileSync(path.join(folder, 'calibration.md'), toMarkdown(whole));
  }
  const failed = failures(result);
  console.log(`${result.rows.length} rates, ${failed} failed, ${result.seconds.toFixed(0)} s`);
  return failed > 0 ? 1 : 0;
}
