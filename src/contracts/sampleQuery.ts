/** What a sample query finds. The host and an exported file answer alike: both use this. No zod: the page takes it too. */
import type { SampleView, VisibleText } from './reportView';
import type { SampleQuery } from './webviewProtocol';

/** The text as the page shows it. */
export const plainOf = ({ runs }: VisibleText): string => runs.map(({ text }) => text).join('');

export interface SearchableSample {
  view: SampleView;
  plain: string;
  lower: string;
}

export function searchable(view: SampleView): SearchableSample {
  const plain = plainOf(view.text);
  return { view, plain: plain.trim(), lower: plain.toLowerCase() };
}

export function fitsQuery({ view, plain, lower }: SearchableSample, query: SampleQuery): boolean {
  return (
    (query.conditionId === null || view.conditionId === query.conditionId) &&
    (query.outcome === null || view.outcome === query.outcome) &&
    (query.answer === null || plain === query.answer) &&
    (query.search === '' || lower.includes(query.search.toLowerCase()))
  );
}
