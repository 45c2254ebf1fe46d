/**
 * Is the verdict right where the truth is known? On a real model in process:
 * the same prompt twice must not be called changed more often than the level allows, a trailing space must not be,
 * an instruction that changes the task must be. `npm run bench -- sanity [--model NAME] [--seeds 20]`.
 */
import path from 'node:path';
import { parseArgs } from 'node:util';
import { binomialUpper } from '../src/stats/distributions';
import { cacheDirOf } from '../src/compose/paths';
import { openModel } from '../src/compose/openModel';
import { messagesFor } from '../src/engine/collect';
import { DEFAULT_OPTIONS } from '../src/engine/defaults';
import type { Model } from '../src/engine/ports';
import { sampleSeed } from '../src/engine/schedule';
import { createEmbedder } from '../src/workers/embedder';
import { createTester } from '../src/workers/tester';

const root = path.resolve(import.meta.dirname, '..');

const PROMPTS = {
  short:
    'Is this review positive or negative? Answer with one word.\nReview: The room was clean, but the staff ignored us and the food was cold.',
  free: 'Explain in one sentence why the sky looks blue at noon.',
};
/** Truth known: a change of the task, and none. */
const EDITS: { name: string; edit: (text: string) => string; changed: boolean }[] = [
  { name: 'the same prompt', edit: (text) => text, changed: false },
  { name: 'a trailing space', edit: (text) => `${text} `, changed: false },
  { name: '"Answer in French."', edit: (text) => `${text} Answer in French.`, changed: true },
];
/** An outcome rarer than this under the level is taken as a wrong level. */
const SURPRISE = 0.01;

export async function run(args: string[]): Promise<number> {
  const { values } = parseArgs({
    args,
    options: {
      model: { type: 'string', default: 'qwen2.5-coder-0.5b' },
      seeds: { type: 'string', default: '20' },
    },
  });
  const seeds = Number(values.seeds);
  const signal = new AbortController().signal;
  const dist = path.join(root, 'dist');
  const clock = { nowMs: () => Date.now() };
  const paths = { distDir: dist, mediaDir: path.join(root, 'media'), cacheDir: cacheDirOf(process.env) };
  const target = { provider: 'local' as const, name: values.model };
  const model = await openModel(`local:${values.model}`, target, { paths, ollamaUrl: '', clock, signal });
  const embedder = createEmbedder({
    workerPath: path.join(dist, 'embedWorker.cjs'),
    modelDir: path.join(root, 'media', 'models'),
    ortDir: path.join(dist, 'ort'),
  });
  const tester = createTester({ workerPath: path.join(dist, 'statsWorker.cjs') });
  let wrong = 0;

  const pValueOf = async (texts: string[], seed: number): Promise<number> => {
    const { vectors, dim } = await embedder.embed(texts, { signal });
    const { permutations, bins, bootstrapDraws } = DEFAULT_OPTIONS;
    const n = texts.length / 2;
    const result = await tester.differenceTest(
      {
        ...{ n0: n, n1: n, strings: texts, permutations, bins, bootstrapDraws, confidence: 0.95, seed },
        embeddings: [{ embedder: embedder.id, dim, vectors }],
      },
      { signal },
    );
    // Constant arms that differ claim no p; here they count as found.
    return result.p ?? (result.state === 'deterministic' ? 0 : 1);
  };

  try {
    await model.open(signal);
    console.log(
      `model local:${values.model}, ${seeds} seeds, ${DEFAULT_OPTIONS.samples} answers an arm, alpha .05\n`,
    );
    for (const [promptName, text] of Object.entries(PROMPTS)) {
      // One sample of the prompt a seed, which all its edits are compared with.
      const baselines: string[][] = [];
      for (let seed = 0; seed < seeds; seed++)
        baselines.push(await answers(model, text, seed, 'baseline', signal));
      for (const { name, edit, changed } of EDITS) {
        const pValues: number[] = [];
        for (let seed = 0; seed < seeds; seed++) {
          const edited = await answers(model, edit(text), seed, name, signal);
          pValues.push(await pValueOf([...baselines[seed]!, ...edited], seed));
        }
        const rejected = pValues.filter((p) => p <= DEFAULT_OPTIONS.alpha).length;
        const right = changed
          ? rejected >= Math.ceil(0.8 * seeds)
          : binomialUpper(rejected, seeds, DEFAULT_OPTIONS.alpha) >= SURPRISE;
        if (!right) wrong += 1;
        console.log(
          `${promptName.padEnd(6)} ${name.padEnd(22)} called changed ${String(rejected).padStart(2)} of ${seeds}` +
            `  median p ${median(pValues).toPrecision(2).padEnd(7)} ${right ? 'as it should' : 'WRONG'}`,
        );
      }
    }
  } finally {
    await Promise.all([model.close(), embedder.close(), tester.close()]);
  }
  console.log(
    `\nAn unchanged prompt passes while the count is not rarer than ${SURPRISE} under the level; a change of the task passes from 80% on.`,
  );
  return wrong === 0 ? 0 : 1;
}

async function answers(
  model: Model,
  text: string,
  seed: number,
  arm: string,
  signal: AbortSignal,
): Promise<string[]> {
  const texts: string[] = [];
  await model.sample({
    messages: messagesFor(text, null),
    options: { temperature: 1, topP: 1, maxTokens: DEFAULT_OPTIONS.answerTokens },
    seeds: Array.from({ length: DEFAULT_OPTIONS.samples }, (_, i) => sampleSeed(seed, arm, i)),
    signal,
    onReply: (reply, i) => {
      if (reply.outcome !== 'ok')
        throw new Error(`the model gave ${reply.outcome}: ${reply.error?.message ?? ''}`);
      texts[i] = reply.text;
    },
  });
  return texts;
}

function median(values: number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)]!;
}
