import { toPrintable } from './visibleText';

export const markdownTable = (head: string[], rows: string[][]): string[] => [
  `| ${head.join(' | ')} |`,
  `|${head.map(() => ' --- |').join('')}`,
  ...rows.map((cells) => `| ${cells.join(' | ')} |`),
  '',
];

/** A backslash before any ASCII punctuation that Markdown or HTML would take for its own. */
export const plainMarkdown = (text: string): string =>
  toPrintable(text)
    .replace(/\s*\n\s*/g, ' ')
    .replace(/[\\`*_[\]<>|#&~!]/g, '\\$&');
