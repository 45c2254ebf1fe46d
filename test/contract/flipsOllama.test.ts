/** Flip rates of questions and of reasoning on a real server. */
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { flipsRecordSchema } from '../../src/contracts/flipsRecord';
import { runFlips } from '../../src/engine/flips';
import { createOllamaModel } from '../../src/providers/ollama/ollamaModel';
import { createFlipsStore } from '../../src/store/flipsStore';
import { perturbation, planOf } from '../builders/flipsPlan';
import { withRealOllama } from './realOllama';

const options = ['hot', 'cold'].map((text, i) => ({ label: 'AB'[i]!, text }));
const questions = ['Is fire hot or cold?', 'Is ice hot or cold?'].map((question, i) => ({
  ...{ id: `q${i}`, question, options, answer: 'AB'[i]! },
}));

withRealOllama('flips on a real Ollama', (server) => {
  test('first-token probabilities decide; reasoning is elicited, changed, and kept apart', async () => {
    const cacheDir = await mkdtemp(path.join(os.tmpdir(), 'evenkeel-flips-ollama-'));
    const clock = { nowMs: () => Date.now() };
    const model = createOllamaModel({
      id: 'ollama:smollm2:135m',
      model: 'smollm2:135m',
      baseUrl: server.baseUrl(),
      clock,
    });
    const plan = planOf(questions, ({ question }) => [perturbation(0, `${question} `, 'surface')], {
      reasoning: {
        steps: [1],
        perQuestion: 3,
        of: questions.map(({ id, question }) => ({
          question: id,
          prompt: `${question}\nA. hot\nB. cold\nAnswer with the letter:`,
        })),
      },
    });
    try {
      const record = await runFlips(
        { model, store: createFlipsStore({ cacheDir }), clock },
        plan,
        {},
        { signal: new AbortController().signal },
      );
      expect(flipsRecordSchema.parse(record)).toEqual(record);
      expect(record.state).toBe('complete');
      expect(record.decoding).toBe('probabilities');
      expect(record.answers).toHaveLength(record.conditions.length);
      expect(record.figures.map(({ type }) => type)).toEqual(['input', 'cot']);
      for (const { type, prompt } of record.conditions)
        expect(prompt.includes('Reasoning:\n')).toBe(type === 'cot');
    } finally {
      await model.close();
      await rm(cacheDir, { recursive: true, force: true });
    }
  });
});
