/** Character-level kernel of texts: needs no embedder, so it also sees what an embedder is blind to. */

/**
 * Share of positions at which two texts hold the same code point, both padded to the longest text of the pool with a
 * pad that equals itself (Model Equality Testing, arXiv 2410.20247). Full n × n, values 0 … 1, ones on the diagonal.
 * Code points, not UTF-16 units. Cost n²·length / 2; only the first `longest` code points are compared, so that one
 * endless answer cannot stop a run.
 *
 * One long answer makes all others alike, as most of their positions are padding: with 4 long among 40 short answers the
 * member finds little else. It stays valid, and the other members are not touched.
 */
export function hammingKernel(
  strings: readonly string[],
  longest = 4096,
): { kernel: Float64Array; paddedLength: number } {
  // A code point takes at most two units: cut first, or a megabyte is split only to be thrown away.
  const points = strings.map((text) =>
    Array.from(text.slice(0, 2 * longest), (point) => point.codePointAt(0)!).slice(0, longest),
  );
  const n = strings.length;
  const length = points.reduce((most, row) => Math.max(most, row.length), 1);
  const padded = new Int32Array(n * length).fill(-1);
  points.forEach((row, i) => padded.set(row, i * length));
  const kernel = new Float64Array(n * n);
  for (let i = 0; i < n; i++) {
    kernel[i * n + i] = 1;
    for (let j = 0; j < i; j++) {
      let equal = 0;
      for (let k = 0, a = i * length, b = j * length; k < length; k++, a++, b++) {
        if (padded[a] === padded[b]) equal++;
      }
      kernel[i * n + j] = kernel[j * n + i] = equal / length;
    }
  }
  return { kernel, paddedLength: length };
}
