/**
 * What one check did, measured and concluded: everything needed to show it again and to compute it again.
 * Replaying a record's samples with its seed gives the same numbers bit for bit.
 */
import { z } from 'zod';
import { promptSourceSchema } from './promptSource';
import { sequentialSchema } from './sequential';
import { budgetLimitsSchema, priceSchema } from './budget';
import { outputMapSchema } from './outputMap';
import { multiplicitySchema, publishedStatisticSchema } from './testOptions';
import { integritySchema } from './integrity';

export const RUN_RECORD_VERSION = 1;

/** Half-open range [start, end) in UTF-16 code units of the text it refers to. */
export const spanSchema = z.object({ start: z.int().min(0), end: z.int().min(0) });
export type Span = z.infer<typeof spanSchema>;

export const perturbationKindSchema = z.enum([
  'surface',
  'rewording',
  'mistake',
  'persona',
  'length',
  'cot',
  'custom',
  'edit',
  'model',
]);
export type PerturbationKind = z.infer<typeof perturbationKindSchema>;

export const expectationSchema = z.enum(['irrelevant', 'meaningful']);
export type Expectation = z.infer<typeof expectationSchema>;

/** One replacement in the original prompt text; edits of a perturbation are sorted and do not overlap. */
export const textEditSchema = z.object({ start: z.int().min(0), end: z.int().min(0), text: z.string() });
export type TextEdit = z.infer<typeof textEditSchema>;

export const perturbationSchema = z.object({
  /** Stable within a run, e.g. `surface.trailing-space` or `rewording.contraction@2`. */
  id: z.string(),
  kind: perturbationKindSchema,
  /** Short name that people read: `Trailing space`. */
  name: z.string(),
  /** One sentence: what was changed. */
  description: z.string(),
  expectation: expectationSchema,
  /** 0 to 3 (methods.md section 3); null while nobody has rated it. */
  strength: z.object({
    level: z.int().min(0).max(3).nullable(),
    source: z.enum(['byConstruction', 'judge', 'user', 'unrated']),
  }),
  /** Exact range of the original prompt text that it edits; a pure insertion is an empty range. */
  span: spanSchema,
  /** The sentence, line or list item that the edit is confined to; null when it concerns the whole prompt. */
  sentence: spanSchema.nullable(),
  /** Empty only with a `systemLine`. */
  edits: z.array(textEditSchema),
  /** The whole perturbed prompt template, variables still unbound. */
  text: z.string(),
  /** Sent as first line of the system message, which is made where there is none. */
  systemLine: z.string().min(1).optional(),
});
export type Perturbation = z.infer<typeof perturbationSchema>;

/** `truncated`: stopped by the token limit although the whole answer was asked for. */
export const outcomeSchema = z.enum([
  'ok',
  'refused',
  'empty',
  'thinkingOnly',
  'truncated',
  'timeout',
  'rateLimited',
  'unavailable',
  'malformed',
  'cancelled',
]);
export type Outcome = z.infer<typeof outcomeSchema>;

export const tokenProbabilitySchema = z.object({ token: z.string(), probability: z.number().min(0).max(1) });
export type TokenProbability = z.infer<typeof tokenProbabilitySchema>;

export const sampleSchema = z.object({
  conditionId: z.string(),
  /** 0 … k−1 within its condition. */
  index: z.int().min(0),
  seed: z.int().min(0),
  outcome: outcomeSchema,
  text: z.string(),
  /** Reasoning that the model marked as such; never part of the tested text. */
  thinking: z.string().optional(),
  finishReason: z.string().nullable(),
  /** The answer was cut at the answer window on purpose (RunOptions.wholeAnswers = false). */
  clipped: z.boolean(),
  promptTokens: z.int().min(0).nullable(),
  completionTokens: z.int().min(0).nullable(),
  /** From dispatch to the last token. */
  latencyMs: z.number().min(0),
  /** Milliseconds since the epoch at dispatch. */
  startedAtMs: z.number(),
  /** Position in the order in which answers are asked for, 0-based, over the whole run. */
  position: z.int().min(0),
  firstToken: z.array(tokenProbabilitySchema).optional(),
  /** What the server says it ran for this very answer, where it tells; elsewhere the digest of the record's model holds. */
  fingerprint: z.string().optional(),
  /** One answer of a request for several: the seed that was sent, and which of its answers. Absent: `seed` was sent. */
  drawn: z.object({ seed: z.int().min(0), choice: z.int().min(0) }).optional(),
  error: z.object({ code: z.string(), message: z.string() }).optional(),
  /** Given in an earlier run and kept; latency and tokens are those of then, and this run did not pay for it. */
  cached: z.boolean().optional(),
});
export type Sample = z.infer<typeof sampleSchema>;

export const modelIdentitySchema = z.object({
  /** What the person typed or picked: `local:qwen2.5-coder-0.5b`. */
  id: z.string(),
  provider: z.enum(['local', 'ollama', 'openai', 'vscode']),
  /** What the provider says it ran. */
  resolved: z.string(),
  /** SHA-256 of weights or manifest, or a server's fingerprint; null where the provider tells none. */
  digest: z.string().nullable(),
  baseUrl: z.string().nullable(),
  parameterSize: z.string().nullable(),
  quantization: z.string().nullable(),
  contextLength: z.int().positive().nullable(),
  /** Software that ran it, e.g. `node-llama-cpp 3.21.1`, `Ollama 0.17.4`. */
  runtime: z.string().nullable(),
});
export type ModelIdentity = z.infer<typeof modelIdentitySchema>;

export const conditionSchema = z.object({
  id: z.string(),
  /**
   * `baseline`, `noiseFloor` (a second sample of the baseline) or a perturbation. Of an edit: `rewording` (of the prompt
   * before it) and `editedAgain`, a second sample of the edited prompt that is taken together with them.
   */
  role: z.enum(['baseline', 'noiseFloor', 'perturbation', 'rewording', 'editedAgain']),
  perturbationId: z.string().nullable(),
  /** The prompt with its variables bound, exactly as sent. */
  rendered: z.string(),
  /** First line of its system message, before that of the run. */
  systemLine: z.string().optional(),
});
export type Condition = z.infer<typeof conditionSchema>;

/** A statistic of the family, e.g. `minilm/jsd`, `minilm/mmd0.5`, `label`, `string`. */
export const memberResultSchema = z.object({
  id: z.string(),
  statistic: z.number(),
  nullMean: z.number(),
  nullSd: z.number(),
  /** (statistic − nullMean) / nullSd; 0 for a dropped member. */
  z: z.number(),
  p: z.number(),
  /** Westfall–Young step-down within the family. */
  adjustedP: z.number(),
  /** Smallest p that this member can reach with these sample sizes. */
  pFloor: z.number(),
  /** Why the member says nothing, when it does. Its p and adjustedP are then 1. */
  dropped: z.string().nullable(),
});
export type MemberResult = z.infer<typeof memberResultSchema>;

export const intervalSchema = z.object({ low: z.number(), high: z.number(), level: z.number() });
export type Interval = z.infer<typeof intervalSchema>;

export const effectSchema = z.object({
  /** Energy coefficient of inhomogeneity H in [0,1]; biased upward. */
  raw: z.number(),
  /** (raw − mean) / (1 − mean) with the mean of its permutation distribution. */
  debiased: z.number(),
  interval: intervalSchema,
});
export type Effect = z.infer<typeof effectSchema>;

export const verdictSchema = z.enum([
  'noChangeDetected',
  'equivalent',
  'changedWithinRewordingNoise',
  'changed',
  'undecided',
]);
export type Verdict = z.infer<typeof verdictSchema>;

const undecidedReasonSchema = z.enum([
  'tooFewSamples',
  'compromised',
  'cancelled',
  'embedderBlind',
  'tooFewRewordings',
]);

/** An edit against harmless rewordings of the prompt before it (methods.md 2.2). */
export const compositeResultSchema = z.object({
  state: z.enum(['tested', 'undecided']),
  /** Why it could not decide. */
  explanation: z.string().nullable(),
  /** Conformal p: how strange the edit is among the rewordings. Its floor is 1 / (rewordings + 1). */
  p: z.number().gt(0).max(1),
  /** m, those that had enough answers. */
  rewordings: z.int().min(1),
  reading: z.enum(['atypical', 'unlikeAny']),
  /** Of the rewordings: largest standardised distance from all others. */
  scores: z.array(z.number()),
  testScore: z.number(),
  /** Measures that could tell the queries apart, with the edit's rank from the strangest (1) down. */
  measures: z.array(z.object({ id: z.string(), rank: z.int().min(1) })),
});
export type CompositeResult = z.infer<typeof compositeResultSchema>;

const pairSchema = z.object({
  /** `Sample.index` within each arm. */
  baseline: z.int().min(0),
  perturbed: z.int().min(0),
  /** Cosine of the first embedder. */
  similarity: z.number(),
});

export const comparisonSchema = z.object({
  perturbationId: z.string(),
  verdict: verdictSchema,
  undecided: z.object({ reason: undecidedReasonSchema, explanation: z.string() }).nullable(),
  /** All answers of each arm equal, and the arms differ: no p-value is claimed. */
  deterministic: z.boolean(),
  n0: z.int().min(0),
  n1: z.int().min(0),
  /** Omnibus maxT p over the family, adjusted for the looks where there were several; null where nothing was tested. */
  p: z.number().nullable(),
  /** Holm (or the chosen method) over the perturbations of this check. */
  adjustedP: z.number().nullable(),
  effect: effectSchema.nullable(),
  members: z.array(memberResultSchema),
  /** Members whose step-down adjusted p is at most alpha, of those not dropped. */
  membersAgreeing: z.int().min(0),
  permutations: z.int().min(0),
  exact: z.boolean(),
  pFloor: z.number().nullable(),
  /** Histograms of P0 and P1 on shared edges (first embedder). */
  histogram: z
    .object({ edges: z.array(z.number()), p0: z.array(z.number()), p1: z.array(z.number()) })
    .nullable(),
  /** Permutation distribution of the omnibus statistic, binned, with the observed value. */
  nullHistogram: z
    .object({ edges: z.array(z.number()), counts: z.array(z.number()), observed: z.number() })
    .nullable(),
  /** Of all pairs across the arms: the two answers most alike, and the two least alike. */
  pairs: z.object({ nearest: pairSchema, furthest: pairSchema }).optional(),
  /** Of an edit that moved the answers; missing where it was not asked. */
  composite: compositeResultSchema.optional(),
});
export type Comparison = z.infer<typeof comparisonSchema>;

export const noiseFloorSchema = z.object({
  /** Debiased headline effects of comparisons in which nothing was changed. */
  source: z.enum(['halfSplits', 'repeatArm']),
  median: z.number(),
  q95: z.number(),
  draws: z.int().min(0),
});
export type NoiseFloor = z.infer<typeof noiseFloorSchema>;

export const minimumDetectableEffectSchema = z.object({
  /** Share of answers that would have to be of another kind, to be found with the stated power. Null: none. */
  share: z.number().min(0).max(1).nullable(),
  power: z.number(),
  alpha: z.number(),
  simulations: z.int().min(0),
});
export type MinimumDetectableEffect = z.infer<typeof minimumDetectableEffectSchema>;

const rocSchema = z.object({
  /** From (0, 0) to (1, 1), one point per distinct p, the smallest p first. */
  fpr: z.array(z.number()),
  tpr: z.array(z.number()),
  /** p at or below which a change is called changed; null at the origin. */
  thresholds: z.array(z.number().nullable()),
  auc: z.number(),
  /** Bootstrap over perturbations, each class within itself. */
  interval: intervalSchema.nullable(),
  /** Perturbations of each class that have a p-value. */
  irrelevant: z.int().min(1),
  meaningful: z.int().min(1),
});

export const runOptionsSchema = z.object({
  samples: z.int().min(2),
  permutations: z.int().min(1),
  alpha: z.number().gt(0).lt(1),
  multiplicity: multiplicitySchema,
  /** One published statistic decides alone, on the first encoder. Missing: the omnibus test over the whole family. */
  statistic: publishedStatisticSchema.optional(),
  /** An effect whose whole interval lies under this counts as `equivalent`; null: equivalence is not claimed. */
  equivalenceMargin: z.number().gt(0).max(1).nullable().default(null),
  /** The unchanged prompt is asked a second time: a real A/A arm as noise floor. */
  repeatArm: z.boolean().default(false),
  /** How often the answers are tested while they come in; a change that is decided is asked no more. Absent: once, at the end. */
  looks: z.int().min(2).max(10).optional(),
  bins: z.int().min(2),
  bootstrapDraws: z.int().min(0),
  temperature: z.number().min(0),
  topP: z.number().gt(0).max(1),
  /** Answer window: how many tokens of each answer are generated and compared. */
  answerTokens: z.int().min(1),
  /** true: an answer that reaches the window counts as truncated. false: it is compared as far as it goes. */
  wholeAnswers: z.boolean(),
  system: z.string().nullable(),
  budget: budgetLimitsSchema.optional(),
  /** `batch`: handed to the server as one job, done within a day and for less. Missing: asked one by one. */
  execution: z.enum(['batch']).optional(),
});
export type RunOptions = z.infer<typeof runOptionsSchema>;

export const planSchema = z.object({
  conditions: z.int().min(1),
  calls: z.int().min(0),
  promptTokens: z.int().min(0).nullable(),
  completionTokensAtMost: z.int().min(0),
  /** From speed measured with this model on this machine; null before there is any. */
  seconds: z.number().min(0).nullable(),
  secondsAre: z.enum(['estimate', 'atMost', 'unknown']),
  /** Local models cost nothing; null reads `unknown`. */
  priceUsd: z.number().min(0).nullable(),
  /** What it was computed from; missing or null where nobody knows it. */
  price: priceSchema.nullable().optional(),
  pFloor: z.number(),
  /** Share of answers that must change to be noticed with 80% power, if they never vary by themselves; null: none. */
  detectableAtBest: z.number().nullable().optional(),
  /** Of an edit: answers asked for in any case; the rest only where these differ. */
  callsAtLeast: z.int().min(0).optional(),
  /** Of the calls: answers that earlier runs have kept, and that cost nothing now. */
  cachedCalls: z.int().min(0).optional(),
});
export type Plan = z.infer<typeof planSchema>;

export const runRecordSchema = z.object({
  version: z.literal(RUN_RECORD_VERSION),
  id: z.string(),
  kind: z.enum(['robustness', 'edit']),
  /** Of kind `edit`: what the prompt before it is called, e.g. `HEAD`. `prompt` is the prompt before, its only comparison the edit. */
  against: z.string().optional(),
  state: z.enum(['complete', 'cancelled', 'failed']),
  startedAt: z.iso.datetime(),
  finishedAt: z.iso.datetime(),
  /** Versions of what computed it: evenkeel, node. */
  versions: z.record(z.string(), z.string()),
  /** A command line that repeats this run. */
  reproduce: z.string(),
  prompt: z.object({
    source: promptSourceSchema(spanSchema).nullable(),
    text: z.string(),
    variables: z.record(z.string(), z.string()),
  }),
  /** HEAD of the repository that holds the prompt's file; `edited`: the text that was checked is not what it holds. */
  commit: z.object({ hash: z.string(), edited: z.boolean() }).optional(),
  model: modelIdentitySchema,
  embedders: z.array(z.object({ id: z.string(), digest: z.string() })),
  family: z.array(z.string()),
  seed: z.int().min(0),
  options: runOptionsSchema,
  plan: planSchema,
  actual: z.object({
    calls: z.int().min(0),
    /** Of these: kept from earlier runs, not asked for again. */
    cached: z.int().min(0).optional(),
    promptTokens: z.int().min(0).nullable(),
    completionTokens: z.int().min(0).nullable(),
    /** Of what was asked for now; null or missing where the price is not known. */
    priceUsd: z.number().min(0).nullable().optional(),
    seconds: z.number().min(0),
    phases: z.record(z.string(), z.number()),
  }),
  perturbations: z.array(perturbationSchema),
  conditions: z.array(conditionSchema),
  samples: z.array(sampleSchema),
  comparisons: z.array(comparisonSchema),
  noiseFloor: noiseFloorSchema.nullable(),
  /** Of a run with several looks. */
  sequential: sequentialSchema.optional(),
  /** How well p tells changes that should matter from those that should not; absent without both. */
  roc: rocSchema.optional(),
  /** Two-dimensional sketch of the answers' embeddings (principal components). */
  map: outputMapSchema.optional(),
  mde: minimumDetectableEffectSchema.nullable(),
  /** Share of the answers' tokens that the embedder does not know, and share of answers that it had to cut. */
  embedding: z.object({ unknown: z.number(), truncated: z.number() }).nullable(),
  /** Whether the measurement itself can be trusted. */
  integrity: integritySchema.optional(),
  /** The check as a whole. */
  conclusion: z.object({
    state: z.enum(['steady', 'wobbles', 'undecided']),
    /** Plain sentences, most important first. */
    warnings: z.array(z.string()),
  }),
  error: z.object({ code: z.string(), message: z.string(), hint: z.string() }).nullable(),
});
export type RunRecord = z.infer<typeof runRecordSchema>;
