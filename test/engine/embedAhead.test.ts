import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Sample } from '../../src/contracts/runRecord';
import { embedAhead } from '../../src/engine/embedAhead';
import type { Embedder } from '../../src/engine/ports';
import { openBench, type Bench } from './checkRun';

let bench: Bench;
beforeAll(async () => {
  bench = await openBench();
});
afterAll(() => bench.close());

const { signal } = new AbortController();
const sample = (text: string, outcome: Sample['outcome'] = 'ok'): Sample => ({
  ...{ conditionId: 'baseline', index: 0, seed: 1, outcome, text, finishReason: 'stop', clipped: false },
  ...{ promptTokens: 1, completionTokens: 1, latencyMs: 1, startedAtMs: 0, position: 0 },
});
const TEXTS = Array.from({ length: 40 }, (_, i) => `The parcel arrives in ${i} days.`);

/** The real encoder, and when it was asked for what. */
function watched(fail = false) {
  const asked: string[][] = [];
  let first: () => void;
  const begun = new Promise<void>((resolve) => (first = resolve));
  const embedder: Embedder = {
    ...bench.embedder,
    embed: async (texts, options) => {
      asked.push(texts);
      first();
      if (fail) throw new Error('no encoder');
      return bench.embedder.embed(texts, options);
    },
  };
  return { embedder, asked, begun };
}

describe('embedding while answers arrive', () => {
  it('gives the same bits as embedding at the end, each text once, and leaves little to do', async () => {
    const plain = await bench.embedder.embed(TEXTS, { signal });
    const { embedder, asked, begun } = watched();
    const ahead = embedAhead(embedder, signal);
    for (const text of TEXTS.slice(0, 35)) ahead.add(sample(text));
    for (const text of TEXTS.slice(0, 35)) ahead.add(sample(text));
    ahead.add(sample('never tested', 'refused'));
    await begun;
    expect(await ahead.embedder.embed(TEXTS, { signal })).toEqual(plain);
    expect(asked.flat().sort()).toEqual([...TEXTS].sort());
    expect(asked.at(-1)!.length).toBeLessThan(TEXTS.length);
    expect(await ahead.embedder.embed(TEXTS.slice(3, 5), { signal })).toMatchObject({ dim: plain.dim });
    expect(asked.flat()).toHaveLength(TEXTS.length);
  });

  it('leaves a failure to the end, which reports it', async () => {
    const { embedder, begun } = watched(true);
    const ahead = embedAhead(embedder, signal);
    for (const text of TEXTS) ahead.add(sample(text));
    await begun;
    await expect(ahead.embedder.embed(TEXTS, { signal })).rejects.toThrow('no encoder');
  });
});
