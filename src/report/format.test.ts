import { expect, test } from 'vitest';
import {
  countOf,
  formatDuration,
  formatEffect,
  formatNumber,
  formatP,
  formatPClause,
  formatPercent,
} from './format';

test('a p-value near the level is never rounded onto it', () => {
  expect(formatP(0.05)).toBe('0.050');
  expect(formatP(0.0501)).toBe('0.05010');
  expect(formatP(0.0499)).toBe('0.04990');
});

test('p-values at the ends', () => {
  expect(formatP(0.00099)).toBe('< 0.001');
  expect(formatP(1)).toBe('1');
  expect(formatP(null)).toBe('none');
  expect(formatP(Number.NaN)).toBe('none');
  expect(formatPClause('p', 0.0001)).toBe('p < 0.001');
  expect(formatPClause('adjusted p', 0.012)).toBe('adjusted p = 0.012');
});

test('numbers have a true minus sign and no negative zero', () => {
  expect(formatNumber(-0.034)).toBe('−0.03');
  expect(formatNumber(-0.001)).toBe('0.00');
  expect(
    formatEffect({ raw: 0.3, debiased: 0.214, interval: { low: -0.012, high: 0.31, level: 0.95 } }),
  ).toBe('0.21 (95% CI −0.01 to 0.31)');
});

test('shares never read 0% or 100% when they are neither', () => {
  expect(formatPercent(0)).toBe('0%');
  expect(formatPercent(0.002)).toBe('0.2%');
  expect(formatPercent(0.999)).toBe('99.9%');
  expect(formatPercent(0.35)).toBe('35%');
});

test('durations carry over', () => {
  expect(formatDuration(0.42)).toBe('0.4 s');
  expect(formatDuration(59.6)).toBe('1 min');
  expect(formatDuration(192)).toBe('3 min 12 s');
  expect(formatDuration(3725)).toBe('1 h 2 min');
});

test('counts agree with their noun', () => {
  expect(countOf(1, 'answer')).toBe('1 answer');
  expect(countOf(20_000, 'answer')).toBe('20,000 answers');
});
