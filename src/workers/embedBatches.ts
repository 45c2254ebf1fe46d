import type { EncodedText } from './encodeText';

/** Length of the encoder's vectors. */
export const EMBEDDING_DIM = 384;

/** Runs rows × length token ids (row-major, no padding) through the encoder: rows × EMBEDDING_DIM unit vectors. */
export type RunBatch = (ids: Int32Array, rows: number, length: number) => Promise<Float32Array>;

/** Larger batches are no faster in WASM; they only make cancelling and progress coarser. */
const MAX_ROWS = 16;
const MAX_TOKENS = 512;

/**
 * Embeds encoded texts, shortest first. A batch holds texts of one length only: without padding a text's vector
 * is the same to the last bit whatever its neighbours are.
 * @param onBatch called after each batch with the texts done; false stops, and the result is then null.
 * @returns row i is the vector of encoded[i], encoded.length × EMBEDDING_DIM.
 */
export async function embedInBatches(
  encoded: EncodedText[],
  runBatch: RunBatch,
  onBatch: (done: number) => Promise<boolean>,
): Promise<Float32Array | null> {
  const vectors = new Float32Array(encoded.length * EMBEDDING_DIM);
  let done = 0;
  for (const batch of equalLengthBatches(encoded)) {
    const length = encoded[batch[0]!]!.ids.length;
    const ids = Int32Array.from(batch.flatMap((index) => encoded[index]!.ids));
    const rows = await runBatch(ids, batch.length, length);
    batch.forEach((index, row) => {
      vectors.set(rows.subarray(row * EMBEDDING_DIM, (row + 1) * EMBEDDING_DIM), index * EMBEDDING_DIM);
    });
    done += batch.length;
    if (!(await onBatch(done))) return null;
  }
  return vectors;
}

/** Indices of `encoded` in batches whose texts have equally many tokens. */
function equalLengthBatches(encoded: EncodedText[]): number[][] {
  const byLength = new Map<number, number[]>();
  encoded.forEach(({ ids }, index) => {
    const indices = byLength.get(ids.length);
    if (indices === undefined) byLength.set(ids.length, [index]);
    else indices.push(index);
  });
  return [...byLength]
    .sort(([a], [b]) => a - b)
    .flatMap(([length, indices]) => {
      const rows = Math.max(1, Math.min(MAX_ROWS, Math.floor(MAX_TOKENS / length)));
      const batches: number[][] = [];
      for (let start = 0; start < indices.length; start += rows) {
        batches.push(indices.slice(start, start + rows));
      }
      return batches;
    });
}
