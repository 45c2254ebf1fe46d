/**
 * Adaptive concurrency against the best fixed one, on servers with a real limit: wall time of each as a ratio, measured
 * in one run. `npm run bench -- concurrency [--slots 1,4,16,64] [--perSlot 40]`
 *
 * The server works on `slots` requests side by side, each as long as its answer (5 … 60 tokens), and queues the others.
 * `first`: nothing known of the server; `later`: a run after one that has found its limit. Exit code 1 where a later run
 * takes more than 1.15 times the best fixed one.
 */
import { parseArgs } from 'node:util';
import { createOpenAiModel } from '../src/providers/openai/openAiModel';
import { nothingKnown, type ServerMemory } from '../src/providers/serverMemory';
import { createRng } from '../src/stats/rng';
import { chunk, startFakeOpenAi, type Answer } from '../test/contract/fakeOpenAiServer';

const BOUND = 128;
const WANTED_RATIO = 1.15;

export async function run(args: string[]): Promise<number> {
  const { values } = parseArgs({
    args,
    options: {
      slots: { type: 'string', default: '1,4,16,64' },
      perSlot: { type: 'string', default: '40' },
    },
  });
  let worst = 0;
  for (const slots of values.slots.split(',').map(Number)) {
    const answers = slots * Number(values.perSlot);
    const fixed: [number, number][] = [];
    for (const limit of [...new Set([Math.ceil(slots / 2), slots, 2 * slots])])
      fixed.push([limit, await timed(slots, answers, limit, knows(limit))]);
    const memory = knows(null);
    const first = await timed(slots, answers, BOUND, memory);
    const { concurrency } = await memory.recall();
    const later = await timed(slots, answers, BOUND, memory);
    const [bestLimit, best] = fixed.reduce((a, b) => (b[1] < a[1] ? b : a));
    worst = Math.max(worst, later / best);
    console.log(
      `${slots} slots, ${answers} answers: best fixed ${bestLimit} in ${(best / 1000).toFixed(1)} s; ` +
        `first run ${(first / best).toFixed(2)} times that, found ${concurrency}; later run ${(later / best).toFixed(2)} times`,
    );
  }
  return worst <= WANTED_RATIO ? 0 : 1;
}

function knows(concurrency: number | null): ServerMemory {
  let facts = { ...nothingKnown(), concurrency };
  return {
    recall: () => Promise.resolve(facts),
    learn: (learned) => {
      facts = learned;
      return Promise.resolve();
    },
  };
}

async function timed(slots: number, answers: number, most: number, memory: ServerMemory): Promise<number> {
  const server = await startLimitedServer(slots);
  const model = createOpenAiModel({
    id: 'bench:m',
    model: 'm',
    baseUrl: server.baseUrl,
    apiKey: null,
    clock: { nowMs: () => Date.now() },
    concurrency: most,
    memory,
  });
  const signal = new AbortController().signal;
  await model.open(signal);
  const fromMs = performance.now();
  await model.sample({
    messages: [{ role: 'user', content: 'Go.' }],
    options: { temperature: 1, topP: 1, maxTokens: 64 },
    seeds: Array.from({ length: answers }, (_, i) => i),
    signal,
    onReply: ({ outcome }) => {
      if (outcome !== 'ok') throw new Error(outcome);
    },
  });
  const tookMs = performance.now() - fromMs;
  await model.close();
  await server.stop();
  return tookMs;
}

async function startLimitedServer(slots: number) {
  const rng = createRng(1, 'lengths');
  const waiting: [Answer, number][] = [];
  const msPerToken = slots > 16 ? 10 : 4;
  let working = 0;
  const begin = (answer: Answer, tokens: number) => {
    working += 1;
    setTimeout(() => {
      const usage = { prompt_tokens: 9, completion_tokens: tokens };
      answer.stream([chunk('x'.repeat(tokens), 'stop'), { choices: [], usage }, '[DONE]']);
      working -= 1;
      const next = waiting.shift();
      if (next) begin(...next);
    }, tokens * msPerToken);
  };
  return startFakeOpenAi((_, answer) => {
    const tokens = 5 + rng.below(56);
    if (working < slots) begin(answer, tokens);
    else waiting.push([answer, tokens]);
  });
}
