import type { FlipsCondition, FlipsRecord } from '../../src/contracts/flipsRecord';
import { flipsFindings } from '../../src/engine/flipsFindings';
import { answer, perturbation, planOf, question } from './flipsPlan';

/** 12 questions: strength 0 flips every fourth, strength 3 is there for `strong` of them and flips always. */
export function flipsRecordOf(strong: number, name = 'turned', more: Partial<FlipsRecord> = {}): FlipsRecord {
  const questions = Array.from({ length: 12 }, (_, i) => question(`q${i}`));
  const plan = planOf(questions, ({ id }) => [
    perturbation(0, 'spaced', 'surface'),
    ...(Number(id.slice(1)) < strong ? [perturbation(3, name)] : []),
  ]);
  const answers = plan.conditions.map((condition) => answer(condition.id, said(condition)));
  return {
    ...plan,
    state: 'complete',
    finishedAt: plan.startedAt,
    versions: {},
    model: {
      ...{ id: 'local:m', provider: 'local', resolved: 'm.gguf', digest: null, baseUrl: null },
      ...{ parameterSize: null, quantization: null, contextLength: null, runtime: null },
    },
    decoding: 'text',
    answers,
    ...flipsFindings(plan, answers, { stopped: null }),
    actual: { calls: answers.length, seconds: 3 },
    error: null,
    ...more,
  };
}
const said = ({ question: id, perturbation: change }: FlipsCondition): string =>
  change === null || (change.kind === 'surface' && Number(id.slice(1)) % 4 > 0) ? 'A' : 'B';
