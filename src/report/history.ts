import type { HistoryEntry } from '../contracts/reportView';
import type { RunRecord } from '../contracts/runRecord';

/** Runs that a history shows at most. */
const MAX_ENTRIES = 20;

/**
 * Complete runs of the same prompt (by its file, else by its text) with the same model, oldest first, the run itself
 * among them; the last twenty.
 */
export function historyOf(record: RunRecord, others: readonly RunRecord[]): HistoryEntry[] {
  const all = [record, ...others.filter(({ id }) => id !== record.id)];
  return all
    .filter(
      (run) =>
        run.state === 'complete' &&
        run.kind === record.kind &&
        run.model.id === record.model.id &&
        sameSource(run, record),
    )
    .sort((a, b) => a.startedAt.localeCompare(b.startedAt))
    .slice(-MAX_ENTRIES)
    .map((run) => entryOf(run, record));
}

const sameSource = (a: RunRecord, b: RunRecord) =>
  a.prompt.source !== null && b.prompt.source !== null
    ? a.prompt.source.path === b.prompt.source.path && a.prompt.source.symbol === b.prompt.source.symbol
    : a.prompt.text === b.prompt.text;

/** `1a2b3c4`, with `+` where the text that was checked was not committed. */
export const commitText = ({ commit }: Pick<RunRecord, 'commit'>): string | null =>
  commit === undefined ? null : `${commit.hash.slice(0, 7)}${commit.edited ? '+' : ''}`;

function entryOf(run: RunRecord, shown: RunRecord): HistoryEntry {
  const harmless = run.comparisons.filter(
    ({ perturbationId }) =>
      run.perturbations.find(({ id }) => id === perturbationId)?.expectation === 'irrelevant',
  );
  const effects = harmless.flatMap(({ effect }) => (effect === null ? [] : [effect.debiased]));
  return {
    runId: run.id,
    when: `${run.startedAt.slice(0, 16).replace('T', ' ')} UTC`,
    state: run.conclusion.state,
    largest: effects.length === 0 ? null : Math.max(...effects),
    moved: harmless.filter(({ verdict }) => verdict === 'changed').length,
    tested: harmless.length,
    samePrompt: run.prompt.text === shown.prompt.text,
    commit: commitText(run),
  };
}
