/**
 * A smooth line over a histogram: Gaussian kernel at Silverman's width over the bins' centres, as density.
 * @returns `points` pairs (x, density) over the edges' range; empty where nothing varies
 */
export function smoothDensity(
  edges: readonly number[],
  counts: readonly number[],
  points = 80,
): [number, number][] {
  const total = counts.reduce((sum, count) => sum + count, 0);
  const [low, high] = [edges[0] ?? 0, edges.at(-1) ?? 1];
  if (total === 0 || high <= low) return [];
  const centres = counts.map((_, i) => ((edges[i] ?? 0) + (edges[i + 1] ?? 0)) / 2);
  const mean = centres.reduce((sum, centre, i) => sum + (centre * (counts[i] ?? 0)) / total, 0);
  const variance = centres.reduce(
    (sum, centre, i) => sum + ((centre - mean) ** 2 * (counts[i] ?? 0)) / total,
    0,
  );
  const binPx = (high - low) / counts.length;
  const width = Math.max(1.06 * Math.sqrt(variance) * total ** -0.2, 0.7 * binPx);
  const kernel = (distance: number) =>
    Math.exp(-0.5 * (distance / width) ** 2) / (width * Math.sqrt(2 * Math.PI));
  return Array.from({ length: points }, (_, i) => {
    const x = low + ((high - low) * i) / (points - 1);
    // Mass that the kernel would put beyond the edges is folded back.
    const density = centres.reduce(
      (sum, centre, bin) =>
        sum +
        ((counts[bin] ?? 0) / total) *
          (kernel(x - centre) + kernel(x - (2 * low - centre)) + kernel(x - (2 * high - centre))),
      0,
    );
    return [x, density];
  });
}
