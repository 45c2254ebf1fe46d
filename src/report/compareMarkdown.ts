import type { CompareView } from '../contracts/compareView';
import { markdownTable, plainMarkdown as plain } from './markdownText';

/** A comparison of models as Markdown. What a prompt or model said is escaped: it makes no link, no HTML and no heading. */
export function compareMarkdown(view: CompareView): string {
  const compared = view.models.filter(({ movement }) => movement !== null);
  const lines = [
    `# ${plain(view.title)}`,
    '',
    `**${plain(view.headline.sentence)}**`,
    '',
    ...view.notes.flatMap((note) => [`> ${plain(note)}`, '']),
    ...markdownTable(
      ['Model', 'Movement (95% CI)', 'Changes that moved it', 'Speed', 'Answers'],
      view.models.map((model) =>
        [
          `${model.name} (${model.detail})`,
          model.movement === null
            ? 'not compared'
            : `${model.movement.text} (${model.movement.intervalText})`,
          model.movedText,
          model.speedText,
          model.answersText,
        ].map(plain),
      ),
    ),
    ...(compared.length < 2
      ? []
      : [
          'The model of the row against that of the column:',
          '',
          ...markdownTable(
            ['', ...compared.map(({ name }) => plain(name))],
            compared.map(({ name }, row) => [
              plain(name),
              ...compared.map((_, column) => {
                const cell = view.matrix.find((one) => one.row === row && one.column === column);
                return cell === undefined ? '–' : plain(`${cell.text} (p ${cell.pText})`);
              }),
            ]),
          ),
        ]),
    ...view.pairs.flatMap(({ steadier, discordant, behaviour }) => [
      `- ${plain([steadier, discordant, behaviour].filter((part) => part !== null).join(' '))}`,
    ]),
    '',
    '<details><summary>Every change</summary>',
    '',
    ...markdownTable(
      ['Change', ...view.models.map(({ name }) => plain(name))],
      view.items.map(({ prompt, name, cells }) => [
        plain(prompt === null ? name : `${prompt}: ${name}`),
        ...cells.map((cell) =>
          cell === null ? '' : cell.moved ? `**${plain(cell.text)}** moved` : plain(cell.text),
        ),
      ]),
    ),
    '</details>',
    '',
    ...view.explained.flatMap((sentence) => [plain(sentence), '']),
    ...view.facts.map(({ label, value }) => `- ${label}: ${plain(value)}`),
    `- To repeat it: ${plain(view.reproduce)}`,
  ];
  return `${lines.join('\n')}\n`;
}
