import { describe, expect, it } from 'vitest';
import { parseVerdict } from './parseVerdict';

const json = (strength: unknown, justification = 'It stands.') => JSON.stringify({ justification, strength });

describe('replies that say one level', () => {
  it.each([
    ['as asked', json(2), 2],
    ['rating first', '{"strength": 1, "justification": "A detail."}', 1],
    ['pretty-printed', JSON.stringify({ justification: 'x', strength: 3 }, null, 2), 3],
    ['fenced', `\`\`\`json\n${json(3)}\n\`\`\``, 3],
    ['fenced without a language', `\`\`\`\n${json(0)}\n\`\`\``, 0],
    ['fence never closed', `\`\`\`json\n${json(2)}`, 2],
    ['with a prefix', `Here is my rating:\n\n${json(1)}`, 1],
    ['with trailing text', `${json(1)}\n\nLet me know if you need anything else!`, 1],
    ['after thinking', `<think>Strength: 3? No, {"strength": 3} is too much.</think>\n${json(1)}`, 1],
    ['after thinking that the template opened', `So it is strong.\n</think>\n${json(2)}`, 2],
    ['a number in quotes', '{"justification": "x", "strength": "2"}', 2],
    ['a decimal', '{"justification": "x", "strength": 2.0}', 2],
    ['number and name', '{"justification": "x", "strength": "2 (moderate)"}', 2],
    ['a name', '{"justification": "x", "strength": "Strong"}', 3],
    ['level in words', '{"justification": "x", "strength": "Level 1: weak"}', 1],
    ['of three', '{"justification": "x", "strength": "2/3"}', 2],
    ['another key', '{"reasoning": "x", "rating": 2}', 2],
    ['capital keys', '{"Justification": "x", "Strength": 0}', 0],
    ['wrapped', '{"verdict": {"justification": "x", "strength": 1}}', 1],
    ['in a list', '[{"justification": "x", "strength": 1}]', 1],
    ['single quotes', "{'justification': 'The step isn''t used.', 'strength': 1}", 1],
    ['bare keys and a trailing comma', '{justification: "x", strength: 2,}', 2],
    ['a line break in a string', '{"justification": "It is\nweak.", "strength": 1}', 1],
    ['an unescaped quote', '{"justification": "The word "not" flips it.", "strength": 3}', 3],
    ['a missing comma', '{"justification": "x" "strength": 3}', 3],
    ['never closed', '{"justification": "x", "strength": 3', 3],
    ['cut off after the rating', '{"strength": 2, "justification": "The second st', 2],
    ['said twice, the same', `${json(2)}\n${json(2)}`, 2],
    ['braces in the justification', json(2, 'The variable {{name}} and "}" stay.'), 2],
    [
      'a quoted verdict inside the justification',
      json(3, 'The text says {"strength": 0}, which I ignore.'),
      3,
    ],
    ['Markdown', '**Justification:** The step stands.\n\n**Strength:** 1', 1],
    ['Markdown with the name', 'Rating: **2 – moderate**', 2],
    ['a sentence', 'The strength is 0.', 0],
    ['only the number', ' 2\n', 2],
    ['only the name', 'Moderate.', 2],
    [
      'zero-width and odd keys around',
      '{"id": 7, "justification": "x", "strength": 0, "confidence": 0.9}',
      0,
    ],
  ])('%s', (_name, reply, strength) => {
    expect(parseVerdict(reply)?.strength).toBe(strength);
  });

  it.each([
    [json(1, ' A detail. '), 'A detail.'],
    ['{"strength": 1, "reason": "A detail."}', 'A detail.'],
    ['**Justification:** A detail.\n**Strength:** 1', 'A detail.'],
    ['{"justification": "A detail.", "strength": 1', 'A detail.'],
    ['{"strength": 1}', ''],
    ['{"strength": 1, "justification": 7}', ''],
  ])('the justification of %j', (reply, justification) => {
    expect(parseVerdict(reply)?.justification).toBe(justification);
  });
});

describe('replies that say none, or more than one, are not guessed at', () => {
  it.each([
    ['nothing', ''],
    ['space', ' \n'],
    ['thinking only', '<think>strength: 2'],
    ['prose', 'The perturbation changes some words but keeps the meaning.'],
    ['the template', '{"justification": "…", "strength": 0, 1, 2 or 3}'],
    ['the template as a range', 'Strength: 0-3'],
    ['the template as alternatives', '{"justification": "...", "strength": 0|1|2|3}'],
    ['off the scale', json(4)],
    ['negative', json(-1)],
    ['between two levels', json(2.5)],
    ['between two levels, said', 'Strength: 2.5'],
    ['a percentage', json('75%')],
    ['null', json(null)],
    ['true', json(true)],
    ['number and name that differ', json('1 (strong)')],
    ['two that differ', `${json(0)}\n${json(3)}`],
    ['every level, as in the examples', [0, 1, 2, 3].map((level) => json(level)).join('\n')],
    ['two said that differ', 'Strength: 1. On reflection, strength: 2.'],
    ['a hint only in a sentence, the key off the scale', '{"justification": "strength: 2", "strength": 7}'],
    ['a refusal', "I'm sorry, but I can't assist with that."],
    ['another object', '{"answer": "B"}'],
    ['a long number', 'Strength: 2000'],
    ['cut off before the rating', '{"justification": "The second step no longer'],
    ['nothing but braces', '{'.repeat(30_000)],
  ])('%s', (_name, reply) => {
    expect(parseVerdict(reply)).toBeNull();
  });
});
