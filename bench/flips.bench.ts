/**
 * Questions per second by first-token probabilities, against the same answers read from greedy text, in one run:
 * `npm run bench -- flips [FILE.jsonl] [--model NAME] [--limit 100] [--threads 1]`; exit 1 from 60 s for 100 questions.
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
import { childCpuSeconds } from './flips/childCpu';
import { trendStudy } from './flips/trend';

const root = path.resolve(import.meta.dirname, '..');
const DEFAULT_FILE = path.join(root, 'bench', 'flips', 'openbookqa.jsonl');
const WANTED_SECONDS_PER_100 = 60;
const PART = 10;

export async function run(args: string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      model: { type: 'string', default: 'qwen2.5-coder-0.5b' },
      limit: { type: 'string' },
      // As the product: as many as other programs leave free.
      threads: { type: 'string' },
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
  const threads = values.threads === undefined ? undefined : Number(values.threads);
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

interface Way {
  records: FlipsRecord[];
  seconds: number;
  /** Of the model's process; null where the machine does not tell. */
  cpuSeconds: number | null;
}

/** Both ways take turns, part by part, so that other work on the machine meets both alike. */
async function speed(model: Model, questions: Question[], threads: number | undefined): Promise<number> {
  const ask = (part: Question[], asText: boolean) =>
    askQuestions({ model, questions: part, perturb: () => [], asText });
  // Loads the weights' pages and makes the context.
  await ask(questions.slice(0, 2), false);
  const ways = new Map<boolean, Way>(
    [false, true].map((asText) => [asText, { records: [], seconds: 0, cpuSeconds: 0 }]),
  );
  for (let start = 0, turn = 0; start < questions.length; start += PART, turn++) {
    const part = questions.slice(start, start + PART);
    for (const asText of turn % 2 === 0 ? [false, true] : [true, false]) {
      const way = ways.get(asText)!;
      const before = childCpuSeconds();
      const record = await ask(part, asText);
      const after = childCpuSeconds();
      way.records.push(record);
      way.seconds += record.actual.seconds;
      way.cpuSeconds =
        before === null || after === null || way.cpuSeconds === null ? null : way.cpuSeconds + after - before;
    }
  }
  const [byProbability, byText] = [ways.get(false)!, ways.get(true)!];
  const sum = ({ records }: Way, of: (record: FlipsRecord) => number) =>
    records.reduce((total, record) => total + of(record), 0);
  const line = (way: Way) =>
    [
      `${way.seconds.toFixed(1)} s`,
      ...(way.cpuSeconds === null ? [] : [`${way.cpuSeconds.toFixed(1)} s of CPU`]),
      `${(questions.length / way.seconds).toFixed(1)} questions/s`,
      `${sum(way, ({ originals }) => originals.answered)} readable, ${sum(way, ({ originals }) => originals.right?.right ?? 0)} right`,
    ].join('  ');
  const answersOf = ({ records }: Way) =>
    records.flatMap(({ answers }) => answers.map(({ answer }) => answer));
  const texts = answersOf(byText);
  const agree = answersOf(byProbability).filter((answer, i) => answer === texts[i]).length;
  const outside = sum(byProbability, (record) => (record.outside ?? 0) * record.answers.length);
  console.log(
    [
      `${questions.length} questions, ${model.id}, threads ${threads ?? 'as free'}, load ${os.loadavg()[0]!.toFixed(1)} on ${os.availableParallelism()} cores`,
      `  first-token probabilities  ${line(byProbability)}  outside the options ${((outside / questions.length) * 100).toFixed(1)}%`,
      `  greedy text, read          ${line(byText)}`,
      `  same answer by both: ${agree} of ${questions.length}; probabilities take ${ratio(byProbability.seconds, byText.seconds)} of the time of text, ${ratio(byProbability.cpuSeconds, byText.cpuSeconds)} of its CPU time`,
    ].join('\n'),
  );
  const per100 = (byProbability.seconds / questions.length) * 100;
  const met = per100 < WANTED_SECONDS_PER_100;
  console.log(
    `${per100.toFixed(1)} s for 100 questions (under ${WANTED_SECONDS_PER_100} wanted): ${met ? 'met' : 'MISSED'}`,
  );
  return met ? 0 : 1;
}

const ratio = (a: number | null, b: number | null) =>
  a === null || b === null ? 'an unknown share' : (a / b).toFixed(2);
