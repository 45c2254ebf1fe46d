/** What the plots of the whole run draw: map, ROC, time line. Numbers of the record, thinned where there are too many. */
import type { MapView, RocView, TimelineView } from '../contracts/reportView';
import type { RunRecord, Sample } from '../contracts/runRecord';
import { countOf, formatDuration, formatInterval, formatNumber, formatP, formatPercent } from './format';
import { toPrintable } from './visibleText';

const MAX_MAP_POINTS = 1_500;
const MAX_TIME_POINTS = 400;
const MAX_STRETCHES = 20;
const MAX_POINT_CHARS = 90;

export function mapView({ map, samples }: RunRecord): MapView | null {
  if (map === undefined) return null;
  const points = new Map<string, MapView['points'][number]>();
  samples.forEach(({ conditionId, text }, i) => {
    const at = map.points[i];
    if (at === undefined || at === null) return;
    const [x, y] = at;
    const key = `${conditionId}\n${x}\n${y}`;
    const known = points.get(key);
    if (known) known.count++;
    else points.set(key, { conditionId, x, y, count: 1, text: oneLine(text) });
  });
  const all = [...points.values()];
  // Evenly over the conditions, so that no arm is left out.
  const stride = Math.max(1, all.length / MAX_MAP_POINTS);
  const drawn = Array.from(
    { length: Math.min(all.length, MAX_MAP_POINTS) },
    (_, i) => all[Math.floor(i * stride)]!,
  );
  return {
    embedder: map.embedder,
    sharesText: map.shares.map(formatPercent).join(' and '),
    points: drawn,
    left: all.length - drawn.length,
  };
}

const oneLine = (text: string): string => {
  const short = text
    .trim()
    .slice(0, 2 * MAX_POINT_CHARS)
    .replace(/\s+/g, ' ');
  return toPrintable(short.length > MAX_POINT_CHARS ? `${short.slice(0, MAX_POINT_CHARS - 1)}…` : short);
};

export function rocView({ roc }: RunRecord): RocView | null {
  if (roc === undefined) return null;
  const interval =
    roc.interval === null ? '' : ` (${formatPercent(roc.interval.level)} CI ${formatInterval(roc.interval)})`;
  return {
    points: roc.fpr.map((fpr, i) => ({
      fpr,
      tpr: roc.tpr[i]!,
      thresholdText: formatP(roc.thresholds[i] ?? null),
    })),
    auc: roc.auc,
    aucText: `${formatNumber(roc.auc)}${interval}`,
    sentence: `Of ${countOf(roc.meaningful, 'change')} that should matter and ${roc.irrelevant} that should not, a pair is put in the right order by p in ${formatPercent(roc.auc)} of cases (AUC ${formatNumber(roc.auc)}${interval}; 0.50 is chance).`,
  };
}

export function timelineView(record: RunRecord): TimelineView | null {
  // Kept answers of earlier runs say nothing of how this one went.
  const samples = record.samples.filter(({ cached }) => cached !== true);
  if (samples.length === 0) return null;
  const inOrder = [...samples].sort((a, b) => a.startedAtMs - b.startedAtMs || a.position - b.position);
  const startMs = inOrder[0]!.startedAtMs;
  const at = (sample: Sample) => (sample.startedAtMs - startMs) / 1000;
  const stride = Math.max(1, inOrder.length / MAX_TIME_POINTS);
  const picked = Array.from(
    { length: Math.min(inOrder.length, MAX_TIME_POINTS) },
    (_, i) => inOrder[Math.floor(i * stride)]!,
  );
  const medians = stretchesOf(inOrder).map((part) => {
    return {
      at: median(part.map(at)),
      seconds: median(part.map(({ latencyMs }) => latencyMs / 1000)),
      calls: part.length,
      failed: part.filter(({ outcome }) => outcome !== 'ok').length,
    };
  });
  return {
    points: picked.map((sample) => ({
      at: at(sample),
      seconds: sample.latencyMs / 1000,
      ok: sample.outcome === 'ok',
    })),
    medians,
    sentence: driftSentence(inOrder),
  };
}

/** Calls that began together where those are few, as batches do; else stretches of equal numbers of calls. */
function stretchesOf(inOrder: readonly Sample[]): Sample[][] {
  const starts = [...new Set(inOrder.map(({ startedAtMs }) => startedAtMs))];
  if (starts.length <= MAX_STRETCHES)
    return starts.map((start) => inOrder.filter(({ startedAtMs }) => startedAtMs === start));
  const count = Math.max(1, Math.min(MAX_STRETCHES, Math.floor(inOrder.length / 5)));
  const border = (i: number) => Math.floor((i * inOrder.length) / count);
  return Array.from({ length: count }, (_, i) => inOrder.slice(border(i), border(i + 1)));
}

/** First third against last third: enough to see a server tire, a machine heat up, or a limit set in. */
function driftSentence(inOrder: readonly Sample[]): string {
  const seconds = inOrder.map(({ latencyMs }) => latencyMs / 1000);
  const all = `Half of the answers took at most ${formatDuration(median(seconds))}`;
  const third = Math.floor(inOrder.length / 3);
  if (third < 5) return `${all}.`;
  const [first, last] = [median(seconds.slice(0, third)), median(seconds.slice(-third))];
  const ratio = first === 0 ? 1 : last / first;
  const drift =
    ratio > 1.25
      ? 'the model became slower'
      : ratio < 0.8
        ? 'the model became faster'
        : 'no drift to speak of';
  return `${all}; in the first third of the run ${formatDuration(first)}, in the last ${formatDuration(last)}: ${drift}.`;
}

function median(values: number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1 ? sorted[middle]! : ((sorted[middle - 1] ?? 0) + (sorted[middle] ?? 0)) / 2;
}
