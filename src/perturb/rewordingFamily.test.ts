import { describe, expect, test } from 'vitest';
import { applyEdits } from '../prompts/applyEdits';
import { createRng } from '../stats/rng';
import { rewordingFamily } from './rewordingFamily';

const PROMPTS = [
  'Is this review positive or negative? Answer in one word.\n\n{{review}}',
  'Summarise it.',
  'Write a short poem about the sea.',
  'You are a helpful support agent. Classify the ticket below as billing, technical or other. Answer with one word only.\n\nTicket: {{ticket}}',
  '请把下面的句子翻译成英文。只输出译文。',
];

describe('rewordingFamily', () => {
  test.each(PROMPTS)('has the 19 members that a decision at .05 needs: %j', (prompt) => {
    const family = rewordingFamily(prompt, { rng: createRng(1, 'family'), size: 19 });
    expect(family).toHaveLength(19);
    expect(new Set(family.map(({ text }) => text)).size).toBe(19);
    expect(new Set(family.map(({ id }) => id)).size).toBe(19);
    for (const member of family) {
      expect(member.text).not.toBe(prompt);
      expect(applyEdits(prompt, member.edits)).toBe(member.text);
      expect(member.expectation).toBe('irrelevant');
      for (const name of prompt.match(/\{\{\w+\}\}/g) ?? []) expect(member.text).toContain(name);
    }
  });

  test('takes rewordings before changes of the surface', () => {
    const family = rewordingFamily(PROMPTS[3]!, { rng: createRng(1, 'family'), size: 5 });
    expect(family.map(({ kind }) => kind)).toEqual(Array<string>(5).fill('rewording'));
  });

  test('puts its own first, and drops one that changes nothing', () => {
    const [first] = rewordingFamily(PROMPTS[0]!, { rng: createRng(1, 'family'), size: 1 });
    const own = [
      { ...first!, id: 'written.1', text: `Please. ${PROMPTS[0]!}` },
      { ...first!, id: 'written.2', text: PROMPTS[0]! },
    ];
    const family = rewordingFamily(PROMPTS[0]!, { rng: createRng(1, 'family'), size: 3, own });
    expect(family[0]!.id).toBe('written.1');
    expect(family.map(({ id }) => id)).not.toContain('written.2');
  });

  test('is the same for the same seed, and another for another', () => {
    const ids = (seed: number) =>
      rewordingFamily(PROMPTS[0]!, { rng: createRng(seed, 'family'), size: 19 }).map(({ id }) => id);
    expect(ids(7)).toEqual(ids(7));
    expect(ids(7)).not.toEqual(ids(8));
  });
});
