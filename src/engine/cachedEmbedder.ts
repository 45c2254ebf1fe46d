import type { Embedder, EmbeddedText, VectorCache } from './ports';

/**
 * `embedder`, with vectors of texts that were embedded before taken from `cache`. Its weights' digest is part of the key, and a
 * text's vector does not depend on the others of its batch, so the result is the same bit for bit.
 * `hash`: SHA-256, hexadecimal.
 */
export function cachedEmbedder(
  embedder: Embedder,
  { cache, hash }: { cache: VectorCache; hash: (text: string) => string },
): Embedder {
  const keyOf = (text: string) => hash(JSON.stringify([embedder.id, embedder.digest, text]));
  return {
    id: embedder.id,
    digest: embedder.digest,
    close: () => embedder.close(),
    async embed(texts, options) {
      const keys = texts.map(keyOf);
      const found = await Promise.all(keys.map((key) => cache.get(key)));
      const missing = found.flatMap((one, i) => (one === null ? [i] : []));
      if (missing.length === 0 && texts.length > 0) return joinRows(found as EmbeddedText[]);
      const fresh = await embedder.embed(
        missing.map((i) => texts[i]!),
        options,
      );
      const { dim } = fresh;
      await Promise.all(
        missing.map((i, row) => {
          const one = {
            vector: fresh.vectors.slice(row * dim, (row + 1) * dim),
            unknown: fresh.unknown[row]!,
            truncated: fresh.truncated[row]!,
          };
          found[i] = one;
          return cache.put(keys[i]!, one);
        }),
      );
      return texts.length === 0 ? fresh : joinRows(found as EmbeddedText[]);
    },
  };
}

/** Rows as an embedder gives them; at least one. */
export function joinRows(rows: EmbeddedText[]): Awaited<ReturnType<Embedder['embed']>> {
  const dim = rows[0]!.vector.length;
  const vectors = new Float32Array(rows.length * dim);
  rows.forEach(({ vector }, i) => vectors.set(vector, i * dim));
  return {
    vectors,
    dim,
    unknown: rows.map(({ unknown }) => unknown),
    truncated: rows.map(({ truncated }) => truncated),
  };
}
