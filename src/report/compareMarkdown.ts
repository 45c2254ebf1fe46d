import type { CompareView } from './compareView';
import { markdownTable, plainMarkdown as plain } from './markdownText';

/** A comparison of models as Markdown. What a prompt or model said is escaped: it makes no link, no HTML and no heading. */
export function compareMarkdown(view: CompareView): string {
  const lines = [`# ${plain(view.title)}`, '', `**${plain(view.headline)}**`, ''];
  for (const note of view.notes) lines.push(`> ${plain(note)}`, '');
  lines.push(
    ...markdownTable(
      [
        'Rank',
        'Model',
        'Weights',
        'Shift',
        'CI',
        'Flips',
        'Changed',
        'Usable answers',
        'Commonest answer',
        'Speed',
      ],
      view.models.map((row) =>
        [
          row.rank,
          row.model,
          row.weights,
          row.shift,
          row.interval,
          row.flips,
          row.changed,
          row.usable,
          row.commonest,
          row.speed,
        ].map(plain),
      ),
    ),
  );
  for (const { title, models, cells } of view.matrices) {
    lines.push(
      `## ${plain(title)}`,
      '',
      ...markdownTable(
        ['', ...models.map(plain)],
        cells.map((row, r) => [
          plain(models[r]!),
          ...row.map((cell) => (cell === null ? '' : plain(cell.text))),
        ]),
      ),
    );
  }
  for (const { heading, sentences } of view.pairs)
    lines.push(`## ${plain(heading)}`, '', ...sentences.flatMap((sentence) => [plain(sentence), '']));
  if (view.roc.length > 0) {
    lines.push(
      '## Changes that should matter against those that should not',
      '',
      ...markdownTable(
        ['Model', 'AUC', 'Found at 1% false alarms', '2%', '5%', '10%', '20%'],
        view.roc.map(({ model, auc, rates }) => [plain(model), auc, ...rates]),
      ),
    );
  }
  lines.push(
    '## Every change',
    '',
    ...markdownTable(
      view.items.head.map(plain),
      view.items.rows.map((row) => row.map(plain)),
    ),
  );
  for (const sentence of view.explained) lines.push(plain(sentence), '');
  for (const { name, value } of view.facts) lines.push(`- ${plain(name)}: ${plain(value)}`);
  return `${lines.join('\n')}\n`;
}
