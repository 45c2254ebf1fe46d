/** When a check with several looks may stop asking for a change. Pure; the statistics are those of stats/sequential.ts. */
import type { Comparison, RunOptions } from '../contracts/runRecord';
import type { Sequential } from '../contracts/sequential';
import { adjustPValues } from '../stats/multiplicity';
import { minimumPermutations } from '../stats/permutationP';
import { lookSizes, spendingPlan } from '../stats/sequential';

/** Share of the answers at the first look: fewer are seldom enough to pass its level. */
const FIRST_FRACTION = 0.4;
/** Above this a look takes too long; where its level is out of reach, the look cannot reject and says so by its p. */
const MAX_PERMUTATIONS = 99_999;

export interface LookPlan {
  /** Answers per condition at each look. */
  sizes: number[];
  /** Level of each look; together they are alpha. */
  levels: number[];
  /** B of each look, so that Holm over all changes can pass its level. */
  permutations: number[];
}

/** Looks evenly from 40% of the answers to all of them; fewer than asked for where answers are few. */
export function planLooks(
  options: Pick<RunOptions, 'samples' | 'alpha' | 'permutations'> & { looks: number },
  changes: number,
): LookPlan {
  const { samples, looks } = options;
  const fractions = Array.from(
    { length: looks },
    (_, i) => FIRST_FRACTION + ((1 - FIRST_FRACTION) * i) / (looks - 1),
  );
  fractions[looks - 1] = 1;
  const sizes = lookSizes(samples, fractions);
  // The spending is that of the answers which are really there: sizes are rounded.
  const levels = spendingPlan(
    options.alpha,
    sizes.map((size) => size / samples),
  ).increments;
  const permutations = levels.map((level) => {
    const needed = level > 0 ? minimumPermutations(Math.min(1, level / (5 * Math.max(1, changes)))) : 0;
    return Math.min(MAX_PERMUTATIONS, Math.max(options.permutations, needed));
  });
  return { sizes, levels, permutations };
}

/** The newest comparison of every change, and which changes are still asked for. */
export interface LookState {
  comparisons: ReadonlyMap<string, Comparison>;
  open: ReadonlySet<string>;
  looks: Sequential['looks'];
}

export const beforeLooks = (changes: readonly string[]): LookState => ({
  comparisons: new Map(),
  open: new Set(changes),
  looks: [],
});

/**
 * Takes the tests of one look in. A change's p becomes the least of p·alpha/level over its looks, which is valid under any
 * rule of stopping, as it can only fall (docs/methods.md, section 4). A change is closed once the correction over all
 * changes, those not tested yet at p = 1, rejects it: nothing that is still to come can take that back under Holm.
 * @param tested the open changes, each on all of its answers up to this look
 */
export function afterLook(
  state: LookState,
  tested: readonly Comparison[],
  plan: LookPlan,
  options: Pick<RunOptions, 'alpha' | 'multiplicity'>,
): LookState {
  const scale = options.alpha / plan.levels[state.looks.length]!;
  const comparisons = new Map(state.comparisons);
  for (const comparison of tested) {
    const before = comparisons.get(comparison.perturbationId);
    comparisons.set(comparison.perturbationId, {
      ...comparison,
      p: least(comparison.p, before?.p, scale),
      pFloor: least(comparison.pFloor, before?.pFloor, scale),
    });
  }
  const all = [...state.open].concat([...comparisons.keys()].filter((id) => !state.open.has(id)));
  const adjusted = adjustPValues(
    all.map((id) => comparisons.get(id)?.p ?? 1),
    options.multiplicity,
  );
  const open = new Set(state.open);
  all.forEach((id, i) => {
    const comparison = comparisons.get(id);
    // Constant answers that differ claim no p, and more of them would say nothing new.
    const proven = comparison?.p === null && comparison.verdict === 'changed';
    if (adjusted[i]! <= options.alpha || proven) open.delete(id);
  });
  const tests = tested.map(({ perturbationId, p }) => ({
    perturbationId,
    p,
    adjustedP: comparisons.get(perturbationId)!.p,
    stopped: !open.has(perturbationId),
  }));
  return { comparisons, open, looks: [...state.looks, { tests }] };
}

function least(now: number | null, before: number | null | undefined, scale: number): number | null {
  if (now === null) return null;
  // A level that underflows rejects nothing.
  const scaled = Number.isFinite(scale) ? Math.min(1, now * scale) : 1;
  return Math.min(before ?? 1, scaled);
}
