/** Samples as the page shows them, a page at a time. */
import type { SampleView } from '../contracts/reportView';
import type { RunRecord, Sample } from '../contracts/runRecord';
import { countOf, formatDuration } from './format';
import { outcomeWords } from './sentences';
import { toVisibleText } from './visibleText';

/**
 * Samples of one condition in the order of their index.
 * @returns `total` of the condition, and at most `limit` samples from `offset` on; none for an unknown condition.
 */
export function sampleViews(
  record: RunRecord,
  conditionId: string,
  offset = 0,
  limit = Number.POSITIVE_INFINITY,
): { total: number; samples: SampleView[] } {
  const all = record.samples
    .filter((sample) => sample.conditionId === conditionId)
    .sort((a, b) => a.index - b.index);
  return { total: all.length, samples: all.slice(offset, offset + limit).map(sampleView) };
}

/** All samples, by the order of their conditions and then of their index. */
export function allSampleViews(record: RunRecord): SampleView[] {
  const order = new Map(record.conditions.map(({ id }, i) => [id, i]));
  const place = (sample: Sample) => order.get(sample.conditionId) ?? order.size;
  return [...record.samples].sort((a, b) => place(a) - place(b) || a.index - b.index).map(sampleView);
}

function sampleView(sample: Sample): SampleView {
  const detail = [
    `seed ${sample.seed}`,
    sample.completionTokens === null ? '' : countOf(sample.completionTokens, 'token'),
    formatDuration(sample.latencyMs / 1000),
    sample.clipped ? 'compared as far as the answer window goes' : '',
    sample.cached === true ? 'kept from an earlier run' : '',
    sample.error?.message ?? '',
  ];
  return {
    index: sample.index,
    outcome: sample.outcome,
    outcomeText: outcomeWords[sample.outcome],
    text: toVisibleText(sample.text),
    thinking: sample.thinking ? toVisibleText(sample.thinking) : null,
    detail: detail.filter((part) => part !== '').join(' · '),
    clipped: sample.clipped,
    conditionId: sample.conditionId,
  };
}
