import { shellQuote } from './shellQuote';

/** A command line that repeats a command with these flags. What only changes the output is left out. */
export function commandOf(command: string, names: string[], flags: object): string {
  const words = [
    'evenkeel',
    command,
    ...names.map((name) => shellQuote(name.startsWith('-') && name !== '-' ? `./${name}` : name)),
  ];
  for (const [name, value] of Object.entries(flags) as [string, unknown][]) {
    if (OUTPUT_ONLY.has(name) || value === undefined || value === false) continue;
    const flag = `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
    if (value === true) words.push(flag);
    else if (Array.isArray(value)) words.push(flag, shellQuote(value.join(',')));
    else if (typeof value === 'object' && value !== null) {
      for (const [key, text] of Object.entries(value)) words.push(flag, shellQuote(`${key}=${String(text)}`));
    } else words.push(flag, shellQuote(String(value)));
  }
  return words.join(' ');
}

const OUTPUT_ONLY = new Set(['json', 'dryRun', 'report', 'export', 'cache', 'fresh']);
