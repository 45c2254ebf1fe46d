/** Servers with a real limit: how many requests they get side by side is found out, up to the bound. */
import { describe, expect, test } from 'vitest';
import { createOpenAiModel } from '../../src/providers/openai/openAiModel';
import type { ServerFacts } from '../../src/providers/serverMemory';
import { USAGE, chunk, startFakeOpenAi, type Answer } from '../contract/fakeOpenAiServer';
import { sampleAll } from '../contract/suite';

/** Works on `slots` requests at once; more wait in its own queue, or are sent away where `refuses`. */
async function startCapacityServer(options: { slots: number; workMs: number; refuses: boolean }) {
  const { slots, workMs, refuses } = options;
  const waiting: Answer[] = [];
  const inFlightLog: number[] = [];
  let working = 0;
  let refused = 0;
  const begin = (answer: Answer) => {
    working += 1;
    setTimeout(() => {
      answer.stream([chunk('Hello', 'stop'), USAGE, '[DONE]']);
      working -= 1;
      const next = waiting.shift();
      if (next) begin(next);
    }, workMs);
  };
  const server = await startFakeOpenAi((_, answer) => {
    inFlightLog.push(working + waiting.length + 1);
    if (working < slots) begin(answer);
    else if (refuses) {
      refused += 1;
      answer.send(429, { error: { message: 'slow down' } });
    } else waiting.push(answer);
  });
  return { ...server, inFlightLog, refused: () => refused };
}

async function run(
  options: Parameters<typeof startCapacityServer>[0] & { bound: number; answers: number; known?: number },
) {
  const server = await startCapacityServer(options);
  const facts: ServerFacts = { concurrency: options.known ?? null, severalAnswers: null };
  const model = createOpenAiModel({
    id: 'lab:m',
    model: 'm',
    baseUrl: server.baseUrl,
    apiKey: null,
    clock: { nowMs: () => Date.now() },
    concurrency: options.bound,
    limits: { retryDelayMs: 5 },
    memory: { recall: async () => facts, learn: async (learned) => void Object.assign(facts, learned) },
  });
  const seeds = Array.from({ length: options.answers }, (_, i) => i);
  const { replies } = await sampleAll(model, { seeds });
  await model.close();
  await server.stop();
  const log = server.inFlightLog;
  return { replies, facts, log, late: Math.max(...log.slice(-log.length / 3)), refused: server.refused() };
}

describe('adaptive concurrency', () => {
  test('a server with four slots: parallel clients become queue time (ollama #11277), so it gets few', async () => {
    const { replies, facts, log, late } = await run({
      slots: 4,
      workMs: 60,
      refuses: false,
      bound: 64,
      answers: 200,
    });
    expect(replies.every(({ outcome }) => outcome === 'ok')).toBe(true);
    expect(log[0]).toBe(1);
    expect(Math.max(...log.slice(0, 4))).toBeLessThanOrEqual(2);
    expect(facts.concurrency).toBeGreaterThanOrEqual(2);
    // 4 or 8 where the machine is quiet; a busy one blurs the measure.
    expect(facts.concurrency).toBeLessThanOrEqual(32);
    expect(late).toBeLessThanOrEqual(32);
  });

  test('a server that sends 429 beyond six: no answer is lost, and it is hardly refused any more', async () => {
    const { replies, late, refused } = await run({
      slots: 6,
      workMs: 20,
      refuses: true,
      bound: 64,
      answers: 300,
    });
    expect(replies.every(({ outcome }) => outcome === 'ok')).toBe(true);
    expect(late).toBeLessThanOrEqual(8);
    expect(refused).toBeLessThan(60);
  });

  test('a cluster takes the 64 that are allowed', async () => {
    const warnings: string[] = [];
    const warned = (warning: Error) => warnings.push(warning.name);
    process.on('warning', warned);
    const { replies, log } = await run({
      slots: 1_000,
      workMs: 800,
      refuses: false,
      bound: 64,
      answers: 300,
    });
    expect(replies.every(({ outcome }) => outcome === 'ok')).toBe(true);
    expect(Math.max(...log)).toBe(64);
    // Node's own, which would stand on a person's terminal.
    await new Promise(setImmediate);
    process.off('warning', warned);
    expect(warnings).toEqual([]);
  });

  test('what was found is where the next run begins', async () => {
    const { log } = await run({
      slots: 1_000,
      workMs: 500,
      refuses: false,
      bound: 64,
      answers: 40,
      known: 32,
    });
    expect(Math.max(...log.slice(0, 32))).toBe(32);
  });
});
