import { toPrintable } from '../report/visibleText';

/**
 * An error of the flag parser in the form of every other error: what is wrong, then the next step.
 * @param text what commander would print: `error: …`, perhaps with `(Did you mean …?)` on a line of its own
 */
export function usageError(text: string): string {
  const [first = '', ...rest] = text.trim().split('\n');
  const [, what = first, asked] = /^error: (.*? is invalid\.)\s+(.*)$/.exec(first) ?? [
    '',
    first.replace(/^error: /, ''),
  ];
  const meant = /^\((Did you mean .*\?)\)$/.exec(rest.join(' '))?.[1];
  const sentence = `${what.charAt(0).toUpperCase()}${what.slice(1)}${what.endsWith('.') ? '' : '.'}`;
  return `error  ${toPrintable(sentence)}\nnext   ${toPrintable(asked ?? meant ?? 'evenkeel --help lists the commands, evenkeel COMMAND --help what each takes.')}\n`;
}
