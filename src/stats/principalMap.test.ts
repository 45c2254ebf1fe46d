import { expect, it } from 'vitest';
import { principalMap } from './principalMap';
import { createRng } from './rng';

/** Rows on a plane in five dimensions, three times as wide along one direction as along the other. */
function planeRows(n: number): { rows: number[]; u: number[]; v: number[] } {
  const rng = createRng(3, 'plane');
  const u = Array.from({ length: n }, () => 3 * (rng.unit() - 0.5));
  const v = Array.from({ length: n }, () => rng.unit() - 0.5);
  const rows = u.flatMap((a, i) => [0.6 * a, 0.8 * a, v[i]!, 0, 1]);
  return { rows, u, v };
}

it('finds the plane that rows lie in: distances are kept, and all variance is accounted for', () => {
  const n = 60;
  const { rows } = planeRows(n);
  const { points, shares } = principalMap(rows, n, 5, createRng(1, 'map'));
  expect(shares[0] + shares[1]).toBeCloseTo(1, 9);
  expect(shares[0]).toBeGreaterThan(shares[1]);
  for (const [i, j] of [
    [0, 1],
    [5, 40],
    [17, 59],
  ] as const) {
    const distance = Math.hypot(...[0, 1, 2, 3, 4].map((k) => rows[i * 5 + k]! - rows[j * 5 + k]!));
    const drawn = Math.hypot(points[2 * i]! - points[2 * j]!, points[2 * i + 1]! - points[2 * j + 1]!);
    expect(drawn).toBeCloseTo(distance, 6);
  }
});

it('is the same for every start, and for more rows than it fits to', () => {
  const n = 2_500;
  const { rows, u } = planeRows(n);
  const one = principalMap(rows, n, 5, createRng(1, 'a'));
  const other = principalMap(rows, n, 5, createRng(2, 'b'));
  for (const i of [0, 99, 2_499]) expect(one.points[2 * i]).toBeCloseTo(other.points[2 * i]!, 6);
  const mean = u.filter((_, i) => i % 3 === 0).reduce((a, b) => a + b, 0) / Math.ceil(n / 3);
  expect(one.points[2 * 7]).toBeCloseTo(u[7]! - mean, 1);
});

it('puts rows that do not vary on one point', () => {
  const { points, shares } = principalMap([1, 0, 1, 0, 1, 0], 3, 2, createRng(1));
  expect([...points]).toEqual([0, 0, 0, 0, 0, 0]);
  expect(shares).toEqual([0, 0]);
  expect(() => principalMap([], 0, 2, createRng(1))).toThrow(RangeError);
});
