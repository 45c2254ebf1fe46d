/**
 * Questions per second by first-token probabilities, against the same answers read from greedy text, in one run:
 * `npm run bench -- flips [FILE.jsonl] [--model NAME] [--limit 100] [--threads 2]`; exit 1 from 60 s for 100 questions.
 * Does the flip rate rise with strength? `npm run bench -- flips --trend A.jsonl B.jsonl [--limit 230]
 * [--write FOLDER] [--keep FOLDER]`; what was asked is kept there, so that it can be stopped and go on.
 */
import { readFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { createInProcessModel } from '../src/providers/inProcess/model';
import { locateWeights } from '../src/providers/weights/inProcessModels';
import { cacheDirOf } from '../src/compose/paths';
import type { Question } from '../src/contracts/perturbationSet';
import type { FlipsRecord } from '../src/contracts/flipsRecord';
import type { Model } from '../src/engine/ports';
import { parseQuestions } from '../src/prompts/questionSet';
import { askQuestions } from './flips/ask';
import { trendStudy } from './flips/trend';

const root = path.resolve(import.meta.dirname, '..');
const DEFAULT_FILE = path.join(root, 'test', 'fixtures', 'questions.jsonl');
const WANTED_SECONDS_PER_100 = 60;

export async function run(args: string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      model: { type: 'string', default: 'qwen2.5-coder-0.5b' },
      limit: { type: 'string' },
      threads: { type: 'string', default: String(Math.max(1, os.availableParallelism())) },
      trend: { type: 'boolean', default: false },
      write: { type: 'string' },
      keep: { type: 'string' },
    },
  });
  const files = positionals.length > 0 ? positionals : [DEFAULT_FILE];
  const limit = Number(values.limit ?? (values.trend ? 230 : 100));
  const sets = files.map((file) => ({
    name: path.basename(file, '.jsonl'),
    questions: parseQuestions(readFileSync(file, 'utf8'), file).slice(0, limit),
  }));
  const threads = Number(values.threads);
  const id = `local:${values.model}`;
  const model = createInProcessModel({
    id,
    ...(await locateWeights({
      id,
      cacheDir: cacheDirOf(process.env),
      workingDir: process.cwd(),
      signal: new AbortController().signal,
    })),
    childPath: path.join(root, 'dist', 'inProcessChild.cjs'),
    clock: { nowMs: Date.now },
    threads,
  });
  try {
    await model.open(new AbortController().signal);
    return values.trend
      ? await trendStudy({ model, sets, folder: values.write ?? null, keep: values.keep })
      : await speed(model, sets[0]!.questions, threads);
  } finally {
    await model.close();
  }
}

async function speed(model: Model, questions: Question[], threads: number): Promise<number> {
  const originals = (asText: boolean) => askQuestions({ model, questions, perturb: () => [], asText });
  // Loads the weights' pages and makes the context.
  await askQuestions({ model, questions: questions.slice(0, 2), perturb: () => [], asText: false });
  const byProbability = await originals(false);
  const byText = await originals(true);
  const perSecond = ({ actual }: FlipsRecord) => (questions.length / actual.seconds).toFixed(1);
  const right = ({ originals: { answered, right: found } }: FlipsRecord) =>
    `${answered} readable, ${found?.right ?? 0} right`;
  const agree = byText.answers.filter((entry, i) => entry.answer === byProbability.answers[i]!.answer).length;
  console.log(
    [
      `${questions.length} questions, ${model.id}, threads ${threads}, load ${os.loadavg()[0]!.toFixed(1)}`,
      `  first-token probabilities  ${byProbability.actual.seconds.toFixed(1)} s  ${perSecond(byProbability)} questions/s  ${right(byProbability)}  outside the options ${((byProbability.outside ?? 0) * 100).toFixed(1)}%`,
      `  greedy text, read          ${byText.actual.seconds.toFixed(1)} s  ${perSecond(byText)} questions/s  ${right(byText)}`,
      `  same answer by both: ${agree} of ${questions.length}; probabilities are ${(byText.actual.seconds / byProbability.actual.seconds).toFixed(1)} × as fast`,
    ].join('\n'),
  );
  const per100 = (byProbability.actual.seconds / questions.length) * 100;
  const met = per100 < WANTED_SECONDS_PER_100;
  console.log(
    `${per100.toFixed(1)} s for 100 questions (under ${WANTED_SECONDS_PER_100} wanted): ${met ? 'met' : 'MISSED'}`,
  );
  return met ? 0 : 1;
}
