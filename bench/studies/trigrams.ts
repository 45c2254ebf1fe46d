const DIM = 512;

/**
 * Unit vectors of hashed character trigrams, row-major: a second, independent view of the answers. It knows spelling and
 * no meaning. Deterministic, free, and works for every script.
 */
export function trigramVectors(texts: readonly string[]): { dim: number; vectors: Float32Array } {
  const vectors = new Float32Array(texts.length * DIM);
  texts.forEach((text, row) => {
    const padded = `  ${text.toLowerCase().trim()}  `;
    let norm = 0;
    for (let i = 0; i + 3 <= padded.length; i++) vectors[row * DIM + hashed(padded.slice(i, i + 3))]! += 1;
    for (let d = 0; d < DIM; d++) norm += vectors[row * DIM + d]! ** 2;
    for (let d = 0; d < DIM; d++) vectors[row * DIM + d]! /= Math.sqrt(norm);
  });
  return { dim: DIM, vectors };
}

/** FNV-1a. */
function hashed(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193) >>> 0;
  return hash % DIM;
}
