/** A small forest plot for hovers, as SVG text. No import of `vscode`. Names come from files and are escaped. */
import type { Comparison, Perturbation, RunRecord } from '../contracts/runRecord';
import { toPrintable } from '../report/visibleText';

/** Colours that hold on the hover's background in this kind of theme. */
export interface PlotColors {
  text: string;
  quiet: string;
  marked: string;
  band: string;
}

const WIDTH = 420;
const NAME_WIDTH = 190;
const ROW_HEIGHT = 17;
const TOP = 6;
const AXIS_HEIGHT = 30;
const MAX_ROWS = 8;
const MAX_NAME_CHARS = 29;

interface Row {
  comparison: Comparison;
  perturbation: Perturbation;
  marked: boolean;
}

/**
 * Effects of the run's changes with their intervals, the one in question marked; the band is what appears when nothing was changed.
 * @returns null where no change of the run has an effect size
 */
export function effectPlot(
  record: RunRecord,
  perturbationId: string,
  colors: PlotColors,
): { svg: string; width: number; height: number; summary: string } | null {
  const rows = rowsOf(record, perturbationId);
  if (rows.length === 0) return null;
  const height = TOP + rows.length * ROW_HEIGHT + AXIS_HEIGHT;
  const low = Math.min(0, ...rows.map(({ comparison }) => comparison.effect?.interval.low ?? 0));
  const x = (effect: number) =>
    Math.round(NAME_WIDTH + 10 + ((effect - low) / (1 - low)) * (WIDTH - NAME_WIDTH - 24));
  const bottom = TOP + rows.length * ROW_HEIGHT;
  const floor = record.noiseFloor?.q95 ?? null;
  const parts = [
    floor !== null && floor > 0
      ? `<rect x="${x(0)}" y="${TOP}" width="${Math.max(1, x(floor) - x(0))}" height="${bottom - TOP}" fill="${colors.band}"/>`
      : '',
    `<line x1="${x(0)}" y1="${TOP}" x2="${x(0)}" y2="${bottom}" stroke="${colors.quiet}"/>`,
    ...rows.map((row, i) => rowMarks(row, TOP + i * ROW_HEIGHT + ROW_HEIGHT / 2, x, colors)),
    ...[0, 0.5, 1].map(
      (tick) =>
        `<text x="${x(tick)}" y="${bottom + 12}" text-anchor="middle" fill="${colors.quiet}">${tick}</text>`,
    ),
    `<text x="${x((low + 1) / 2)}" y="${bottom + 25}" text-anchor="middle" fill="${colors.quiet}">effect: 0 none, 1 nothing in common</text>`,
  ];
  return {
    svg: `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${height}" font-family="system-ui, sans-serif" font-size="11">${parts.join('')}</svg>`,
    width: WIDTH,
    height,
    summary: `Effects of ${rows.length} changes with their intervals`,
  };
}

/** The largest effects, and the marked one among them. */
function rowsOf(record: RunRecord, perturbationId: string): Row[] {
  const all = record.comparisons
    .flatMap((comparison): Row[] => {
      const perturbation = record.perturbations.find(({ id }) => id === comparison.perturbationId);
      if (perturbation === undefined || comparison.effect === null) return [];
      return [{ comparison, perturbation, marked: perturbation.id === perturbationId }];
    })
    .sort((a, b) => (b.comparison.effect?.debiased ?? 0) - (a.comparison.effect?.debiased ?? 0));
  const kept = all.slice(0, MAX_ROWS);
  const marked = all.find((row) => row.marked);
  return marked === undefined || kept.includes(marked) ? kept : [...kept.slice(0, -1), marked];
}

function rowMarks(
  { comparison, perturbation, marked }: Row,
  y: number,
  x: (effect: number) => number,
  colors: PlotColors,
): string {
  const { effect } = comparison;
  if (effect === null) return '';
  const color = marked ? colors.marked : colors.quiet;
  const moved = comparison.verdict === 'changed';
  const at = x(effect.debiased);
  return [
    `<text x="${NAME_WIDTH}" y="${y + 4}" text-anchor="end" fill="${marked ? colors.text : colors.quiet}"${marked ? ' font-weight="600"' : ''}>${escapeXml(shortName(perturbation.name))}</text>`,
    `<line x1="${x(effect.interval.low)}" y1="${y}" x2="${x(effect.interval.high)}" y2="${y}" stroke="${color}" stroke-width="${marked ? 2 : 1}"/>`,
    // Filled where the answers moved, so that it is not told by colour alone.
    `<circle cx="${at}" cy="${y}" r="${marked ? 4.5 : 3.5}" fill="${moved ? color : 'none'}" stroke="${color}" stroke-width="1.5"/>`,
  ].join('');
}

function shortName(name: string): string {
  const chars = [...toPrintable(name)];
  return chars.length > MAX_NAME_CHARS ? `${chars.slice(0, MAX_NAME_CHARS - 1).join('')}…` : chars.join('');
}

const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
};
const escapeXml = (text: string): string => text.replaceAll(/[&<>"']/g, (char) => ENTITIES[char] ?? '');
