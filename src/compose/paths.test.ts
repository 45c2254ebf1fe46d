import os from 'node:os';
import { expect, test } from 'vitest';
import { cacheDirOf } from './paths';

const home = os.userInfo().homedir;

test.each([
  [{ EVENKEEL_CACHE: '/mine' }, '/mine'],
  [{ XDG_CACHE_HOME: '/xdg', HOME: '/home/me' }, '/xdg/evenkeel'],
  [{ HOME: '/home/me' }, '/home/me/.cache/evenkeel'],
  // Never a folder below the one that happens to be open: prompts are private.
  [{ XDG_CACHE_HOME: 'relative', HOME: '/home/me' }, '/home/me/.cache/evenkeel'],
  [{ HOME: '' }, `${home}/.cache/evenkeel`],
  [{ HOME: 'relative' }, `${home}/.cache/evenkeel`],
  [{}, `${home}/.cache/evenkeel`],
])('cacheDirOf(%j)', (env, expected) => {
  expect(cacheDirOf(env, 'linux')).toBe(expected);
});
