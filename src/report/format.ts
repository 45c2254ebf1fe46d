/** Numbers as people read them. One place, so that the page, the terminal and the editor round alike. */
import type { Effect } from '../contracts/runRecord';

const MINUS = '\u2212';
const signed = (text: string) => text.replace(/^-/, MINUS);

/** `0.012`, `< 0.001`, `1`; `none` where no p-value is claimed. Keeps apart what rounding would put on 0.05. */
export function formatP(p: number | null): string {
  if (p === null || Number.isNaN(p)) return 'none';
  if (p < 0.001) return '< 0.001';
  if (p >= 0.9995) return '1';
  const short = p.toFixed(3);
  return Number(short) === 0.05 && p !== 0.05 ? p.toFixed(5) : short;
}

/** `p = 0.012`, `p < 0.001`. */
export function formatPClause(name: string, p: number | null): string {
  const text = formatP(p);
  return text.startsWith('<') ? `${name} ${text}` : `${name} = ${text}`;
}

/** Two decimals with a true minus sign; never `−0.00`. */
export function formatNumber(value: number, decimals = 2): string {
  const text = value.toFixed(decimals);
  return signed(Number(text) === 0 ? (0).toFixed(decimals) : text);
}

/** `0.12 to 0.31`. */
export function formatInterval(interval: { low: number; high: number }): string {
  return `${formatNumber(interval.low)} to ${formatNumber(interval.high)}`;
}

/** `0.21 (95% CI 0.12 to 0.31)`: the debiased headline effect H. */
export function formatEffect(effect: Effect): string {
  const { interval } = effect;
  return `${formatNumber(effect.debiased)} (${formatPercent(interval.level)} CI ${formatInterval(interval)})`;
}

/** A share as whole per cent; one decimal where whole ones would say 0 or 100 of what is neither. */
export function formatPercent(share: number): string {
  const whole = Math.round(share * 100);
  const misleading = (whole === 0 && share > 0) || (whole === 100 && share < 1);
  return `${misleading ? (share * 100).toFixed(1) : whole}%`;
}

/** `0.4 s`, `12 s`, `3 min 12 s`, `1 h 2 min`. */
export function formatDuration(seconds: number): string {
  if (seconds < 9.95) return `${seconds.toFixed(1)} s`;
  const whole = Math.round(seconds);
  if (whole < 60) return `${whole} s`;
  const minutes = Math.floor(whole / 60);
  if (minutes < 60) return whole % 60 === 0 ? `${minutes} min` : `${minutes} min ${whole % 60} s`;
  return minutes % 60 === 0 ? `${minutes / 60} h` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** `12,345`: the same on every machine, whatever its locale. */
export function formatCount(count: number): string {
  return String(count).replace(/\B(?=(\d{3})+$)/g, ',');
}

/** `1 answer`, `20 answers`. */
export function countOf(count: number, singular: string, plural = `${singular}s`): string {
  return `${formatCount(count)} ${count === 1 ? singular : plural}`;
}
