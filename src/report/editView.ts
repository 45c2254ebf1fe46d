/** A check of an edit: the two prompts, what was asked, and the edit among harmless rewordings. */
import type { EditView } from '../contracts/reportView';
import type { RunRecord } from '../contracts/runRecord';
import { askedWords, compositeSentence } from './editSentences';
import { wholeDiff } from './promptDiff';
import { toPrintable } from './visibleText';

export function editView(record: RunRecord): EditView | null {
  const [comparison] = record.comparisons;
  const edit = record.perturbations.find(({ kind }) => kind === 'edit');
  if (record.kind !== 'edit' || edit === undefined) return null;
  const against = toPrintable(record.against ?? 'the version before');
  const rewordings = record.conditions.filter(({ role }) => role === 'rewording');
  const composite = comparison?.composite;
  const groups = [
    { words: askedWords.before(against), roles: ['baseline'] },
    { words: askedWords.edited, roles: ['perturbation'] },
    { words: askedWords.repeat, roles: ['noiseFloor'] },
    { words: askedWords.rewordings(rewordings.length), roles: ['rewording'] },
    { words: askedWords.again, roles: ['editedAgain'] },
  ];
  return {
    against,
    diff: [wholeDiff(record.prompt.text, edit.edits)],
    asked: groups.flatMap(({ words, roles }) => {
      const ids = new Set(record.conditions.filter(({ role }) => roles.includes(role)).map(({ id }) => id));
      const own = record.samples.filter(({ conditionId }) => ids.has(conditionId));
      const usable = own.filter(({ outcome }) => outcome === 'ok').length;
      return own.length === 0 ? [] : [{ ...words, answers: own.length, usable }];
    }),
    composite:
      composite === undefined
        ? null
        : {
            rewordings: composite.scores.map((score, i) => {
              // In the order of the run; where some had too few answers, which ones is not known.
              const asked = rewordings.length === composite.scores.length ? rewordings[i] : undefined;
              const one = record.perturbations.find(({ id }) => id === asked?.perturbationId);
              return {
                name: one === undefined ? `Rewording ${i + 1}` : toPrintable(one.name),
                text: one === undefined ? '' : toPrintable(one.description),
                score,
              };
            }),
            edit: composite.testScore,
            sentence: compositeSentence(record) ?? '',
          },
  };
}
