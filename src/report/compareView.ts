/** A comparison of models as it is shown outside the terminal: every sentence and number, as text, for Markdown and HTML. */
import type { ComparedModel, CompareRecord, ModelPair } from '../contracts/compareRecord';
import {
  behaviourSentence,
  compareHeadline,
  flipsPairSentence,
  PAIRS_EXPLAINED,
  qualityText,
  rateText,
  SHIFT_EXPLAINED,
  steadinessSentence,
} from './compareSentences';
import { countOf, formatDuration, formatInterval, formatNumber, formatP, formatPercent } from './format';

export interface CompareView {
  title: string;
  headline: string;
  notes: string[];
  models: ModelRow[];
  /** Row against column; one for steadiness, one for behaviour. */
  matrices: ModelMatrix[];
  pairs: { heading: string; sentences: string[] }[];
  items: { head: string[]; rows: string[][] };
  roc: { model: string; auc: string; rates: string[] }[];
  explained: string[];
  facts: { name: string; value: string }[];
}

export interface ModelRow {
  rank: string;
  model: string;
  weights: string;
  shift: string;
  interval: string;
  flips: string;
  changed: string;
  usable: string;
  commonest: string;
  speed: string;
  /** 0 … 1, for drawing. */
  drawn: { mean: number; low: number; high: number } | null;
}

export interface ModelMatrix {
  title: string;
  models: string[];
  /** cells[row][column]; null on the diagonal. */
  cells: ({ text: string; tone: 'better' | 'worse' | 'same' | 'open' } | null)[][];
}

/** At which shares of false alarms the share of hits is told. */
const FALSE_ALARM_RATES = [0.01, 0.02, 0.05, 0.1, 0.2];

export function compareView(record: CompareRecord): CompareView {
  const { models, pairs, options } = record;
  const names = record.prompts.map(({ source }) => source?.path ?? 'a prompt');
  return {
    title: `${countOf(models.length, 'model')} on ${names.join(', ')}`,
    headline: compareHeadline(record),
    notes: record.warnings,
    models: models.map(modelRow),
    matrices: [
      matrixOf('Steadiness: is the row steadier than the column?', record, steadinessCell),
      matrixOf('Behaviour: do row and column answer the unchanged prompt alike?', record, behaviourCell),
    ],
    pairs: pairs.map((pair) => ({
      heading: `${models[pair.first]!.modelId} and ${models[pair.second]!.modelId}`,
      sentences: [
        steadinessSentence(record, pair),
        flipsPairSentence(record, pair),
        behaviourSentence(record, pair),
      ].filter((sentence) => sentence !== null),
    })),
    items: itemsTable(record),
    roc: models.flatMap(({ modelId, roc }) =>
      roc.map(({ auc, interval, fpr, tpr }) => ({
        model: modelId,
        auc: `${formatNumber(auc)}${interval === null ? '' : ` (${formatInterval(interval)})`}`,
        rates: FALSE_ALARM_RATES.map((rate) => formatPercent(hitsAt(fpr, tpr, rate))),
      })),
    ),
    explained: [SHIFT_EXPLAINED, PAIRS_EXPLAINED],
    facts: [
      { name: 'Prompts', value: names.join(', ') },
      {
        name: 'Asked',
        value: `${options.samples} answers per prompt and change, temperature ${options.temperature}, up to ${options.answerTokens} tokens, seed ${record.seed}`,
      },
      ...models.map((model) => ({ name: model.modelId, value: identityText(model) })),
      { name: 'Runs', value: models.flatMap(({ runIds }) => runIds).join(', ') },
      { name: 'Comparison', value: record.id },
      { name: 'To repeat it', value: record.reproduce },
    ],
  };
}

/** The step curve: the largest share of hits at no more than this share of false alarms. */
const hitsAt = (fpr: number[], tpr: number[], rate: number): number =>
  Math.max(0, ...tpr.filter((_, i) => fpr[i]! <= rate + 1e-12));

function modelRow(model: ComparedModel): ModelRow {
  const { meanShift, quality, speed } = model;
  return {
    rank: model.rank === null ? 'not ranked' : String(model.rank),
    model: model.modelId,
    weights: weightsText(model),
    shift: meanShift === null ? 'none' : formatNumber(meanShift.mean),
    interval: meanShift === null ? '' : formatInterval(meanShift.interval),
    flips: rateWithInterval(model.flips),
    changed: rateWithInterval(model.changed),
    usable: qualityText(model),
    commonest:
      quality.commonest === null
        ? ''
        : `${quality.commonest.text.slice(0, 60)} (${formatPercent(quality.commonest.share)})`,
    speed:
      speed.tokensPerSecond === null
        ? 'kept answers'
        : `${formatNumber(speed.tokensPerSecond, 1)} tokens/s, ${formatDuration(speed.samplingSeconds ?? 0)}`,
    drawn:
      meanShift === null
        ? null
        : {
            mean: unit(meanShift.mean),
            low: unit(meanShift.interval.low),
            high: unit(meanShift.interval.high),
          },
  };
}

const unit = (value: number) => Math.max(0, Math.min(1, value));

const rateWithInterval = (rate: ComparedModel['flips']): string =>
  rate?.interval ? `${rateText(rate)} (${formatInterval(rate.interval)})` : rateText(rate);

/** `0.5B, Q4_K_M, 491 MB`. */
export function weightsText({ identity, sizeBytes }: ComparedModel): string {
  const parts = [
    identity?.parameterSize,
    identity?.quantization,
    sizeBytes === null ? null : sizeText(sizeBytes),
  ];
  return parts.filter((part) => part !== null && part !== undefined).join(', ');
}

export const sizeText = (bytes: number): string =>
  bytes >= 1e9 ? `${(bytes / 1e9).toFixed(1)} GB` : `${Math.round(bytes / 1e6)} MB`;

function identityText(model: ComparedModel): string {
  const { identity, error } = model;
  if (identity === null) return `not asked${error === null ? '' : `: ${error.message}`}`;
  const digest = identity.digest === null ? 'no digest known' : `digest ${identity.digest.slice(0, 19)}`;
  return [identity.resolved, weightsText(model), digest, identity.runtime].filter(Boolean).join('; ');
}

type Cell = ModelMatrix['cells'][number][number];

function matrixOf(
  title: string,
  { models, pairs }: CompareRecord,
  cell: (pair: ModelPair, rowIsFirst: boolean) => Cell,
): ModelMatrix {
  const cells = models.map((_, row) =>
    models.map((__, column) => {
      if (row === column) return null;
      const pair = pairs.find(
        ({ first, second }) => first === Math.min(row, column) && second === Math.max(row, column),
      );
      return pair === undefined ? null : cell(pair, row < column);
    }),
  );
  return { title, models: models.map(({ modelId }) => modelId), cells };
}

function steadinessCell({ steadiness }: ModelPair, rowIsFirst: boolean): Cell {
  if (steadiness === null) return { text: 'not compared', tone: 'open' };
  if (steadiness.verdict === 'tied') return { text: 'tied', tone: 'same' };
  if (steadiness.verdict === 'undecided') return { text: 'undecided', tone: 'open' };
  const better = (steadiness.verdict === 'firstSteadier') === rowIsFirst;
  return better ? { text: 'steadier', tone: 'better' } : { text: 'less steady', tone: 'worse' };
}

function behaviourCell({ behaviour }: ModelPair): Cell {
  if (behaviour === null) return { text: 'not tested', tone: 'open' };
  if (behaviour.verdict === 'differs')
    return { text: `differ (p ${formatP(behaviour.adjustedP)})`, tone: 'worse' };
  if (behaviour.verdict === 'equivalent') return { text: 'the same', tone: 'same' };
  if (behaviour.verdict === 'undecided') return { text: 'undecided', tone: 'open' };
  return { text: `none found (p ${formatP(behaviour.adjustedP)})`, tone: 'open' };
}

function itemsTable({ items, models, prompts }: CompareRecord): CompareView['items'] {
  return {
    head: [
      'Change',
      'Strength',
      'Should matter',
      ...models.flatMap(({ modelId }) => [`${modelId}: shift`, `${modelId}: verdict`]),
    ],
    rows: items.map((item) => [
      prompts.length === 1
        ? `${item.name} (${item.perturbationId})`
        : `${item.prompt + 1}: ${item.perturbationId}`,
      item.strength === null ? 'not rated' : String(item.strength),
      item.expectation === 'meaningful' ? 'yes' : 'no',
      ...item.models.flatMap((model) =>
        model === null
          ? ['', 'not asked']
          : [
              model.shift === null ? '' : formatNumber(model.shift),
              `${VERDICT_WORDS[model.verdict]}${model.flipped === true ? ', flipped' : ''}`,
            ],
      ),
    ]),
  };
}

const VERDICT_WORDS: Record<
  NonNullable<CompareRecord['items'][number]['models'][number]>['verdict'],
  string
> = {
  noChangeDetected: 'no change detected',
  equivalent: 'equivalent',
  changedWithinRewordingNoise: 'within rewording noise',
  changed: 'changed',
  undecided: 'undecided',
};
