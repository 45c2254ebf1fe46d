const UNITS: [Intl.RelativeTimeFormatUnit, number][] = [
  ['year', 365 * 86_400_000],
  ['month', 30 * 86_400_000],
  ['week', 7 * 86_400_000],
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
];

/** `2 days ago`; less than a minute, and what a wrong clock puts into the future, is `just now`. */
export function agoWords(elapsedMs: number): string {
  const unit = UNITS.find(([, ms]) => elapsedMs >= ms);
  if (unit === undefined) return 'just now';
  const [name, ms] = unit;
  return new Intl.RelativeTimeFormat('en', { numeric: 'always' }).format(-Math.floor(elapsedMs / ms), name);
}
