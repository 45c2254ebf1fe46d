import { createHash } from 'node:crypto';
import path from 'node:path';
import { cacheDirOf } from '../../src/compose/paths';
import { cachedModel } from '../../src/engine/cachedModel';
import type { Model, Reply, SamplingOptions } from '../../src/engine/ports';
import { createInProcessModel } from '../../src/providers/inProcess/model';
import { locateWeights } from '../../src/providers/weights/inProcessModels';
import { mixSeed } from '../../src/stats/rng';
import { createSampleCache } from '../../src/store/sampleCache';

const root = path.resolve(import.meta.dirname, '..', '..');

/** An in-process model on one thread, its answers kept in the person's cache. */
export async function openStudyModel(id: string): Promise<Model> {
  const cacheDir = cacheDirOf(process.env);
  const signal = new AbortController().signal;
  const model = createInProcessModel({
    id,
    ...(await locateWeights({ id, cacheDir, workingDir: process.cwd(), signal })),
    childPath: path.join(root, 'dist', 'inProcessChild.cjs'),
    clock: { nowMs: Date.now },
    threads: 1,
  });
  return cachedModel(model, {
    cache: createSampleCache({ cacheDir }),
    hash: (text: string) => createHash('sha256').update(text).digest('hex'),
    version: 'studies-1',
    nowMs: Date.now,
  });
}

/** So many answers to one prompt, in the order of their seeds, which belong to `seed` and `name`. */
export async function ask(
  model: Model,
  { prompt, name, seed, samples }: { prompt: string; name: string; seed: number; samples: number },
  options: SamplingOptions,
): Promise<Reply[]> {
  const replies: Reply[] = [];
  const first = mixSeed(seed, name) % 1_000_000_000;
  await model.sample({
    messages: [{ role: 'user', content: prompt }],
    options,
    seeds: Array.from({ length: samples }, (_, i) => Math.abs(first) + i),
    signal: new AbortController().signal,
    onReply: (reply, i) => {
      replies[i] = reply;
    },
  });
  return replies;
}

/** Texts of the answers that can be compared, drawn at temperature 1; those that fill the window count as far as they go. */
export async function answersOf(
  model: Model,
  what: Parameters<typeof ask>[1],
  maxTokens: number,
): Promise<string[]> {
  const replies = await ask(model, what, { temperature: 1, topP: 1, maxTokens });
  return replies
    .filter(({ outcome }) => outcome === 'ok' || outcome === 'truncated')
    .map(({ text }) => text.trim())
    .filter((text) => text !== '');
}
