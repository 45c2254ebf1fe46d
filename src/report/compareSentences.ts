/** Every sentence about a comparison of models; terminal, page and Markdown say the same. */
import type { ComparedModel, CompareRecord, ModelPair } from '../contracts/compareRecord';
import { formatInterval, formatNumber, formatP, formatPercent } from './format';

export const SHIFT_EXPLAINED =
  'Shift: how much of the variation between answers the harmless changes explain. About 0: they do nothing; 1: every answer is another one. Steady is not right: a model can be wrong in the same way every time.';

export const PAIRS_EXPLAINED =
  'Steadier: the same changes move it less (paired, p adjusted for the number of pairs). Tied: the difference surely lies within the margin. Undecided: neither can be shown.';

/** How people call a model in a list: its id. */
const nameOf = (record: CompareRecord, m: number): string => record.models[m]!.modelId;

export function compareHeadline(record: CompareRecord): string {
  const ranked = record.models.filter(({ rank }) => rank !== null);
  if (ranked.length < 2) return 'Undecided: fewer than two models could be measured.';
  const decided = record.pairs.filter(({ steadiness }) => steadiness !== null);
  const verdicts = decided.map(({ steadiness }) => steadiness!.verdict);
  if (verdicts.every((verdict) => verdict === 'tied'))
    return `Tied: ${ranked.length === 2 ? 'both' : `all ${ranked.length}`} models are equally steady here.`;
  const best = ranked.filter(({ rank }) => rank === 1);
  const beaten = ranked.filter(({ rank }) => rank !== 1);
  if (beaten.length === 0) return 'Undecided: no model is shown to be steadier than another here.';
  if (best.length === 1 && beaten.every(({ modelId }) => steadierThan(record, best[0]!.modelId, modelId)))
    return `${best[0]!.modelId} is the steadiest here.`;
  return `${beaten.map(({ modelId }) => modelId).join(', ')} ${beaten.length === 1 ? 'is' : 'are'} less steady than ${best.map(({ modelId }) => modelId).join(' or ')}.`;
}

function steadierThan(record: CompareRecord, one: string, other: string): boolean {
  return record.pairs.some(({ first, second, steadiness }) => {
    const [a, b] = [nameOf(record, first), nameOf(record, second)];
    return (
      (a === one && b === other && steadiness?.verdict === 'firstSteadier') ||
      (a === other && b === one && steadiness?.verdict === 'secondSteadier')
    );
  });
}

export function steadinessSentence(record: CompareRecord, pair: ModelPair): string {
  const { steadiness } = pair;
  const [a, b] = [nameOf(record, pair.first), nameOf(record, pair.second)];
  if (steadiness === null) return 'Steadiness: cannot be compared.';
  const { difference, interval, adjustedP, items, verdict } = steadiness;
  const figures = `difference of shifts ${formatNumber(difference)}, ${formatPercent(interval.level)} CI ${formatInterval(interval)}, adjusted p ${formatP(adjustedP)}, ${items} changes`;
  if (verdict === 'firstSteadier') return `Steadiness: ${a} is steadier (${figures}).`;
  if (verdict === 'secondSteadier') return `Steadiness: ${b} is steadier (${figures}).`;
  if (verdict === 'tied')
    return `Steadiness: tied, the difference surely lies within ±${record.tieMargin} (${figures}).`;
  return `Steadiness: undecided (${figures}).`;
}

export function flipsPairSentence(record: CompareRecord, { first, second, flips }: ModelPair): string | null {
  if (flips === null) return null;
  const what = flips.of === 'answer' ? 'flipped the commonest answer' : 'moved the answers';
  if (flips.onlyFirst + flips.onlySecond === 0)
    return `Flips: no change ${what} of one and not of the other (${flips.n} changes).`;
  return `Flips: ${flips.onlyFirst} of ${flips.n} changes ${what} of ${nameOf(record, first)} only, ${flips.onlySecond} of ${nameOf(record, second)} only (McNemar, adjusted p ${formatP(flips.adjustedP)}).`;
}

/** The model is swapped, the prompt is not. */
export function behaviourSentence(record: CompareRecord, { behaviour }: ModelPair): string | null {
  if (behaviour === null) return null;
  const { verdict, adjustedP, mde, prompts, sameDigest, why } = behaviour;
  const weights =
    sameDigest === true
      ? ' The weights are the same (equal digests).'
      : sameDigest === false
        ? ' The weights differ (digests).'
        : '';
  if (verdict === 'undecided') return `Behaviour: undecided. ${why ?? 'It could not be tested.'}${weights}`;
  if (verdict === 'differs') {
    const effects = prompts.flatMap(({ effect }) => (effect === null ? [] : [formatNumber(effect.debiased)]));
    const size = effects.length === 0 ? '' : `, effect ${effects.join(', ')}`;
    const p = adjustedP === null ? (why ?? '') : `adjusted p ${formatP(adjustedP)}${size}`;
    return `Behaviour: they answer the unchanged prompt differently (${p}).${weights}`;
  }
  if (verdict === 'equivalent')
    return `Behaviour: the same, within the margin of ${record.options.equivalenceMargin} (adjusted p ${formatP(adjustedP)}).${weights}`;
  const found =
    mde?.share === null || mde?.share === undefined
      ? ' This check could have missed any difference.'
      : ` A difference in ${formatPercent(mde.share)} of the answers would have been found with ${formatPercent(mde.power)} power.`;
  return `Behaviour: no difference detected (adjusted p ${formatP(adjustedP)}).${found}${weights}`;
}

/** `20 of 220 not usable: 12 refused, 8 empty`; `all 220`. */
export function qualityText({ quality }: ComparedModel): string {
  const failed = Object.entries(quality.outcomes).filter(([outcome]) => outcome !== 'ok');
  if (quality.asked === 0) return 'not asked';
  if (failed.length === 0) return `all ${quality.asked}`;
  const words = failed.map(([outcome, count]) => `${count} ${OUTCOME_WORDS[outcome] ?? outcome}`);
  return `${quality.outcomes.ok ?? 0} of ${quality.asked} (${words.join(', ')})`;
}

const OUTCOME_WORDS: Record<string, string> = {
  thinkingOnly: 'only reasoning',
  truncated: 'cut off',
  rateLimited: 'over the rate limit',
  timeout: 'timed out',
};

export const rateText = (rate: ComparedModel['changed'] | null): string =>
  rate === null || rate.n === 0 ? 'none' : `${rate.count} of ${rate.n}`;
