import { expect, it } from 'vitest';
import { generatePerturbations } from '../perturb/generate';
import { createRng } from '../stats/rng';
import { messagesFor } from './collect';
import { conditionsOf } from './robustness';

it('a persona as system message is sent before the system message of the run', () => {
  const text = 'Is Paris the capital of France? Answer Yes or No.';
  const { perturbations } = generatePerturbations(text, {
    rng: createRng(1),
    kinds: ['persona'],
    personaPlace: 'systemMessage',
    limit: 1,
  });
  const systemLine = perturbations[0]!.systemLine!;
  expect(systemLine).toMatch(/^Act as an? \w+/);
  const [baseline, persona] = conditionsOf({ source: null, text, variables: {} }, perturbations, {
    repeatArm: false,
  });
  const user = { role: 'user', content: text };
  const sent = (condition: typeof baseline, system: string | null) =>
    messagesFor(condition!.rendered, system, condition!.systemLine);
  expect(sent(baseline, null)).toEqual([user]);
  expect(sent(persona, null)).toEqual([{ role: 'system', content: systemLine }, user]);
  expect(sent(persona, 'Be brief.')).toEqual([{ role: 'system', content: `${systemLine}\nBe brief.` }, user]);
});
