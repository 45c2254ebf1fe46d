/** A comparison of models as it is shown: every sentence and number, as text, with the raw numbers beside it. */
import type { ComparedModel, CompareRecord } from '../contracts/compareRecord';
import type { ComparedModelView, CompareView, MatrixCell } from '../contracts/compareView';
import {
  behaviourSentence,
  bySteadiness,
  COMPARE_EXPLAINED,
  comparedName,
  compareHeadline,
  discordantSentence,
  standing,
  steadierSentence,
} from './compareSentences';
import { countOf, formatCount, formatDuration, formatInterval, formatNumber, formatP } from './format';
import { toPrintable } from './visibleText';

const CELL_WORDS: Record<MatrixCell['state'], string> = {
  steadier: 'steadier',
  lessSteady: 'less steady',
  tied: 'tied',
  undecided: 'undecided',
};

export function compareView(record: CompareRecord): CompareView {
  const compared = bySteadiness(record);
  const order = [...compared, ...record.models.keys()].filter((index, at, all) => all.indexOf(index) === at);
  const { state, word, sentence } = compareHeadline(record);
  return {
    version: 1,
    runId: record.id,
    title: titleOf(record),
    headline: { state, word, sentence: toPrintable(sentence) },
    notes: notesOf(record).map(toPrintable),
    models: order.map((index) => modelView(record, index)),
    matrix: matrixOf(record, compared),
    pairs: record.pairs.map((pair) => ({
      name: toPrintable(`${comparedName(record, pair.first)} and ${comparedName(record, pair.second)}`),
      steadier: toPrintable(steadierSentence(record, pair)),
      discordant: toPrintable(discordantSentence(record, pair)),
      behaviour: behaviourSentence(record, pair),
    })),
    items: record.items.map(({ prompt, name, cells }) => ({
      prompt: record.prompts.length === 1 ? null : promptName(record, prompt),
      name: toPrintable(name),
      cells: order.map((index) => {
        const cell = cells[index] ?? null;
        return (
          cell && {
            text: cell.effect === null ? '' : formatNumber(cell.effect),
            effect: cell.effect,
            moved: cell.verdict === 'changed',
          }
        );
      }),
    })),
    explained: [...COMPARE_EXPLAINED],
    facts: factsOf(record),
    reproduce: toPrintable(record.reproduce),
  };
}

const promptName = (record: CompareRecord, index: number): string =>
  toPrintable(record.prompts[index]!.path?.split(/[\\/]/).at(-1) ?? `prompt ${index + 1}`);

function titleOf(record: CompareRecord): string {
  const models = countOf(record.models.length, 'model');
  return record.prompts.length === 1
    ? `${models} on ${record.prompts[0]!.path === null ? 'a prompt' : promptName(record, 0)}`
    : `${models} on ${countOf(record.prompts.length, 'prompt')}`;
}

function notesOf(record: CompareRecord): string[] {
  const out = record.models.flatMap(({ problem }, index) =>
    problem === null ? [] : [`${comparedName(record, index)} is not compared. ${problem}`],
  );
  const left =
    record.items.length -
    (record.models.find(({ movement }) => movement !== null)?.movement?.items ?? record.items.length);
  if (left > 0)
    out.push(
      `${countOf(left, 'change')} could not be judged on every model and ${left === 1 ? 'is' : 'are'} left out.`,
    );
  if (record.state === 'cancelled') out.unshift('The comparison was stopped before its end.');
  return out;
}

function modelView(record: CompareRecord, index: number): ComparedModelView {
  const model = record.models[index]!;
  const { movement, moved } = model;
  return {
    name: toPrintable(comparedName(record, index)),
    detail: toPrintable(detailOf(model)),
    problem: model.problem === null ? null : toPrintable(model.problem),
    movement: movement && {
      mean: movement.mean,
      low: movement.interval.low,
      high: movement.interval.high,
      text: formatNumber(movement.mean),
      intervalText: formatInterval(movement.interval),
    },
    movedText:
      moved.of === 0
        ? 'none judged'
        : `${moved.count} of ${moved.of}${moved.interval === null ? '' : ` (${formatInterval(moved.interval)})`}`,
    speedText:
      model.secondsPerAnswer === null
        ? 'kept from before'
        : `${model.secondsPerAnswer < 1 ? `${formatNumber(model.secondsPerAnswer)} s` : formatDuration(model.secondsPerAnswer)} an answer`,
    answersText: answersText(model),
    runs: model.runs,
  };
}

function detailOf({ id, identity }: ComparedModel): string {
  if (identity === null) return id;
  const { parameterSize, quantization, digest, runtime } = identity;
  return [id, parameterSize, quantization, digest && digest.replace(/^sha256:/, '').slice(0, 12), runtime]
    .filter((part) => part !== null && part !== '')
    .join(' · ');
}

function answersText({ answers }: ComparedModel): string {
  const { asked, refused, empty, truncated, failed } = answers;
  const bad = Object.entries({ refused, empty, 'cut off': truncated, failed })
    .filter(([, count]) => count > 0)
    .map(([what, count]) => `${formatCount(count)} ${what}`);
  return [formatCount(asked), ...bad].join(', ');
}

function matrixOf(record: CompareRecord, order: number[]): MatrixCell[] {
  return order.flatMap((row, r) =>
    order.flatMap((column, c) => {
      const pair = record.pairs.find(
        ({ first, second }) => (first === row && second === column) || (first === column && second === row),
      );
      if (pair === undefined) return [];
      const sign = pair.first === row ? 1 : -1;
      const state = standing(pair, row);
      const { mean, interval, adjustedP } = pair.difference;
      const [low, high] = [sign * interval.low, sign * interval.high].sort((a, b) => a - b) as [
        number,
        number,
      ];
      return [
        {
          row: r,
          column: c,
          state,
          text: CELL_WORDS[state],
          difference: sign * mean,
          differenceText: formatNumber(sign * mean),
          intervalText: formatInterval({ low, high }),
          pText: formatP(adjustedP),
        },
      ];
    }),
  );
}

function factsOf(record: CompareRecord): CompareView['facts'] {
  const { options, actual } = record;
  return [
    { label: 'Answers', value: `${formatCount(options.samples)} per prompt and model` },
    { label: 'Level', value: `α = ${options.alpha}`, title: 'Holm over all pairs of models' },
    { label: 'Tie margin', value: String(record.margin) },
    {
      label: 'Calls',
      value: `${formatCount(actual.calls)}${actual.cached === 0 ? '' : `, ${formatCount(actual.cached)} kept from before`}`,
    },
    { label: 'Took', value: formatDuration(actual.seconds) },
    { label: 'Seed', value: String(record.seed) },
    { label: 'Run', value: record.id },
  ];
}
