import { expect, test } from 'vitest';
import { createThreadGovernor } from './threadGovernor';

/** A machine whose busy time moves as told, per second. */
function governed(cores: number, machineCores: number) {
  const times = { busyMs: 0, wallMs: 0, ownMs: 0 };
  const governor = createThreadGovernor({ cores, machineCores, readTimes: () => ({ ...times }) });
  return {
    governor,
    pass(wallMs: number, ownCores: number, foreignCores: number) {
      times.wallMs += wallMs;
      times.ownMs += ownCores * wallMs;
      times.busyMs += (ownCores + foreignCores) * wallMs;
      return governor.threads();
    },
  };
}

test('leaves one core free until it knows more, and never goes below one thread', () => {
  expect(governed(2, 2).governor.threads()).toBe(1);
  expect(governed(1, 1).governor.threads()).toBe(1);
});

test('takes all cores of a quiet machine, and gives back what others use', () => {
  const { pass } = governed(2, 2);
  expect(pass(1000, 1, 0.05)).toBe(2);
  expect(pass(1000, 1.2, 0.8)).toBe(1);
  expect(pass(1000, 0.1, 1.9)).toBe(1);
  expect(pass(1000, 1, 0.1)).toBe(2);
});

test('does not change its mind between two looks', () => {
  const { pass } = governed(2, 2);
  pass(1000, 1, 0);
  expect(pass(500, 0, 2)).toBe(2);
  expect(pass(500, 0, 2)).toBe(1);
});

test('other people’s load on a large machine does not starve a container with few cores', () => {
  expect(governed(2, 64).pass(1000, 1, 30)).toBe(2);
});
