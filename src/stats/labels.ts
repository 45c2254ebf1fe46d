/** Extracted answers: how far apart are two distributions of labels? */

/** Labels as small integers, in order of first appearance. Cost: labels. */
export function labelCodes(labels: readonly string[]): { codes: Int32Array; categories: number } {
  const seen = new Map<string, number>();
  const codes = Int32Array.from(labels, (label) => {
    const code = seen.get(label) ?? seen.size;
    seen.set(label, code);
    return code;
  });
  return { codes, categories: seen.size };
}

/**
 * Total variation between the label distributions of two arms: half the sum of absolute differences of shares, 0 … 1.
 * Biased upward for small arms, as every plug-in distance. @throws RangeError for an empty arm. Cost n0 + n1.
 */
export function totalVariation(labels0: readonly string[], labels1: readonly string[]): number {
  if (labels0.length === 0) throw new RangeError('labels0 is empty');
  if (labels1.length === 0) throw new RangeError('labels1 is empty');
  const { codes, categories } = labelCodes([...labels0, ...labels1]);
  const counts = new Float64Array(2 * categories);
  codes.forEach((code, i) => {
    counts[i < labels0.length ? code : categories + code]! += 1;
  });
  let sum = 0;
  for (let code = 0; code < categories; code++) {
    sum += Math.abs(counts[code]! / labels0.length - counts[categories + code]! / labels1.length);
  }
  return sum / 2;
}
