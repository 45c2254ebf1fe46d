/** A kept run with known verdicts, written through the product's own store, so that findings can be tested exactly. */
import type { Comparison, Perturbation, RunRecord, Span, Verdict } from '../../src/contracts/runRecord';
import { createRunStore } from '../../src/store/runStore';

export interface KnownChange {
  id: string;
  /** In the prompt. */
  span: Span;
  sentence?: Span;
  replacement: string;
  verdict: Verdict;
  expectation?: 'irrelevant' | 'meaningful';
  answer?: string;
  name?: string;
  effect?: number;
}

let kept = 0;

/** Keeps a run of this text under `cacheDir`; `baseline` are the answers to it as it stands. @returns its id */
export async function keepKnownRun(
  cacheDir: string,
  source: Omit<NonNullable<RunRecord['prompt']['source']>, 'range'>,
  text: string,
  changes: KnownChange[],
  baseline: string[] = Array<string>(4).fill('positive'),
): Promise<string> {
  const id = `kept-${Date.now()}-${(kept += 1)}`;
  const record = recordOf(id, source, text, changes, baseline);
  const store = createRunStore({ cacheDir });
  await store.begin(id);
  for (const sample of record.samples) await store.appendSample(id, sample);
  await store.finish(record);
  return id;
}

function recordOf(
  id: string,
  source: Omit<NonNullable<RunRecord['prompt']['source']>, 'range'>,
  text: string,
  changes: KnownChange[],
  baseline: string[],
): RunRecord {
  const perturbations = changes.map((change) => perturbationOf(change, text));
  const conditions: RunRecord['conditions'] = [
    { id: 'baseline', role: 'baseline', perturbationId: null, rendered: text },
    ...perturbations.map((perturbation) => ({
      id: perturbation.id,
      role: 'perturbation' as const,
      perturbationId: perturbation.id,
      rendered: perturbation.text,
    })),
  ];
  const answerOf = new Map(changes.map((change) => [change.id, change.answer ?? 'negative']));
  const now = new Date().toISOString();
  return {
    version: 1,
    id,
    kind: 'robustness',
    state: 'complete',
    startedAt: now,
    finishedAt: now,
    versions: {},
    reproduce: '',
    prompt: {
      source: { ...source, range: { start: 0, end: text.length } },
      text,
      variables: {},
    },
    model: {
      id: 'local:known',
      provider: 'local',
      resolved: 'known',
      digest: null,
      baseUrl: null,
      parameterSize: null,
      quantization: null,
      contextLength: null,
      runtime: null,
    },
    embedders: [],
    family: [],
    seed: 1,
    options: {
      samples: 4,
      permutations: 999,
      alpha: 0.05,
      multiplicity: 'holm',
      equivalenceMargin: null,
      repeatArm: false,
      bins: 30,
      bootstrapDraws: 0,
      temperature: 1,
      topP: 1,
      answerTokens: 8,
      wholeAnswers: false,
      system: null,
    },
    plan: {
      conditions: conditions.length,
      calls: 4 * conditions.length,
      promptTokens: null,
      completionTokensAtMost: 32,
      seconds: null,
      secondsAre: 'unknown',
      priceUsd: 0,
      pFloor: 0.001,
    },
    actual: {
      calls: 4 * conditions.length,
      promptTokens: null,
      completionTokens: null,
      seconds: 1,
      phases: {},
    },
    perturbations,
    conditions,
    samples: conditions.flatMap((condition) =>
      baseline.map((answer, index) => ({
        conditionId: condition.id,
        index,
        seed: index,
        outcome: 'ok' as const,
        text: answerOf.get(condition.id) ?? answer,
        finishReason: 'stop',
        clipped: false,
        promptTokens: null,
        completionTokens: null,
        latencyMs: 1,
        startedAtMs: 0,
        position: index,
      })),
    ),
    comparisons: changes.map(comparisonOf),
    noiseFloor: null,
    mde: null,
    embedding: null,
    conclusion: { state: 'wobbles', warnings: [] },
    error: null,
  };
}

function perturbationOf(change: KnownChange, text: string): Perturbation {
  const { id, span, replacement, name = `Change ${id}` } = change;
  return {
    id,
    kind: 'rewording',
    name,
    description: `Replaces some words (${id}).`,
    expectation: change.expectation ?? 'irrelevant',
    strength: { level: 0, source: 'byConstruction' },
    span,
    sentence: change.sentence ?? null,
    edits: [{ ...span, text: replacement }],
    text: text.slice(0, span.start) + replacement + text.slice(span.end),
  };
}

const comparisonOf = ({ id, verdict, effect = 0.42 }: KnownChange): Comparison => ({
  perturbationId: id,
  verdict,
  undecided: null,
  deterministic: false,
  n0: 4,
  n1: 4,
  p: 0.002,
  adjustedP: 0.012,
  effect: { raw: 0.5, debiased: effect, interval: { low: 0.21, high: 0.63, level: 0.95 } },
  members: [],
  membersAgreeing: 0,
  permutations: 999,
  exact: false,
  pFloor: 0.001,
  histogram: null,
  nullHistogram: null,
});
