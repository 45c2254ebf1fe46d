import type { Embedder } from './ports';

/** Remembers every vector as long as it lives: texts that several parts of one job share are embedded once. */
export function memoEmbedder(embedder: Embedder): Embedder {
  const known = new Map<string, { vector: Float32Array; unknown: number; truncated: boolean }>();
  return {
    id: embedder.id,
    digest: embedder.digest,
    async embed(texts, options) {
      const missing = [...new Set(texts)].filter((text) => !known.has(text));
      if (missing.length > 0) {
        const { vectors, dim, unknown, truncated } = await embedder.embed(missing, options);
        missing.forEach((text, i) =>
          known.set(text, {
            vector: vectors.slice(i * dim, (i + 1) * dim),
            unknown: unknown[i]!,
            truncated: truncated[i]!,
          }),
        );
      }
      const rows = texts.map((text) => known.get(text)!);
      const dim = rows[0]?.vector.length ?? 0;
      const vectors = new Float32Array(rows.length * dim);
      rows.forEach(({ vector }, i) => vectors.set(vector, i * dim));
      return {
        vectors,
        dim,
        unknown: rows.map(({ unknown }) => unknown),
        truncated: rows.map(({ truncated }) => truncated),
      };
    },
    close: () => embedder.close(),
  };
}
