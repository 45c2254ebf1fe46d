/** Every pair of models: which is steadier, and do they behave alike? Each kind of test is corrected over its own pairs. */
import { inferAnswerFormat } from '../answers/labels';
import type { ComparedItem, ComparePlan, ModelPair } from '../contracts/compareRecord';
import type { MinimumDetectableEffect } from '../contracts/runRecord';
import { isEquivalent } from '../stats/equivalence';
import { mcnemar } from '../stats/mcnemar';
import { adjustPValues } from '../stats/multiplicity';
import { compareSteadiness, type ModelShifts } from '../stats/steadiness';
import { differenceInput, testedComparison, type EmbeddedTexts } from './compare';
import { whyUndecided } from './judgeArms';
import type { ReadRun } from './modelFindings';
import type { Tester } from './ports';

interface Deps {
  tester: Tester;
  embedded: EmbeddedTexts[];
}

type Behaviour = NonNullable<ModelPair['behaviour']>;

export async function comparePairs(
  deps: Deps,
  plan: ComparePlan,
  found: { read: ReadRun[][]; shiftsOfModel: (ModelShifts | null)[]; items: ComparedItem[] },
  signal: AbortSignal,
): Promise<ModelPair[]> {
  const { alpha, permutations } = plan.options;
  const indices = plan.models.flatMap((_, first) =>
    plan.models.slice(first + 1).map((__, i) => ({ first, second: first + 1 + i })),
  );
  const pairs: ModelPair[] = [];
  const behaviourOf = createBehaviour(deps, plan, found.read, signal);
  for (const { first, second } of indices) {
    const [a, b] = [found.shiftsOfModel[first]!, found.shiftsOfModel[second]!];
    const steadiness =
      a === null || b === null ? null : compareSteadiness(a, b, { alpha, permutations, seed: plan.seed });
    const wanted = plan.reference === null || plan.reference === first || plan.reference === second;
    pairs.push({
      first,
      second,
      steadiness:
        steadiness === null ? null : { ...steadiness, adjustedP: steadiness.p, verdict: 'undecided' },
      flips: flipsOfPair(found.items, first, second),
      behaviour: wanted ? await behaviourOf(first, second) : null,
    });
  }
  return decidePairs(pairs, plan);
}

/** Holm over the pairs, for each kind of test by itself; verdicts from the adjusted values. */
function decidePairs(pairs: ModelPair[], plan: ComparePlan): ModelPair[] {
  const adjust = (of: (pair: ModelPair) => number | null | undefined) =>
    adjustPValues(
      pairs.map((pair) => of(pair) ?? Number.NaN),
      'holm',
    );
  const steadiness = adjust((pair) => pair.steadiness?.p);
  const flips = adjust((pair) => pair.flips?.p);
  const behaviour = adjust((pair) => pair.behaviour?.p);
  const { alpha, equivalenceMargin } = plan.options;
  return pairs.map((pair, i): ModelPair => ({
    ...pair,
    steadiness:
      pair.steadiness === null
        ? null
        : {
            ...pair.steadiness,
            adjustedP: steadiness[i]!,
            verdict: steadinessVerdict(pair.steadiness, steadiness[i]!, plan),
          },
    flips: pair.flips === null ? null : { ...pair.flips, adjustedP: flips[i]! },
    behaviour:
      pair.behaviour === null || pair.behaviour.p === null
        ? pair.behaviour
        : {
            ...pair.behaviour,
            adjustedP: behaviour[i]!,
            verdict:
              behaviour[i]! <= alpha
                ? 'differs'
                : isSame(pair.behaviour, equivalenceMargin)
                  ? 'equivalent'
                  : 'noDifferenceDetected',
          },
  }));
}

function steadinessVerdict(
  { difference, interval }: NonNullable<ModelPair['steadiness']>,
  adjustedP: number,
  { options, tieMargin }: ComparePlan,
): NonNullable<ModelPair['steadiness']>['verdict'] {
  if (adjustedP <= options.alpha) return difference < 0 ? 'firstSteadier' : 'secondSteadier';
  return isEquivalent(interval, tieMargin, true) ? 'tied' : 'undecided';
}

const isSame = ({ prompts }: Behaviour, margin: number | null): boolean =>
  margin !== null && prompts.every(({ effect }) => effect !== null && isEquivalent(effect.interval, margin));

/** Exact McNemar on harmless changes: the commonest answer flips for one model and not for the other. */
function flipsOfPair(items: ComparedItem[], first: number, second: number): ModelPair['flips'] {
  const harmless = items.filter(({ expectation }) => expectation === 'irrelevant');
  const byAnswer = harmless.flatMap(({ models }): [boolean, boolean][] => {
    const [a, b] = [models[first]?.flipped ?? null, models[second]?.flipped ?? null];
    return a === null || b === null ? [] : [[a, b]];
  });
  const byVerdict = harmless.flatMap(({ models }): [boolean, boolean][] => {
    const [a, b] = [models[first]?.verdict ?? 'undecided', models[second]?.verdict ?? 'undecided'];
    return a === 'undecided' || b === 'undecided' ? [] : [[a === 'changed', b === 'changed']];
  });
  const pairs = byAnswer.length > 0 ? byAnswer : byVerdict;
  if (pairs.length === 0) return null;
  const onlyFirst = pairs.filter(([a, b]) => a && !b).length;
  const onlySecond = pairs.filter(([a, b]) => !a && b).length;
  const p = mcnemar(onlyFirst, onlySecond).exactP;
  return {
    of: byAnswer.length > 0 ? 'answer' : 'verdict',
    n: pairs.length,
    onlyFirst,
    onlySecond,
    p,
    adjustedP: p,
  };
}

/** The model is swapped and the prompt kept: the answers to the unchanged prompts of both, tested like any change. */
function createBehaviour(deps: Deps, plan: ComparePlan, read: ReadRun[][], signal: AbortSignal) {
  const tested =
    plan.reference === null ? (plan.models.length * (plan.models.length - 1)) / 2 : plan.models.length - 1;
  const mdeOf = new Map<number, MinimumDetectableEffect | null>();

  return async (first: number, second: number): Promise<Behaviour> => {
    const [a, b] = [read[first]!, read[second]!];
    const digests = [a[0]?.record.model.digest ?? null, b[0]?.record.model.digest ?? null];
    const sameDigest = digests.includes(null) ? null : digests[0] === digests[1];
    const open = { sameDigest, p: null, adjustedP: null, mde: null, prompts: [] };
    const shared = Math.min(a.length, b.length);
    if (shared < plan.prompts.length)
      return { ...open, verdict: 'undecided', why: 'Not both models were asked all prompts.' };
    const inputs = plan.prompts.map((prompt, p) =>
      differenceInput(
        a[p]!.baseline,
        b[p]!.baseline,
        deps.embedded,
        inferAnswerFormat(prompt.text),
        plan.options,
        plan.seed,
      ),
    );
    for (let p = 0; p < shared; p++) {
      const why = whyUndecided(a[p]!.baseline, b[p]!.baseline, plan.options, false);
      if (why !== null) return { ...open, verdict: 'undecided', why: why.explanation };
    }
    const prompts: Behaviour['prompts'] = [];
    for (const input of inputs) {
      const result = await deps.tester.differenceTest(input, { signal });
      const { p, effect, deterministic } = testedComparison({ id: 'model' }, input, result, plan.options);
      // At temperature 0 every answer is the same one: two that differ are a difference, without chance and without a p.
      if (deterministic && p === null)
        return { ...open, verdict: 'differs', why: 'Both always answer the same, and not alike.' };
      prompts.push({ p, effect });
    }
    const p = inputs.length === 1 ? prompts[0]!.p : await overPrompts(inputs);
    if (!mdeOf.has(first)) mdeOf.set(first, await mde(inputs[0]!));
    return { ...open, verdict: 'undecided', why: null, p, mde: mdeOf.get(first)!, prompts };
  };

  async function overPrompts(inputs: ReturnType<typeof differenceInput>[]): Promise<number | null> {
    const { permutations, bins } = plan.options;
    const cases = inputs.map((input, p) => ({ ...input, id: `prompt ${p + 1}` }));
    const result = await deps.tester.manyCases({ cases, permutations, bins, seed: plan.seed }, { signal });
    return result.p;
  }

  async function mde(input: ReturnType<typeof differenceInput>): Promise<MinimumDetectableEffect | null> {
    return deps.tester.minimumDetectable(
      { ...input, comparisons: tested, alpha: plan.options.alpha },
      { signal },
    );
  }
}
