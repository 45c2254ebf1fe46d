import { InvalidArgumentError } from 'commander';

export function wholeNumber(text: string): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 0) throw new InvalidArgumentError('Give a whole number.');
  return value;
}

export function realNumber(text: string): number {
  const value = Number(text);
  if (text.trim() === '' || !Number.isFinite(value)) throw new InvalidArgumentError('Give a number.');
  return value;
}

/** `a,b` or the option given twice. */
export function listed(text: string, before: string[] | undefined): string[] {
  const items = text.split(',').map((item) => item.trim());
  if (items.includes('')) throw new InvalidArgumentError('Write names with commas between.');
  return [...(before ?? []), ...items];
}
