/** A flips run in the same page as the other reports. */
import type { FlipsView } from '../contracts/flipsView';
import type { FlipsRecord } from '../contracts/flipsRecord';
import { flipsView } from './flipsView';
import { glossary } from './glossary';
import type { EmbeddedFlips } from './html';
import { toPrintable } from './visibleText';

/** The view with every text made safe to look at, and the terms that the page explains. */
export function flipsPage(record: FlipsRecord, notes: readonly string[] = []): EmbeddedFlips {
  const view = flipsView(record);
  return {
    flips: printable<FlipsView>({ ...view, notes: [...view.notes, ...notes] }),
    glossary: glossary.filter(({ id }) => TERMS.has(id)),
  };
}

const TERMS = new Set(['flip-rate', 'strength', 'interval', 'perturbation']);

function printable<T>(value: T): T {
  if (typeof value === 'string') return toPrintable(value) as T;
  if (Array.isArray(value)) return value.map(printable) as T;
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, printable(entry)])) as T;
}
