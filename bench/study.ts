/**
 * `npm run study -- NAME|all [--quick] [--models a,b] [--seeds n,n]` asks real models and writes docs/validation/studies/NAME.json
 * and, made of it alone, NAME.md. Seeds: how many, one
 * number per model. Answers are kept: a study that was stopped goes on. `--quick` writes nothing.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { openStudyModel } from './studies/ask';
import { studies } from './studies/studies';
import type { StudyResult } from './studies/study';

const folder = path.resolve(import.meta.dirname, '..', 'docs', 'validation', 'studies');
const DEFAULT_MODELS = ['local:smollm2-135m', 'local:qwen2.5-coder-0.5b'];

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    quick: { type: 'boolean', default: false },
    report: { type: 'boolean', default: false },
    models: { type: 'string' },
    seeds: { type: 'string' },
  },
});
const [name] = positionals;
const chosen = name === 'all' ? studies : studies.filter((study) => study.name === name);
if (chosen.length === 0) {
  console.error(
    `usage: npm run study -- NAME|all [--quick]\n  names: ${studies.map((study) => study.name).join(', ')}`,
  );
  process.exit(2);
}
for (const study of chosen) {
  const file = path.join(folder, `${study.name}.json`);
  const result = values.report
    ? (JSON.parse(readFileSync(file, 'utf8')) as StudyResult)
    : await study.run({
        quick: values.quick,
        models: values.models?.split(',') ?? DEFAULT_MODELS,
        seeds: values.seeds?.split(',').map(Number) ?? null,
        openModel: openStudyModel,
        say: (line) => console.error(line),
      });
  const report = study.report(result);
  if (values.quick) {
    console.log(report);
    continue;
  }
  mkdirSync(folder, { recursive: true });
  writeFileSync(file, `${JSON.stringify(result, null, 1)}\n`);
  writeFileSync(path.join(folder, `${study.name}.md`), report);
}
process.exit(0);
