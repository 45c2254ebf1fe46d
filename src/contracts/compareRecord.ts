/**
 * Several models asked the same: how far harmless changes move each, and how far the models differ from one another.
 * The answers themselves are in one run record per model and prompt, under `runIds`; replaying those gives this record again.
 */
import { z } from 'zod';
import {
  comparisonSchema,
  effectSchema,
  intervalSchema,
  minimumDetectableEffectSchema,
  modelIdentitySchema,
  outcomeSchema,
  perturbationSchema,
  planSchema,
  rocSchema,
  runOptionsSchema,
  runRecordSchema,
} from './runRecord';

export const COMPARE_RECORD_VERSION = 1;

const comparedPromptSchema = z.object({
  ...runRecordSchema.shape.prompt.shape,
  perturbations: z.array(perturbationSchema),
});

/** All that a comparison needs to be begun, or to be taken up again. */
export const comparePlanSchema = z.object({
  version: z.literal(COMPARE_RECORD_VERSION),
  id: z.string(),
  kind: z.literal('compare'),
  startedAt: z.iso.datetime(),
  reproduce: z.string(),
  seed: z.int().min(0),
  options: runOptionsSchema,
  /** A difference of two mean shifts whose whole interval lies within ± this is a tie. */
  tieMargin: z.number().gt(0).max(1),
  /** Index of the model that the others are held against; null: every pair is tested. */
  reference: z.int().min(0).nullable(),
  prompts: z.array(comparedPromptSchema).min(1),
  /** In the order in which they are asked. */
  models: z
    .array(
      z.object({
        modelId: z.string(),
        sizeBytes: z.number().nullable(),
        /** One per prompt, in their order. */
        runs: z.array(z.object({ id: z.string(), plan: planSchema, reproduce: z.string() })),
      }),
    )
    .min(2),
});
export type ComparePlan = z.infer<typeof comparePlanSchema>;

const rateSchema = z.object({
  count: z.int().min(0),
  n: z.int().min(0),
  /** Wilson; null where n is 0. */
  interval: intervalSchema.nullable(),
});

const comparedModelSchema = z.object({
  modelId: z.string(),
  /** Null where it could not be asked. */
  identity: modelIdentitySchema.nullable(),
  sizeBytes: z.number().nullable(),
  runIds: z.array(z.string()),
  state: z.enum(['complete', 'cancelled', 'failed']),
  error: z.object({ message: z.string(), hint: z.string() }).nullable(),
  /** 1 + the number of models that are shown to be steadier; null where it cannot be ranked. */
  rank: z.int().min(1).nullable(),
  /** Why it is not ranked. */
  unranked: z.string().nullable(),
  /** Mean shift over the harmless changes: about 0 where they do nothing, 1 where every answer is another one. */
  meanShift: z.object({ mean: z.number(), interval: intervalSchema }).nullable(),
  /** Changes after which the commonest answer is another one; null for prompts with free answers. */
  flips: rateSchema.nullable(),
  /** Changes with the verdict `changed`, of those that were tested. */
  changed: rateSchema,
  quality: z.object({
    asked: z.int().min(0),
    /** Answers by outcome; `ok` are those that are compared. */
    outcomes: z.partialRecord(outcomeSchema, z.int().min(0)),
    /** Of the usable ones: the prompt's form of answer was recognised. Null for free answers. */
    readable: z.int().min(0).nullable(),
    /** Of the unchanged prompts: distinct answers, and the commonest one with its share. */
    commonest: z.object({ text: z.string(), share: z.number() }).nullable(),
  }),
  speed: z.object({
    /** Wall time of the sampling, without loading; null where all answers were kept from before. */
    samplingSeconds: z.number().nullable(),
    loadingSeconds: z.number(),
    tokensPerSecond: z.number().nullable(),
    cached: z.int().min(0),
  }),
  /** Harmless against meaningful changes, per prompt; empty where one class is missing. */
  roc: z.array(rocSchema),
});
export type ComparedModel = z.infer<typeof comparedModelSchema>;

const itemSchema = z.object({
  prompt: z.int().min(0),
  perturbationId: z.string(),
  name: z.string(),
  expectation: perturbationSchema.shape.expectation,
  strength: perturbationSchema.shape.strength.shape.level,
  /** One entry per model; null where it was not asked or cannot be trusted. */
  models: z.array(
    z
      .object({
        verdict: comparisonSchema.shape.verdict,
        shift: z.number().nullable(),
        adjustedP: z.number().nullable(),
        effect: effectSchema.nullable(),
        flipped: z.boolean().nullable(),
      })
      .nullable(),
  ),
});
export type ComparedItem = z.infer<typeof itemSchema>;

const steadinessSchema = z.object({
  /** `steadier` is the first or second model; `tied`: the interval lies within the margin. */
  verdict: z.enum(['firstSteadier', 'secondSteadier', 'tied', 'undecided']),
  difference: z.number(),
  interval: intervalSchema,
  p: z.number(),
  signFlipP: z.number(),
  tP: z.number(),
  adjustedP: z.number(),
  items: z.int().min(0),
});

const behaviourSchema = z.object({
  /** `differs`; `equivalent`: every effect's interval lies within the equivalence margin; `noDifferenceDetected` with its MDE. */
  verdict: z.enum(['differs', 'equivalent', 'noDifferenceDetected', 'undecided']),
  why: z.string().nullable(),
  /** Both digests are known and equal: the same weights. Null where one is unknown. */
  sameDigest: z.boolean().nullable(),
  /** Over all prompts. */
  p: z.number().nullable(),
  adjustedP: z.number().nullable(),
  /** Smallest difference that would have been found on one prompt. */
  mde: minimumDetectableEffectSchema.nullable(),
  prompts: z.array(z.object({ p: z.number().nullable(), effect: effectSchema.nullable() })),
});

const modelPairSchema = z.object({
  first: z.int().min(0),
  second: z.int().min(0),
  steadiness: steadinessSchema.nullable(),
  /** Exact McNemar on the changes that both were asked; null without two models' flips. */
  flips: z
    .object({
      /** `answer`: the commonest answer; `verdict`: called changed or not. */
      of: z.enum(['answer', 'verdict']),
      n: z.int().min(0),
      onlyFirst: z.int().min(0),
      onlySecond: z.int().min(0),
      p: z.number(),
      adjustedP: z.number(),
    })
    .nullable(),
  /** Null where only pairs with the reference are tested. */
  behaviour: behaviourSchema.nullable(),
});
export type ModelPair = z.infer<typeof modelPairSchema>;

export const compareRecordSchema = z.object({
  ...comparePlanSchema.omit({ models: true }).shape,
  finishedAt: z.iso.datetime(),
  versions: z.record(z.string(), z.string()),
  state: z.enum(['complete', 'cancelled', 'failed']),
  models: z.array(comparedModelSchema),
  items: z.array(itemSchema),
  pairs: z.array(modelPairSchema),
  warnings: z.array(z.string()),
});
export type CompareRecord = z.infer<typeof compareRecordSchema>;
