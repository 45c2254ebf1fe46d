import type { FlipsRecord, FlipType } from '../contracts/flipsRecord';
import { UserError } from '../contracts/userError';
import type { Strength } from '../stats/flipRates';
import { mcnemar } from '../stats/mcnemar';
import { adjustPValues } from '../stats/multiplicity';
import { flipItems } from './flipsFindings';

/** Two runs at one strength of one type, on the perturbations that both answered. */
export interface FlipsComparison {
  first: string;
  second: string;
  type: FlipType;
  strength: Strength;
  n: number;
  flips: { first: number; second: number };
  /** Flipped for one model and not for the other. */
  onlyFirst: number;
  onlySecond: number;
  /** McNemar's exact test. H0: either is as likely to be the one that flips. Items taken as independent. */
  p: number;
  /** Holm over all comparisons that are returned together. */
  adjustedP: number;
}

/**
 * Every pair of runs, at every strength where they have items in common: same id and same text sent.
 * @throws UserError `usage` for a pair without any
 */
export function compareFlips(records: readonly FlipsRecord[]): FlipsComparison[] {
  const comparisons = records.flatMap((first, i) =>
    records.slice(i + 1).flatMap((second) => comparePair(first, second)),
  );
  const adjusted = adjustPValues(
    comparisons.map(({ p }) => p),
    'holm',
  );
  return comparisons.map((comparison, i) => ({ ...comparison, adjustedP: adjusted[i]! }));
}

function comparePair(first: FlipsRecord, second: FlipsRecord): Omit<FlipsComparison, 'adjustedP'>[] {
  const [a, b] = [flippedItems(first), flippedItems(second)];
  const groups = new Map<string, { type: FlipType; strength: Strength; pairs: [boolean, boolean][] }>();
  for (const [key, item] of a) {
    const other = b.get(key);
    if (other === undefined || item.strength === null || item.strength !== other.strength) continue;
    const { type, strength } = item;
    const group = groups.get(`${type} ${strength}`) ?? { type, strength, pairs: [] };
    group.pairs.push([item.flipped, other.flipped]);
    groups.set(`${type} ${strength}`, group);
  }
  if (groups.size === 0) {
    throw new UserError(
      'usage',
      `The runs ${first.id} and ${second.id} have no perturbation in common.`,
      'Run both with the same questions or set, the same --seed, --kinds and --levels.',
    );
  }
  return [...groups.values()]
    .sort((x, y) => x.type.localeCompare(y.type) * -1 || x.strength - y.strength)
    .map(({ type, strength, pairs }) => {
      const onlyFirst = pairs.filter(([x, y]) => x && !y).length;
      const onlySecond = pairs.filter(([x, y]) => !x && y).length;
      return {
        first: first.id,
        second: second.id,
        type,
        strength,
        n: pairs.length,
        flips: { first: pairs.filter(([x]) => x).length, second: pairs.filter(([, y]) => y).length },
        onlyFirst,
        onlySecond,
        p: mcnemar(onlyFirst, onlySecond).exactP,
      };
    });
}

function flippedItems(record: FlipsRecord) {
  const answerOf = new Map(
    record.answers.map((entry) => [`${entry.conditionId}#${entry.index}`, entry.answer]),
  );
  const promptOf = new Map(record.conditions.map(({ id, prompt }) => [id, prompt]));
  return new Map(
    (['input', 'cot'] as const).flatMap((type) =>
      flipItems(type, record, answerOf).items.map(
        (item) => [`${item.conditionId}\0${promptOf.get(item.conditionId)}`, { ...item, type }] as const,
      ),
    ),
  );
}
