/** All samples of a run, findable. Made once per record that is shown; a query over 20,000 takes some milliseconds. */
import type { SampleView } from '../contracts/reportView';
import type { RunRecord } from '../contracts/runRecord';
import { fitsQuery, searchable, type SearchableSample } from '../contracts/sampleQuery';
import type { SampleQuery } from '../contracts/webviewProtocol';
import { allSampleViews } from './sampleView';

export interface SampleBrowser {
  page(query: SampleQuery & { offset: number; limit: number }): { total: number; samples: SampleView[] };
}

/** Nothing is made ready before the first query. */
export function createSampleBrowser(record: RunRecord): SampleBrowser {
  let all: SearchableSample[] | null = null;
  let last: { key: string; found: SearchableSample[] } | null = null;
  return {
    page({ offset, limit, ...query }) {
      all ??= allSampleViews(record).map(searchable);
      const key = JSON.stringify(query);
      if (last?.key !== key) last = { key, found: all.filter((sample) => fitsQuery(sample, query)) };
      return {
        total: last.found.length,
        samples: last.found.slice(offset, offset + limit).map(({ view }) => view),
      };
    },
  };
}
