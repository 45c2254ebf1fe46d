/** Sizes as people read them: `491 MB`. */
export function bytes(value: number): string {
  const units = ['B', 'kB', 'MB', 'GB'];
  const power = Math.min(3, Math.floor(Math.log10(Math.max(1, value)) / 3));
  const scaled = value / 1000 ** power;
  return `${scaled >= 10 || power === 0 ? Math.round(scaled) : scaled.toFixed(1)} ${units[power]}`;
}

/** Breaks text at spaces; continuation lines are indented. */
export function wrap(text: string, width: number, indent = ''): string {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + 1 + word.length > width - (lines.length === 0 ? 0 : indent.length)) {
      lines.push(line);
      line = word;
    } else {
      line = line === '' ? word : `${line} ${word}`;
    }
  }
  lines.push(line);
  return lines.join(`\n${indent}`);
}

/** Breaks text that starts in the column after `indent`, and goes on there. */
export const hang = (text: string, columns: number, indent: string): string =>
  wrap(`${'.'.repeat(indent.length - 1)} ${text}`, columns, indent).slice(indent.length);
