import type { RunRecord, Sample } from '../contracts/runRecord';
import type { EmbeddedTexts } from './compare';
import type { RunHooks } from './events';
import { usable } from './judgeArms';
import type { Embedder } from './ports';

/** Vectors of all distinct usable answers, and how much of them the encoders could not read. Cost: linear in them. */
export async function embedAnswers(
  embedders: Embedder[],
  samples: Sample[],
  hooks: Pick<RunHooks, 'signal' | 'onEvent'>,
): Promise<{ embedded: EmbeddedTexts[]; embedding: RunRecord['embedding'] }> {
  const texts = [...new Set(usable(samples).map((sample) => sample.text))];
  if (texts.length === 0) return { embedded: [], embedding: null };
  const embedded: EmbeddedTexts[] = [];
  let unknown = 0;
  let truncated = 0;
  for (const embedder of embedders) {
    const result = await embedder.embed(texts, {
      signal: hooks.signal,
      onProgress: (done, total) =>
        hooks.onEvent?.({ type: 'progress', phase: 'embedding', done, total, secondsLeft: null }),
    });
    embedded.push({
      embedder: embedder.id,
      dim: result.dim,
      rowOf: new Map(texts.map((text, i) => [text, i])),
      vectors: result.vectors,
    });
    unknown = Math.max(unknown, mean(result.unknown));
    truncated = Math.max(truncated, mean(result.truncated.map(Number)));
  }
  return { embedded, embedding: { unknown, truncated } };
}

const mean = (values: number[]): number =>
  values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;
