/** The Batch API: what a server may do with a batch, one case each. Nothing that came is lost, nothing is paid for twice. */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Condition, Sample } from '../../src/contracts/runRecord';
import { toUserError } from '../../src/contracts/userError';
import { collectSamples, requestOf } from '../../src/engine/collect';
import { DEFAULT_OPTIONS } from '../../src/engine/defaults';
import type { RunEvent } from '../../src/engine/events';
import { scheduleJobs, splitKept } from '../../src/engine/schedule';
import { askedOf } from '../../src/providers/openai/batchFile';
import { createOpenAiModel } from '../../src/providers/openai/openAiModel';
import { createRunStore } from '../../src/store/runStore';
import {
  allAnswered,
  answered,
  endedLine,
  refusedLine,
  startFakeBatchServer,
  type OnLook,
} from '../contract/fakeBatchServer';

const KEY = 'sk-batch-5ecret5ecret';
const SAMPLES = 4;
const TOTAL = 2 * SAMPLES;
const options = { ...DEFAULT_OPTIONS, execution: 'batch' as const };
const conditions = ['baseline', 'other'].map((id): Condition => ({
  id,
  role: id === 'baseline' ? 'baseline' : 'perturbation',
  perturbationId: null,
  rendered: `Name a colour (${id}).`,
}));
const jobs = scheduleJobs(conditions, SAMPLES, 1, 7);

let cacheDir: string;
let server: Awaited<ReturnType<typeof startFakeBatchServer>>;
beforeEach(async () => {
  cacheDir = await mkdtemp(path.join(os.tmpdir(), 'evenkeel-batch-'));
});
afterEach(async () => {
  await server.stop();
  await rm(cacheDir, { recursive: true, force: true });
});

/** The engine's sampling by batch into the real store, as one process would do it. */
async function collect(more: { signal?: AbortSignal; onEvent?: (event: RunEvent) => void } = {}) {
  const store = createRunStore({ cacheDir });
  const clock = { nowMs: () => Date.now() };
  const model = createOpenAiModel({
    ...{ id: 'lab:m', model: 'm', baseUrl: server.baseUrl, apiKey: KEY, clock },
    limits: { retries: 2, retryDelayMs: 1, longestWaitMs: 50 },
    polls: { firstPollMs: 2, longestPollMs: 5 },
  });
  await store.begin('run');
  const kept = await store.readSamples('run');
  const warnings: string[] = [];
  const { samples, stopped, modelChanged } = await collectSamples(
    { model, store, clock },
    { id: 'run', jobs, options, firstTokenTop: 0, kept },
    {
      signal: more.signal ?? new AbortController().signal,
      onEvent: (event) => {
        if (event.type === 'warning') warnings.push(event.message);
        more.onEvent?.(event);
      },
    },
  );
  await model.close();
  await store.close('run');
  const onDisk = splitKept(jobs, await createRunStore({ cacheDir }).readSamples('run')).kept;
  const error = stopped?.reason === 'failed' ? toUserError(stopped.error) : null;
  const notes = await readFile(path.join(cacheDir, 'runs', 'run', 'batches.jsonl'), 'utf8').catch(() => '');
  expect(JSON.stringify([samples, onDisk, warnings, error, notes])).not.toContain(KEY);
  return { samples, onDisk, warnings, stopped, error, modelChanged };
}

const started = async (
  onLook: OnLook,
  spoil?: Parameters<typeof startFakeBatchServer>[1],
): Promise<typeof server> => (server = await startFakeBatchServer(onLook, spoil));
const calls = (call: string) => server.calls.filter((one) => one === call).length;
const askedIn = (number: number) => server.batches[number]!.lines.map(({ custom_id }) => custom_id);
const whole = (samples: Sample[]) => {
  expect(samples).toHaveLength(TOTAL);
  for (const { outcome, text, seed } of samples)
    expect({ outcome, text }).toEqual({ outcome: 'ok', text: `answer ${seed % 3}` });
};

describe('a batch that comes to its end', () => {
  test('is uploaded, waited for and collected; every answer is that of its request', async () => {
    await started((lines, nth) => (nth < 2 ? null : allAnswered(lines, nth, 0)));
    const { samples, onDisk, stopped, warnings } = await collect();
    expect(stopped).toBeNull();
    whole(samples);
    expect(onDisk).toHaveLength(TOTAL);
    expect(server.batches).toHaveLength(1);
    const [line] = server.batches[0]!.lines;
    expect(line).toMatchObject({
      method: 'POST',
      url: '/v1/chat/completions',
      body: { model: 'm', max_tokens: options.answerTokens, temperature: 1, top_p: 1 },
    });
    expect(line!.body).not.toHaveProperty('stream');
    expect(new Set(server.batches[0]!.lines.map(({ body }) => body.seed)).size).toBe(TOTAL);
    expect(warnings.join()).toMatch(/evenkeel resume run/);
  });

  test('in any order of its lines: the position is that of the plan', async () => {
    await started((lines) => ({
      status: 'completed',
      output: lines.map((line) => answered(line)).reverse(),
    }));
    const { samples } = await collect();
    whole(samples);
    expect(samples.map(({ seed }) => seed)).toEqual(jobs.map(({ seeds }) => seeds[0]));
    expect(samples.map(({ position }) => position)).toEqual(Array.from({ length: TOTAL }, (_, i) => i));
  });

  test('with an id twice or one that was never sent: the first of its own counts', async () => {
    await started((lines) => ({
      status: 'completed',
      output: [
        ...lines.map((line) => answered(line)),
        ...lines.map((line) => answered(line, 'second')),
        answered({ ...lines[0]!, custom_id: 'stranger' }, 'stranger'),
      ],
    }));
    whole((await collect()).samples);
  });
});

describe('partial failure', () => {
  test('what the server could not do now, or left out, is asked again in a further batch, and only that', async () => {
    await started((lines, _, number) =>
      number > 0
        ? { status: 'completed', output: lines.map((line) => answered(line)) }
        : {
            status: 'completed',
            // The last one is missing.
            output: lines.slice(2, -1).map((line) => answered(line)),
            errors: [
              refusedLine(lines[0]!, 500, { message: 'oh no' }),
              refusedLine(lines[1]!, 429, { message: 'slow down' }),
            ],
          },
    );
    const { samples, stopped } = await collect();
    expect(stopped).toBeNull();
    whole(samples);
    const [first] = server.batches;
    expect(askedIn(1)).toEqual([0, 1, TOTAL - 1].map((i) => first!.lines[i]!.custom_id));
  });

  test('is bounded: three batches, and then it is an outcome', async () => {
    await started((lines) => ({
      status: 'completed',
      output: lines.slice(1).map((line) => answered(line)),
      errors: [refusedLine(lines[0]!, 500, { message: 'oh no' })],
    }));
    const { samples, onDisk } = await collect();
    expect(server.batches.map(({ lines }) => lines.length)).toEqual([TOTAL, 1, 1]);
    expect(samples.filter(({ outcome }) => outcome === 'ok')).toHaveLength(TOTAL - 1);
    expect(samples[0]).toMatchObject({ outcome: 'unavailable', error: { code: 'serverError' } });
    expect(onDisk).toHaveLength(TOTAL - 1);
  });

  test('an option that the model does not take is left out, said, and the rest asked without it (glass #227)', async () => {
    await started((lines) => ({
      status: 'completed',
      output: lines.filter(({ body }) => !('temperature' in body)).map((line) => answered(line)),
      errors: lines
        .filter(({ body }) => 'temperature' in body)
        .map((line) =>
          refusedLine(line, 400, {
            message: "Unsupported value: 'temperature'",
            param: 'temperature',
            code: 'unsupported_value',
          }),
        ),
    }));
    const { samples, warnings } = await collect();
    whole(samples);
    expect(server.batches).toHaveLength(2);
    expect(warnings.filter((text) => text.includes('temperature'))).toHaveLength(1);
  });

  test('a refused key in a line ends the run', async () => {
    await started((lines) => ({
      status: 'completed',
      errors: lines.map((line) => refusedLine(line, 401, { message: `bad key ${KEY}` })),
    }));
    const { error } = await collect();
    expect(error).toMatchObject({ code: 'serverRefused' });
    expect(server.batches).toHaveLength(1);
  });
});

describe('a batch that expires', () => {
  test('keeps what came; the rest is asked again', async () => {
    await started((lines, _, number) =>
      number > 0
        ? { status: 'completed', output: lines.map((line) => answered(line)) }
        : {
            status: 'expired',
            output: lines.slice(0, 3).map((line) => answered(line)),
            errors: lines.slice(3).map((line) => endedLine(line)),
          },
    );
    whole((await collect()).samples);
    expect(server.batches.map(({ lines }) => lines.length)).toEqual([TOTAL, TOTAL - 3]);
  });

  test('again and again: what came is kept, and the run says why it ended', async () => {
    await started((lines) => ({
      status: 'expired',
      output: lines.slice(0, 1).map((line) => answered(line)),
    }));
    const { onDisk, error } = await collect();
    expect(onDisk).toHaveLength(3);
    expect(error).toMatchObject({ code: 'timeout', message: expect.stringContaining('batch expired') });
  });
});

describe('hostile and broken files', () => {
  test('lines that are no JSON, no reply or far too long lose nothing but themselves', async () => {
    await started((lines, _, number) => ({
      status: 'completed',
      output:
        number > 0
          ? lines.map((line) => answered(line))
          : [
              '{"custom_id": "half',
              '[]',
              'null',
              '{"custom_id": 7}',
              JSON.stringify({ ...answered(lines[0]!), padding: 'x'.repeat(3_000_000) }),
              ...lines.slice(1).map((line) => answered(line)),
            ],
    }));
    whole((await collect()).samples);
    expect(askedIn(1)).toEqual([server.batches[0]!.lines[0]!.custom_id]);
  });

  test.each<[string, unknown]>([
    ['no body', null],
    ['choices that are none', { choices: 'rm -rf' }],
    ['a choice of another kind', { choices: [7, null, { index: 'constructor' }] }],
    [
      'a message without end',
      { choices: [{ message: { content: 'x'.repeat(600_000) }, finish_reason: 'stop' }] },
    ],
  ])('a reply that is none, %s: malformed, never an answer', async (_, body) => {
    await started((lines) => ({
      status: 'completed',
      output: lines.map((line, i) =>
        i === 0 ? { custom_id: line.custom_id, response: { status_code: 200, body } } : answered(line),
      ),
    }));
    const { samples, stopped } = await collect();
    expect(stopped).toBeNull();
    expect(samples[0]).toMatchObject({ outcome: 'malformed' });
    expect(samples.slice(1).every(({ outcome }) => outcome === 'ok')).toBe(true);
    expect(server.batches).toHaveLength(1);
  });

  test('a download that breaks off begins anew', async () => {
    await started(allAnswered, (call, nth, response) => {
      if (call !== 'GET /files/file/content' || nth > 0) return false;
      response.writeHead(200, { 'content-type': 'application/octet-stream', 'content-length': '9999' });
      response.write('{"custom_id"');
      setTimeout(() => response.socket?.resetAndDestroy(), 10);
      return true;
    });
    whole((await collect()).samples);
    expect(server.batches).toHaveLength(1);
  });
});

describe('a server that does not take it', () => {
  test('has no Batch API: said in words', async () => {
    await started(allAnswered, (call, _, response) => {
      if (call !== 'POST /files') return false;
      response.writeHead(404).end();
      return true;
    });
    const { error } = await collect();
    expect(error).toMatchObject({
      code: 'serverRefused',
      message: expect.stringContaining('takes no batches'),
    });
    expect(error!.hint).toMatch(/--execution batch/);
  });

  test('finds a fault in the file: its own words, and nothing is asked again', async () => {
    await started(() => ({
      status: 'failed',
      refusal: { code: 'model_not_found', message: 'no batches for m' },
    }));
    const { error } = await collect();
    expect(error).toMatchObject({
      code: 'serverRefused',
      message: expect.stringContaining('no batches for m'),
    });
    expect(server.batches).toHaveLength(1);
  });

  test('has a full queue for now: tried again', async () => {
    await started((lines, nth, number) =>
      number === 0
        ? {
            status: 'failed',
            refusal: { code: 'token_limit_exceeded', message: 'Enqueued token limit reached' },
          }
        : allAnswered(lines, nth, number),
    );
    whole((await collect()).samples);
    expect(server.batches).toHaveLength(2);
  });

  test('drops the connection after it began a batch: that one is found, and no second one is made', async () => {
    await started(allAnswered, (call, nth) => (call === 'POST /batches' && nth === 0 ? 'lost' : false));
    whole((await collect()).samples);
    expect(calls('POST /batches')).toBe(1);
    expect(server.batches).toHaveLength(1);
  });

  test('is away while the batch is under way: asked on until it is back', async () => {
    await started(allAnswered, (call, nth, response) => {
      if (call !== 'GET /batches/batch' || nth >= 6) return false;
      if (nth % 2 === 0) response.socket?.resetAndDestroy();
      else response.writeHead(503).end();
      return true;
    });
    whole((await collect()).samples);
    expect(server.batches).toHaveLength(1);
  });
});

describe('cancel and resume', () => {
  /** Stops while the batch is under way. */
  async function cancelled() {
    await started(() => null);
    const stop = new AbortController();
    let abortedMs = 0;
    const result = await collect({
      signal: stop.signal,
      onEvent: (event) => {
        if (event.type !== 'progress' || stop.signal.aborted) return;
        abortedMs = performance.now();
        stop.abort();
      },
    });
    return { ...result, tookMs: performance.now() - abortedMs };
  }

  test('cancel is a cancel at the server, within 200 ms, and no answer', async () => {
    const { stopped, samples, tookMs } = await cancelled();
    expect(stopped?.reason).toBe('cancelled');
    expect(samples).toEqual([]);
    expect(calls('POST /batches/batch/cancel')).toBe(1);
    expect(server.batches[0]!.status).toBe('cancelled');
    expect(tookMs).toBeLessThan(200);
  });

  test('resume after a cancel takes what the cancelled batch had answered, and asks the rest', async () => {
    await cancelled();
    server.leaves(
      0,
      server.batches[0]!.lines.slice(0, 5).map((line) => answered(line)),
    );
    server.becomes(allAnswered);
    whole((await collect()).samples);
    expect(server.batches.map(({ lines }) => lines.length)).toEqual([TOTAL, TOTAL - 5]);
  });

  test('resume in another process takes up the batch that is under way and makes no second one', async () => {
    let gone = true;
    await started(allAnswered, (call, _, response) => {
      // The first process learns nothing more after it handed the batch over, and gives up.
      if (call !== 'GET /batches/batch' || !gone) return false;
      response.writeHead(401).end();
      return true;
    });
    const { error, samples } = await collect();
    expect(samples).toEqual([]);
    expect(error!.hint).toMatch(/resume/);
    gone = false;
    whole((await collect()).samples);
    expect(server.batches).toHaveLength(1);
    expect(calls('POST /files')).toBe(1);
  });

  test('a batch that was begun, but whose id was not noted, is found by its file', async () => {
    await started(allAnswered);
    const store = createRunStore({ cacheDir });
    const journal = store.batchJournal('run');
    whole((await collect()).samples);
    // What a process leaves that is killed between the two notes.
    const [note] = await journal.read();
    expect(note).toMatchObject({ batchId: null, address: server.baseUrl });
    await rm(path.join(cacheDir, 'runs', 'run'), { recursive: true });
    await journal.append(note!);
    whole((await collect()).samples);
    expect(server.batches).toHaveLength(1);
    expect(calls('POST /batches')).toBe(1);
  });

  test('a batch that the server has forgotten is asked anew', async () => {
    await started(allAnswered);
    const never = { signal: new AbortController().signal, onReply: () => undefined };
    const ids = askedOf(
      jobs.map((job) => ({ ...requestOf(job, options, 0), ...never })),
      'm',
    ).map(({ id }) => id);
    await createRunStore({ cacheDir }).batchJournal('run').append({
      address: server.baseUrl,
      inputFileId: 'file-99',
      batchId: 'batch-99',
      requests: ids,
    });
    whole((await collect()).samples);
    expect(server.batches).toHaveLength(1);
  });
});
