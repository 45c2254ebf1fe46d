import type { Sample } from '../contracts/runRecord';
import { joinRows } from './cachedEmbedder';
import { usable } from './judgeArms';
import type { Embedder, EmbeddedText } from './ports';

/** Fewer are not worth a call. */
const LEAST_BATCH = 16;

/**
 * `embedder`, whose vectors are made while answers still arrive: `add` takes each as it comes, and `embed` then has only
 * the last of them to do. A text's vector does not depend on the others of its batch, so the result is the same bit for
 * bit. A failure beside the sampling is left for `embed` to meet again and to report.
 */
export function embedAhead(
  embedder: Embedder,
  signal: AbortSignal,
): { embedder: Embedder; add: (sample: Sample) => void } {
  const known = new Map<string, EmbeddedText>();
  const seen = new Set<string>();
  let waiting: string[] = [];
  let busy: Promise<void> | null = null;

  async function take(texts: string[], options: Parameters<Embedder['embed']>[1]) {
    const { vectors, dim, unknown, truncated } = await embedder.embed(texts, options);
    texts.forEach((text, row) =>
      known.set(text, {
        vector: vectors.subarray(row * dim, (row + 1) * dim),
        unknown: unknown[row]!,
        truncated: truncated[row]!,
      }),
    );
  }

  async function drain() {
    while (waiting.length >= LEAST_BATCH) {
      const batch = waiting;
      waiting = [];
      await take(batch, { signal });
    }
  }

  return {
    add(sample) {
      if (seen.has(sample.text) || usable([sample]).length === 0) return;
      seen.add(sample.text);
      waiting.push(sample.text);
      if (waiting.length < LEAST_BATCH) return;
      busy ??= drain()
        .catch(() => undefined)
        .finally(() => {
          busy = null;
        });
    },
    embedder: {
      id: embedder.id,
      digest: embedder.digest,
      close: () => embedder.close(),
      async embed(texts, options) {
        await busy;
        if (texts.length === 0) return embedder.embed(texts, options);
        const missing = texts.filter((text) => !known.has(text));
        if (missing.length > 0) await take(missing, options);
        return joinRows(texts.map((text) => known.get(text)!));
      },
    },
  };
}
