import type { FlipsAnswer, FlipsPlan } from '../../src/contracts/flipsRecord';
import type { Question } from '../../src/contracts/perturbationSet';
import { questionSetConditions, type FlipsPerturbation } from '../../src/engine/flipsConditions';

export const question = (id: string, right = 'A'): Question => ({
  id,
  question: `What is ${id}?`,
  options: ['A', 'B'].map((label) => ({ label, text: `${label} of ${id}` })),
  answer: right,
});

export const perturbation = (
  level: number | null,
  text: string,
  kind: FlipsPerturbation['kind'] = 'mistake',
): FlipsPerturbation => ({
  id: `${kind}.${text}`,
  kind,
  name: text,
  strength: { level, source: level === null ? 'unrated' : 'byConstruction' },
  text,
});

export const planOf = (
  questions: Question[],
  perturb: (question: Question) => FlipsPerturbation[],
  more: Partial<FlipsPlan> = {},
): FlipsPlan => ({
  version: 1,
  id: 'test-flips',
  kind: 'flips',
  startedAt: '2026-01-02T03:04:05.000Z',
  reproduce: 'evenkeel flips',
  source: { type: 'questions', path: 'q.jsonl' },
  modelId: 'local:fake',
  seed: 3,
  options: { temperature: 0, answerTokens: 8, asText: false, system: null },
  ...questionSetConditions(questions, perturb),
  ...more,
});

export const answer = (
  conditionId: string,
  said: string | null,
  more: Partial<FlipsAnswer> = {},
): FlipsAnswer => ({
  conditionId,
  index: 0,
  seed: 1,
  outcome: 'ok',
  answer: said,
  text: said ?? '',
  probabilities: null,
  outside: null,
  promptTokens: 1,
  completionTokens: 1,
  latencyMs: 1,
  startedAtMs: 0,
  ...more,
});
