import { inferAnswerFormat } from '../answers/labels';
import type { ComparedPair, CompareRecord, Relation } from '../contracts/compareRecord';
import { mcnemar } from '../stats/mcnemar';
import { compareMovement, type Movement } from '../stats/movement';
import { adjustPValues } from '../stats/multiplicity';
import { mixSeed } from '../stats/rng';
import { differenceInput, testedComparison, type EmbeddedTexts } from './compare';
import { commonItems, samplesOf, type Asked, type CompareDeps, type CompareRequest } from './compared';

interface Measured {
  asked: Asked[];
  items: CompareRecord['items'];
  movements: (Movement | null)[];
  embedded: EmbeddedTexts[];
}

/** Every pair of models that could be asked everything. */
export async function pairsOf(
  deps: CompareDeps,
  request: CompareRequest,
  measured: Measured,
  signal: AbortSignal,
): Promise<ComparedPair[]> {
  const { asked, items, movements } = measured;
  const { options, reference } = request;
  const usableModels = asked.flatMap((one, index) => (one.problem === null ? [index] : []));
  const order =
    reference === null ? usableModels : [reference, ...usableModels.filter((one) => one !== reference)];
  const pairs = order.flatMap((first, i) => order.slice(i + 1).map((second) => ({ first, second })));
  const valid = pairs.filter(
    ({ first, second }) => (movements[first] ?? null) !== null && (movements[second] ?? null) !== null,
  );
  const common = commonItems(items, asked);
  const differences = valid.map(({ first, second }) =>
    compareMovement(movements[first]!, movements[second]!),
  );
  const adjusted = adjustPValues(
    differences.map(({ p }) => p ?? NaN),
    'holm',
  );
  const tables = valid.map(({ first, second }) => discordance(common, first, second));
  const tableP = adjustPValues(
    tables.map(({ p }) => p),
    'holm',
  );
  const swaps = await Promise.all(
    valid.map(({ first, second }) =>
      reference !== null && first !== reference
        ? null
        : swapOf(deps, request, measured, { first, second }, signal),
    ),
  );
  const swapP = adjustPValues(
    swaps.map((swap) => swap?.p ?? NaN),
    'holm',
  );
  return valid.map((pair, i) => {
    const { difference: mean, interval, p } = differences[i]!;
    const adjustedP = p === null ? null : adjusted[i]!;
    const discordant = { ...tables[i]!, adjustedP: tableP[i]! };
    // Wide enough that all pairs together claim a false tie with probability alpha at most (two one-sided tests).
    const tie = compareMovement(
      movements[pair.first]!,
      movements[pair.second]!,
      1 - (2 * options.alpha) / Math.max(1, valid.length),
    ).interval;
    const swap = swaps[i]!;
    return {
      ...pair,
      difference: { mean, interval, p, adjustedP },
      relation: relationOf({ mean, adjustedP, tie, discordant }, request.margin, options.alpha),
      discordant,
      swap: swap === null ? null : { ...swap, adjustedP: swap.p === null ? null : swapP[i]! },
    };
  });
}

/**
 * Where answers never vary there is no chance in a mean movement, and only the changes are counted; otherwise the
 * movement decides, which sees more than a count of verdicts does.
 */
function relationOf(
  of: {
    mean: number;
    adjustedP: number | null;
    tie: { low: number; high: number };
    discordant: { onlyFirst: number; onlySecond: number; adjustedP: number };
  },
  margin: number,
  alpha: number,
): Relation {
  const { adjustedP, tie, discordant } = of;
  if (adjustedP === null) {
    if (discordant.adjustedP > alpha) return of.mean === 0 ? 'tied' : 'undecided';
    return discordant.onlyFirst < discordant.onlySecond ? 'firstSteadier' : 'secondSteadier';
  }
  if (adjustedP <= alpha) return of.mean > 0 ? 'firstSteadier' : 'secondSteadier';
  return tie.low > -margin && tie.high < margin ? 'tied' : 'undecided';
}

function discordance(items: CompareRecord['items'], first: number, second: number) {
  const moved = items.map(
    ({ cells }) => [cells[first]?.verdict === 'changed', cells[second]?.verdict === 'changed'] as const,
  );
  const onlyFirst = moved.filter(([a, b]) => a && !b).length;
  const onlySecond = moved.filter(([a, b]) => !a && b).length;
  return {
    both: moved.filter(([a, b]) => a && b).length,
    onlyFirst,
    onlySecond,
    neither: moved.filter(([a, b]) => !a && !b).length,
    p: mcnemar(onlyFirst, onlySecond).exactP,
  };
}

/** The unchanged prompts, asked of the second model in place of the first (methods.md 1.7). */
async function swapOf(
  deps: CompareDeps,
  request: CompareRequest,
  { asked, embedded }: Measured,
  { first, second }: { first: number; second: number },
  signal: AbortSignal,
) {
  const [a, b] = [asked[first]!, asked[second]!];
  const results = [];
  for (const [at, { prompt }] of request.prompts.entries()) {
    const [before, after] = [samplesOf(a.runs[at]!, 'baseline'), samplesOf(b.runs[at]!, 'baseline')];
    if (Math.min(before.length, after.length) < MIN_ANSWERS) {
      results.push({ p: null, effect: null });
      continue;
    }
    const input = differenceInput(
      before,
      after,
      embedded,
      inferAnswerFormat(prompt.text),
      request.options,
      mixSeed(request.seed, `swap:${first}:${second}:${at}`),
    );
    const result = await deps.tester.differenceTest(input, { signal });
    const { p, effect } = testedComparison({ id: 'swap' }, input, result, request.options);
    results.push({ p, effect: effect?.debiased ?? null });
  }
  const adjusted = adjustPValues(
    results.map(({ p }) => p ?? NaN),
    'holm',
  ).filter((p) => !Number.isNaN(p));
  const digests = [a.identity?.digest ?? null, b.identity?.digest ?? null];
  return {
    p: adjusted.length === 0 ? null : Math.min(...adjusted),
    effects: results.map(({ effect }) => effect),
    sameDigest: digests[0] !== null && digests[0] === digests[1],
  };
}

const MIN_ANSWERS = 4;
