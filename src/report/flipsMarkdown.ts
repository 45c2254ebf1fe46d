import type { FlipsView } from '../contracts/flipsView';
import { markdownTable as table, plainMarkdown as plain } from './markdownText';

/** Flip rates as Markdown. What a prompt or model said is escaped: it makes no link, no HTML and no heading. */
export function flipsMarkdown(view: FlipsView): string {
  const lines = [`# ${plain(view.title)}`, ''];
  for (const { heading, headline, rows, sentences, kinds, flipped, more } of view.panels) {
    lines.push(
      `## ${heading}`,
      '',
      `**${plain(headline)}**`,
      '',
      ...table(
        ['Strength', 'Flipped', 'Rate', '95% CI'],
        rows.map(({ strength, flipped: count, rate, interval, suppressed }) =>
          [strength, count, rate, interval].map((cell) =>
            suppressed && cell !== '' ? `*${plain(cell)}*` : plain(cell),
          ),
        ),
      ),
      ...sentences.flatMap((sentence) => [plain(sentence), '']),
      `By kind: ${kinds.map(({ kind, flipped: count }) => `${kind} ${count}`).join(', ')}.`,
      '',
    );
    if (flipped.length > 0) {
      lines.push(
        ...table(
          ['Change that flipped the answer', 'Strength', 'Before', 'After'],
          flipped.map((one) => [one.change, one.strength, one.before, one.after].map(plain)),
        ),
      );
    }
    if (more !== null) lines.push(more, '');
  }
  for (const note of view.notes) lines.push(`> ${plain(note)}`, '');
  lines.push(plain(view.explained), '');
  for (const { name, value } of view.facts) lines.push(`- ${name}: ${plain(value)}`);
  return `${lines.join('\n')}\n`;
}
