import { expect, it } from 'vitest';
import { extremePairs } from './extremePairs';

it('finds the two most alike and the two least alike across the arms', () => {
  const unit = (degrees: number) => [
    Math.cos((degrees * Math.PI) / 180),
    Math.sin((degrees * Math.PI) / 180),
  ];
  const { nearest, furthest } = extremePairs([0, 40, 100, 130].flatMap(unit), 2, 2, 2);
  expect(nearest).toMatchObject({ first: 1, second: 0 });
  expect(nearest.similarity).toBeCloseTo(0.5, 12);
  expect(furthest).toMatchObject({ first: 0, second: 1 });
  expect(() => extremePairs([], 2, 0, 1)).toThrow(RangeError);
});
