import { expect, it } from 'vitest';
import { smoothDensity } from './smoothDensity';

const area = (points: [number, number][]) =>
  points.slice(1).reduce((sum, [x, y], i) => sum + (x - points[i]![0]) * ((y + points[i]![1]) / 2), 0);

it('is a density over the range, highest where the histogram is', () => {
  const edges = Array.from({ length: 31 }, (_, i) => i / 30);
  const counts = edges.slice(1).map((_, i) => (i >= 20 && i < 24 ? 50 : 1));
  const line = smoothDensity(edges, counts, 400);
  expect(area(line)).toBeCloseTo(1, 2);
  const [peak] = line.reduce((best, point) => (point[1] > best[1] ? point : best));
  expect(peak).toBeGreaterThan(19 / 30);
  expect(peak).toBeLessThan(25 / 30);
  expect(
    smoothDensity(
      edges,
      counts.map(() => 0),
    ),
  ).toEqual([]);
});
