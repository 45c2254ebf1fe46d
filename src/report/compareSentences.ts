/** Every sentence that states the result of a comparison of models. */
import type { ComparedPair, CompareRecord } from '../contracts/compareRecord';
import type { HeadlineState } from '../contracts/reportView';
import { countOf, formatInterval, formatNumber, formatPClause } from './format';

/** `ollama:gemma3:270m` → `gemma3:270m`; the whole id where another model of the comparison ends alike. */
export function comparedName(record: Pick<CompareRecord, 'models'>, index: number): string {
  const short = (id: string) => id.slice(id.indexOf(':') + 1);
  const { id } = record.models[index]!;
  return record.models.some((other, i) => i !== index && short(other.id) === short(id)) ? id : short(id);
}

/** Indices of the models that were compared, the one that moves least first. */
export const bySteadiness = ({ models }: Pick<CompareRecord, 'models'>): number[] =>
  models
    .flatMap(({ movement }, index) => (movement === null ? [] : [{ index, mean: movement.mean }]))
    .sort((a, b) => a.mean - b.mean)
    .map(({ index }) => index);

/** How `index` stands in a pair that it is part of. */
export function standing(
  pair: ComparedPair,
  index: number,
): 'steadier' | 'lessSteady' | 'tied' | 'undecided' {
  if (pair.relation === 'tied' || pair.relation === 'undecided') return pair.relation;
  return (pair.relation === 'firstSteadier') === (pair.first === index) ? 'steadier' : 'lessSteady';
}

export function compareHeadline(record: CompareRecord): {
  state: HeadlineState;
  word: string;
  sentence: string;
} {
  const say = (state: HeadlineState, word: string, rest: string) => ({
    state,
    word,
    sentence: `${word}: ${rest}`,
  });
  const order = bySteadiness(record);
  const items = order.length === 0 ? 0 : record.models[order[0]!]!.movement!.items;
  const changes = countOf(items, 'harmless change');
  if (record.state === 'failed') {
    const problem = record.models.find((model) => model.problem !== null);
    return say('failed', 'Failed', `fewer than two models could be asked. ${problem?.problem ?? ''}`.trim());
  }
  if (record.state === 'cancelled' && order.length < 2) {
    return say(
      'cancelled',
      'Cancelled',
      'fewer than two models had been asked everything. Their answers are kept.',
    );
  }
  const [best, ...others] = order;
  if (best === undefined || others.length === 0) {
    return say('undecided', 'Undecided', 'no change could be judged on every model.');
  }
  const name = (index: number) => comparedName(record, index);
  const pairWith = (index: number) =>
    record.pairs.find(
      ({ first, second }) => (first === best && second === index) || (first === index && second === best),
    );
  const by = (state: string) =>
    others.filter((index) => {
      const pair = pairWith(index);
      return pair !== undefined && standing(pair, best) === state;
    });
  const [behind, tied, open] = [by('steadier'), by('tied'), by('undecided')];
  const mean = (index: number) => formatNumber(record.models[index]!.movement!.mean);
  const list = (indices: number[]) => indices.map((index) => `${name(index)} (${mean(index)})`).join(', ');
  if (behind.length === others.length) {
    const [only] = others;
    return others.length === 1
      ? say(
          'steady',
          'Steadier',
          `${name(best)}. The same ${changes} move its answers by ${mean(best)} on average, those of ${name(only!)} by ${mean(only!)} (${formatPClause('p', pairWith(only!)!.difference.adjustedP ?? pairWith(only!)!.discordant.adjustedP)}).`,
        )
      : say(
          'steady',
          'Steadiest',
          `${name(best)}. The same ${changes} move its answers by ${mean(best)} on average, less than those of ${list(others)}.`,
        );
  }
  if (tied.length > 0 && open.length === 0) {
    return say(
      'steady',
      'Tied',
      `${name(best)} (${mean(best)}) is as steady as ${list(tied)} on the same ${changes}; the difference is surely under ${record.margin}.${behind.length === 0 ? '' : ` Both are steadier than ${list(behind)}.`}`,
    );
  }
  return say(
    'undecided',
    'Undecided',
    `${name(best)} moved least (${mean(best)}), but ${list(open)} could not be told apart from it on ${changes}. More answers or more changes may decide.${behind.length === 0 ? '' : ` It is steadier than ${list(behind)}.`}`,
  );
}

/** Which of a pair is steadier, with the figures. */
export function steadierSentence(record: CompareRecord, pair: ComparedPair): string {
  const [first, second] = [comparedName(record, pair.first), comparedName(record, pair.second)];
  const { mean, interval, adjustedP } = pair.difference;
  const figures = `difference ${formatNumber(mean)}, 95% CI ${formatInterval(interval)}, ${adjustedP === null ? 'no chance in it: no answer ever varied' : formatPClause('adjusted p', adjustedP)}`;
  const words = {
    firstSteadier: `${first} is steadier than ${second}`,
    secondSteadier: `${second} is steadier than ${first}`,
    tied: `${first} and ${second} are as steady as each other: the difference is surely under ${record.margin}`,
    undecided: `${first} and ${second} could not be told apart, and a tie was not shown either`,
  }[pair.relation];
  return `${words} (${figures}).`;
}

/** Changes that moved one and not the other. */
export function discordantSentence(record: CompareRecord, pair: ComparedPair): string {
  const { both, onlyFirst, onlySecond, neither, adjustedP } = pair.discordant;
  const [first, second] = [comparedName(record, pair.first), comparedName(record, pair.second)];
  return `Of ${countOf(both + onlyFirst + onlySecond + neither, 'change')}, ${onlyFirst} moved only ${first}, ${onlySecond} only ${second}, ${both} both (McNemar’s exact test, ${formatPClause('adjusted p', adjustedP)}).`;
}

/** Do both answer the unchanged prompt alike? Null where the pair was not tested for it. */
export function behaviourSentence(record: CompareRecord, pair: ComparedPair): string | null {
  const { swap } = pair;
  if (swap === null) return null;
  const [first, second] = [comparedName(record, pair.first), comparedName(record, pair.second)];
  const same = swap.sameDigest ? ' Both are the same weights (same digest).' : '';
  const measured = swap.effects.filter((effect) => effect !== null);
  const prompts = record.prompts.length === 1 ? 'the unchanged prompt' : 'the unchanged prompts';
  if (swap.adjustedP === null) {
    if (measured.length === 0)
      return `There were too few answers to say whether ${first} and ${second} answer ${prompts} alike.${same}`;
    return measured.some((effect) => effect > 0)
      ? `${second} always answers ${prompts} differently from ${first}.${same}`
      : `${first} and ${second} always give the same answers to ${prompts}.${same}`;
  }
  const effect =
    measured.length === 0 ? '' : `, effect ${measured.map((value) => formatNumber(value)).join(', ')}`;
  const figures = `${formatPClause('adjusted p', swap.adjustedP)}${effect}`;
  return swap.adjustedP <= record.options.alpha
    ? `To ${prompts}, ${second} answers differently from ${first} (${figures}).${same}`
    : `To ${prompts}, no difference was detected between the answers of ${first} and ${second} (${figures}).${same}`;
}

export const COMPARE_EXPLAINED = [
  'Movement: how far the same changes of the prompt move a model’s answers on average; 0 is not at all, 1 is nothing in common, and what chance alone would give is taken off.',
  'Steadier: its movement is surely less (Holm over all pairs). Tied: surely within the margin. Neither can be said of the rest.',
  'It speaks of these prompts and changes only: another prompt may turn it round. Steady is not the same as right.',
] as const;
