/** The glossary as Markdown, with a heading that each term can be found by. No import of `vscode`. */
import { glossary } from '../report/glossary';

export const glossaryMarkdown = (): string =>
  [
    '# What the words mean',
    ...glossary.map(
      ({ term, meaning, formula }) =>
        `## ${term}\n\n${meaning}${formula === null ? '' : `\n\n\`${formula}\``}`,
    ),
  ].join('\n\n');

/** The fragment of a term’s heading, as VS Code’s Markdown preview makes it; empty for no term of the glossary. */
export function glossaryFragment(id: string): string {
  const term = glossary.find((entry) => entry.id === id)?.term ?? '';
  return term
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s-]/gu, '')
    .trim()
    .replaceAll(/\s+/g, '-');
}
