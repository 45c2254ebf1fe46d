/** The looks of a run with several, as its boundary is drawn. */
import type { SequentialView } from '../contracts/reportView';
import type { RunRecord } from '../contracts/runRecord';
import { changeNames } from './changeNames';
import { formatP } from './format';
import { looksSentence } from './looksSentences';

export function sequentialView(record: RunRecord): SequentialView | null {
  const { sequential, perturbations } = record;
  if (sequential === undefined) return null;
  const names = changeNames(record);
  return {
    looks: sequential.sizes.map((answers, look) => {
      const level = sequential.levels[look] ?? 0;
      const first = level / Math.max(1, perturbations.length);
      return {
        answers,
        level,
        first,
        levelText: short(level),
        firstText: short(first),
        made: look < sequential.looks.length,
      };
    }),
    changes: perturbations.map(({ id }) => {
      const tests = sequential.looks.map(({ tests: of }) =>
        of.find(({ perturbationId }) => perturbationId === id),
      );
      return {
        perturbationId: id,
        name: names.get(id) ?? id,
        stopped: tests.some((test) => test?.stopped === true),
        points: tests.flatMap((test, look) =>
          test === undefined || test.p === null
            ? []
            : [{ answers: sequential.sizes[look]!, p: test.p, pText: formatP(test.p) }],
        ),
      };
    }),
    sentence: looksSentence(record) ?? '',
  };
}

const short = (level: number) => String(Number(level.toPrecision(2)));
