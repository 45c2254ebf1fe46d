/** Durations, sizes and counts as people read them. */

export function seconds(value: number): string {
  if (value < 1) return 'under 1 s';
  if (value < 90) return `${Math.round(value)} s`;
  if (value < 90 * 60) return `${Math.round(value / 60)} min`;
  return `${(value / 3600).toFixed(1)} h`;
}

export function bytes(value: number): string {
  const units = ['B', 'kB', 'MB', 'GB'];
  const power = Math.min(3, Math.floor(Math.log10(Math.max(1, value)) / 3));
  const scaled = value / 1000 ** power;
  return `${scaled >= 10 || power === 0 ? Math.round(scaled) : scaled.toFixed(1)} ${units[power]}`;
}

export const plural = (count: number, one: string, many = `${one}s`): string =>
  `${count.toLocaleString('en-US')} ${count === 1 ? one : many}`;

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
