import { appendFile, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { answer, perturbation, planOf, question } from '../../test/builders/flipsPlan';
import type { FlipsRecord } from '../contracts/flipsRecord';
import type { ModelIdentity } from '../contracts/runRecord';
import { flipsFindings } from '../engine/flipsFindings';
import type { FlipsStore } from '../engine/ports';
import { createFlipsStore } from './flipsStore';
import { createRunStore } from './runStore';

const plan = planOf([question('q')], () => [perturbation(3, 'turned')]);
const model: ModelIdentity = {
  id: 'local:fake',
  provider: 'local',
  resolved: 'fake',
  digest: 'aa',
  baseUrl: null,
  parameterSize: null,
  quantization: null,
  contextLength: null,
  runtime: null,
};
const answers = [answer('q', 'A'), answer('q/mistake.turned', 'B')];
const record: FlipsRecord = {
  ...plan,
  state: 'complete',
  finishedAt: plan.startedAt,
  versions: {},
  model,
  decoding: 'text',
  answers,
  ...flipsFindings(plan, answers, { stopped: null }),
  actual: { calls: 2, seconds: 1 },
  error: null,
};

let cacheDir: string;
const opened: FlipsStore[] = [];
const openStore = () => {
  const store = createFlipsStore({ cacheDir });
  opened.push(store);
  return store;
};
beforeEach(async () => {
  cacheDir = await mkdtemp(path.join(os.tmpdir(), 'evenkeel-flipsstore-'));
});
afterEach(async () => {
  for (const store of opened.splice(0)) await store.close(plan.id);
  await rm(cacheDir, { recursive: true, force: true });
});
const fileOf = (name: string) => path.join(cacheDir, 'runs', plan.id, name);

it('keeps plan and answers as they come; another process takes the run up with the plan as first begun', async () => {
  const first = openStore();
  expect((await first.begin(plan, model)).answers).toEqual([]);
  await first.append(plan.id, answers[0]!);
  const second = openStore();
  expect(await second.readPlan(plan.id)).toEqual(plan);
  const begun = await second.begin({ ...plan, seed: 99 }, { ...model, digest: 'bb' });
  expect(begun).toEqual({ plan, model, answers: [answers[0]], reasoned: [] });
  await expect(second.read(plan.id)).rejects.toThrow(/did not come to its end/);
});

it('forgets the torn line of a crash and nothing else', async () => {
  const store = openStore();
  await store.begin(plan, model);
  await store.append(plan.id, answers[0]!);
  await appendFile(fileOf('answers.jsonl'), '{"conditionId": "q/mis');
  const after = openStore();
  await after.begin(plan, model);
  await after.append(plan.id, answers[1]!);
  expect((await openStore().begin(plan, model)).answers).toEqual(answers);
});

it('reads a finished run back, for the person only; the history of checks does not list it', async () => {
  const store = openStore();
  await store.begin(plan, model);
  await store.finish(record);
  expect(await store.read(plan.id)).toEqual(record);
  if (process.platform !== 'win32') {
    for (const name of ['plan.json', 'answers.jsonl', 'record.json'])
      expect((await stat(fileOf(name))).mode & 0o077).toBe(0);
  }
  expect(await createRunStore({ cacheDir }).list()).toEqual([]);
});

it('names an unknown run, a path in place of an id, and a damaged file', async () => {
  const store = openStore();
  await expect(store.readPlan('nobody')).rejects.toMatchObject({ code: 'fileNotFound' });
  await expect(store.read('../../etc')).rejects.toMatchObject({ code: 'usage' });
  await store.begin(plan, model);
  await writeFile(fileOf('plan.json'), '{"plan": ');
  await expect(store.readPlan(plan.id)).rejects.toMatchObject({ code: 'storeDamaged' });
});
