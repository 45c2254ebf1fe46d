import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { FlipsRecord } from '../../src/contracts/flipsRecord';
import { FLIPS_RECORD_VERSION } from '../../src/contracts/flipsRecord';
import type { Question } from '../../src/contracts/perturbationSet';
import { runFlips } from '../../src/engine/flips';
import { questionSetConditions, type FlipsPerturbation } from '../../src/engine/flipsConditions';
import type { Model } from '../../src/engine/ports';
import { createFlipsStore } from '../../src/store/flipsStore';

/** A flips run as the product makes it. Kept in a folder that goes away, or in `keep`, where it can go on later. */
export async function askQuestions(given: {
  model: Model;
  questions: Question[];
  perturb: (question: Question) => FlipsPerturbation[];
  asText: boolean;
  seed?: number;
  keep?: string;
  onProgress?: (done: number, total: number) => void;
}): Promise<FlipsRecord> {
  const cacheDir = given.keep ?? mkdtempSync(path.join(os.tmpdir(), 'evenkeel-flips-'));
  try {
    return await runFlips(
      { model: given.model, store: createFlipsStore({ cacheDir }), clock: { nowMs: Date.now } },
      {
        version: FLIPS_RECORD_VERSION,
        id: 'bench',
        kind: 'flips',
        startedAt: new Date().toISOString(),
        reproduce: 'npm run bench -- flips',
        source: { type: 'questions', path: null },
        modelId: given.model.id,
        seed: given.seed ?? 1,
        options: { temperature: 0, answerTokens: 8, asText: given.asText, system: null },
        ...questionSetConditions(given.questions, given.perturb),
      },
      {},
      {
        signal: new AbortController().signal,
        onEvent: (event) => {
          if (event.type === 'progress') given.onProgress?.(event.done, event.total);
        },
      },
    );
  } finally {
    if (given.keep === undefined) rmSync(cacheDir, { recursive: true, force: true });
  }
}
