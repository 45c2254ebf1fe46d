import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runRecordSchema, type RunRecord } from '../../src/contracts/runRecord';
import { UserError } from '../../src/contracts/userError';
import type { RunStore } from '../../src/engine/ports';
import { checkRun, openBench, type Bench } from './checkRun';
import { toReportView } from '../../src/report/reportView';
import { fakeModel, type FakeAnswer } from './fakeModel';

const TEXT =
  'Is the review positive or negative? Answer with one word.\nReview: The food was cold and the waiter rude.';

/** Three words by seed: real noise without a real model. */
const noisy: FakeAnswer = (_prompt, seed) => ['negative', 'Negative.', 'It is negative'][seed % 3]!;

let bench: Bench;
beforeAll(async () => {
  bench = await openBench();
});
afterAll(() => bench.close());

const storedSamples = async (record: RunRecord) =>
  (await readFile(path.join(bench.cacheDir, 'runs', record.id, 'samples.jsonl'), 'utf8')).trim().split('\n');

describe('a run', () => {
  it('makes a valid record and keeps every sample on disk', async () => {
    const record = await checkRun(bench, fakeModel(noisy), { text: TEXT });
    expect(runRecordSchema.parse(record)).toEqual(record);
    expect(record.state).toBe('complete');
    expect(record.samples).toHaveLength((record.perturbations.length + 1) * 20);
    expect(await storedSamples(record)).toHaveLength(record.samples.length);
    expect(await bench.store.read(record.id)).toEqual(record);
  });

  it('can be read again although the clock was set back in mid-run', async () => {
    let nowMs = Date.UTC(2026, 0, 1);
    // An hour back at every look.
    const clock = { nowMs: () => (nowMs -= 3_600_000) };
    const record = await checkRun(bench, fakeModel(noisy), { text: TEXT, clock });
    expect(await bench.store.read(record.id)).toEqual(record);
    expect(record.actual.seconds).toBe(0);
    expect(Object.values(record.actual.phases).every((seconds) => seconds >= 0)).toBe(true);
  });

  it('can be read again whatever the answers are', async () => {
    const answers = [
      '\ud800',
      '\u202e\u001b[2J',
      '__proto__',
      ' '.repeat(50_000) + '.',
      '```\n```',
      '\0',
      'constructor',
      '🇨🇭'.repeat(3_000),
    ];
    const record = await checkRun(
      bench,
      fakeModel((_prompt, seed) => answers[seed % answers.length]!),
      { text: TEXT, options: { samples: 10 } },
    );
    expect(await bench.store.read(record.id)).toEqual(record);
  });

  it('calls a prompt steady whose answers do not depend on the change', async () => {
    const record = await checkRun(bench, fakeModel(noisy), { text: TEXT });
    expect(record.conclusion.state).toBe('steady');
    expect(record.comparisons.every((entry) => entry.verdict === 'noChangeDetected')).toBe(true);
    expect(record.mde?.share).toBeGreaterThan(0);
    expect(record.mde?.share).toBeLessThan(1);
    expect(record.noiseFloor?.draws).toBeGreaterThan(0);
  });

  it('finds the one change that moves the answers, and no other', async () => {
    const first = await checkRun(bench, fakeModel(noisy), { text: TEXT });
    const culprit = first.perturbations[1]!;
    const record = await checkRun(
      bench,
      fakeModel((prompt, seed, given) =>
        prompt === culprit.text
          ? ['positive', 'It is good', 'Great!'][seed % 3]!
          : noisy(prompt, seed, given),
      ),
      { text: TEXT },
    );
    expect(record.conclusion.state).toBe('wobbles');
    const changed = record.comparisons.filter((entry) => entry.verdict === 'changed');
    expect(changed.map((entry) => entry.perturbationId)).toEqual([culprit.id]);
    expect(changed[0]!.adjustedP).toBeLessThanOrEqual(0.05);
    expect(changed[0]!.effect!.interval.low).toBeGreaterThan(0);
  });

  it('asks the unchanged prompt a second time on request, as a real noise floor, and says when it differs from itself', async () => {
    const steady = await checkRun(bench, fakeModel(noisy), { text: TEXT, options: { repeatArm: true } });
    expect(steady.conditions.filter(({ role }) => role === 'noiseFloor')).toHaveLength(1);
    expect(steady.samples).toHaveLength((steady.perturbations.length + 2) * 20);
    expect(steady.noiseFloor?.source).toBe('repeatArm');
    expect(steady.conclusion.warnings).toEqual([]);
    const repeatSeeds = new Set(steady.samples.flatMap((s) => (s.conditionId === 'repeat' ? [s.seed] : [])));
    const drifting = await checkRun(
      bench,
      fakeModel((prompt, seed, given) => (repeatSeeds.has(seed) ? 'positive' : noisy(prompt, seed, given))),
      { text: TEXT, options: { repeatArm: true } },
    );
    expect(drifting.conclusion.warnings.join(' ')).toContain('unchanged prompt differ');
  });

  it('lets one published statistic decide by name, with its own options, and says so', async () => {
    const statistic = 'published-jsd' as const;
    const record = await checkRun(bench, fakeModel(noisy), {
      text: TEXT,
      options: { statistic, permutations: undefined } as Partial<RunRecord['options']>,
    });
    expect(runRecordSchema.parse(record)).toEqual(record);
    expect(record.options).toMatchObject({ statistic, permutations: 1000, multiplicity: 'bonferroni' });
    expect(record.family).toEqual(['minilm/published-jsd']);
    for (const { members } of record.comparisons) expect(members.map(({ id }) => id)).toEqual(record.family);
    expect(record.conclusion.warnings.join(' ')).toContain(statistic);
    expect(
      toReportView(record)
        .method.map(({ text }) => text)
        .join(' '),
    ).toContain('JS distance, as published');
  });

  it('gives every answer of a run another seed', async () => {
    const record = await checkRun(bench, fakeModel(noisy), { text: TEXT });
    expect(new Set(record.samples.map((sample) => sample.seed)).size).toBe(record.samples.length);
  });

  it('asks the conditions in mixed order', async () => {
    const record = await checkRun(bench, fakeModel(noisy), { text: TEXT });
    const order = record.samples.map((sample) => sample.conditionId);
    const switches = order.filter((id, i) => i > 0 && id !== order[i - 1]).length;
    expect(switches).toBeGreaterThan(record.conditions.length * 3);
  });

  it('says that answers which never vary need more inputs, not more samples', async () => {
    const record = await checkRun(
      bench,
      fakeModel(() => 'negative'),
      { text: TEXT },
    );
    expect(record.conclusion.state).toBe('steady');
    expect(record.comparisons[0]!.p).toBe(1);
    expect(record.conclusion.warnings.join(' ')).toContain('same answer every time');
  });

  it('claims no p-value where each prompt has one constant answer and they differ', async () => {
    const record = await checkRun(
      bench,
      fakeModel((prompt) => (prompt === TEXT ? 'negative' : 'positive')),
      { text: TEXT, options: { temperature: 0 } },
    );
    for (const comparison of record.comparisons) {
      expect(comparison).toMatchObject({ deterministic: true, verdict: 'changed', p: null, adjustedP: null });
    }
  });

  it('corrects for chance where drawn answers happen to be constant in each arm', async () => {
    const parted: FakeAnswer = (prompt) => (prompt === TEXT ? 'negative' : 'positive');
    const twenty = await checkRun(bench, fakeModel(parted), { text: TEXT });
    for (const comparison of twenty.comparisons) {
      expect(comparison).toMatchObject({ deterministic: true, verdict: 'changed', p: 0.001 });
    }
    const four = await checkRun(bench, fakeModel(parted), { text: TEXT, options: { samples: 4 } });
    for (const comparison of four.comparisons) {
      expect(comparison).toMatchObject({ verdict: 'undecided', undecided: { reason: 'tooFewSamples' } });
    }
    expect(four.conclusion.state).toBe('undecided');
  });
});

describe('answers that cannot be compared', () => {
  it('are counted, never tested; too many make the comparison undecided with the counts', async () => {
    const record = await checkRun(
      bench,
      fakeModel((prompt, seed, given) =>
        given % 3 === 0 ? { outcome: 'ok', text: '   ' } : noisy(prompt, seed, given),
      ),
      { text: TEXT },
    );
    expect(record.conclusion.state).toBe('undecided');
    expect(record.comparisons[0]!.undecided?.reason).toBe('compromised');
    expect(record.comparisons[0]!.undecided?.explanation).toMatch(/\d+ of 20 \(\d+ empty\)/);
  });

  it('compromise a comparison when only one arm fails, below the share that always does', async () => {
    let failures = 0;
    const record = await checkRun(
      bench,
      fakeModel((prompt, seed, given) =>
        prompt !== TEXT && failures++ % 6 === 0
          ? { text: "I'm sorry, but I can't help with that." }
          : noisy(prompt, seed, given),
      ),
      { text: TEXT, options: { samples: 100 }, limit: 1 },
    );
    expect(record.comparisons[0]!.undecided?.reason).toBe('compromised');
    expect(record.comparisons[0]!.undecided?.explanation).toContain('more often');
  });

  it('includes answers cut at the window only when whole answers were asked for', async () => {
    const cut: FakeAnswer = (prompt, seed, given) => ({
      text: noisy(prompt, seed, given) as string,
      finishReason: 'length',
    });
    const clipped = await checkRun(bench, fakeModel(cut), { text: TEXT });
    expect(clipped.samples.every((sample) => sample.clipped && sample.outcome === 'ok')).toBe(true);
    const whole = await checkRun(bench, fakeModel(cut), { text: TEXT, options: { wholeAnswers: true } });
    expect(whole.samples.every((sample) => sample.outcome === 'truncated')).toBe(true);
    expect(whole.conclusion.state).toBe('undecided');
  });
});

describe('a run that is stopped', () => {
  it('keeps what was received, tests it, and says that it was cancelled', async () => {
    const controller = new AbortController();
    const record = await checkRun(bench, fakeModel(noisy), {
      text: TEXT,
      signal: controller.signal,
      onEvent: (event) => {
        if (event.type === 'progress' && event.phase === 'sampling' && event.done === 50) controller.abort();
      },
    });
    expect(record.state).toBe('cancelled');
    expect(record.samples.length).toBeGreaterThanOrEqual(50);
    expect(record.samples.length).toBeLessThan(80);
    expect(await storedSamples(record)).toHaveLength(record.samples.length);
    expect(record.samples.every((sample) => sample.outcome !== 'cancelled')).toBe(true);
    expect(record.comparisons.some((entry) => entry.p !== null)).toBe(true);
  });

  it('before the first answer has nothing to test and says so', async () => {
    const record = await checkRun(bench, fakeModel(noisy), { text: TEXT, signal: AbortSignal.abort() });
    expect(record.state).toBe('cancelled');
    expect(record.conclusion.state).toBe('undecided');
    expect(record.comparisons.every((entry) => entry.undecided?.reason === 'cancelled')).toBe(true);
  });
});

describe('a model that fails', () => {
  const down = {
    outcome: 'unavailable' as const,
    error: { code: 'unreachable', message: 'connection refused' },
  };

  it('in mid-run: what was received is tested, the rest is not asked for', async () => {
    const record = await checkRun(
      bench,
      fakeModel((prompt, seed, given) => (given >= 60 ? down : noisy(prompt, seed, given))),
      { text: TEXT },
    );
    expect(record.state).toBe('failed');
    expect(record.error?.message).toContain('connection refused');
    expect(record.samples.length).toBeLessThan(70);
  });

  it('that throws at once gives its own error', async () => {
    const model = fakeModel(noisy);
    const broken = new UserError('serverUnreachable', 'Nobody answers.', 'Start it.');
    await expect(
      checkRun(bench, { ...model, sample: () => Promise.reject(broken) }, { text: TEXT }),
    ).rejects.toBe(broken);
  });

  it('does not stop a run by single failures', async () => {
    const record = await checkRun(
      bench,
      fakeModel((prompt, seed, given) => (given % 25 === 24 ? down : noisy(prompt, seed, given))),
      { text: TEXT },
    );
    expect(record.state).toBe('complete');
    expect(record.samples.filter((sample) => sample.outcome === 'unavailable')).toHaveLength(3);
  });
});

describe('a disk that fails', () => {
  it('stops the spending: no further answer is asked for that could not be kept', async () => {
    let asked = 0;
    let kept = 0;
    const full: RunStore = {
      ...bench.store,
      appendSample: async () => {
        kept += 1;
        if (kept > 5) throw new UserError('diskFull', 'The disk is full.', 'Free some space.');
      },
    };
    const run = checkRun(
      bench,
      fakeModel((prompt, seed, given) => {
        asked += 1;
        return noisy(prompt, seed, given);
      }),
      { text: TEXT, store: full },
    );
    const record = await run;
    expect(record.state).toBe('failed');
    expect(record.error?.code).toBe('diskFull');
    expect(asked).toBeLessThan(12);
  });
});
