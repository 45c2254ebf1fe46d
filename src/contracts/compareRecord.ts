/** Which of several models is steadier on the same prompts and changes: measured, concluded, and how each was asked. */
import { z } from 'zod';
import { intervalSchema, modelIdentitySchema, runOptionsSchema, verdictSchema } from './runRecord';

const shareSchema = z.object({
  count: z.int().min(0),
  of: z.int().min(0),
  /** Wilson; null of nothing. */
  interval: intervalSchema.nullable(),
});

export const comparedModelSchema = z.object({
  /** What the person named. */
  id: z.string(),
  /** What was asked; null where it could not be opened. */
  identity: modelIdentitySchema.nullable(),
  /** Kept runs of this model, in the order of the prompts. */
  runs: z.array(z.string()),
  /** Why it cannot be compared; null where it can. */
  problem: z.string().nullable(),
  /** Mean movement over all changes (methods section 14). */
  movement: z.object({ mean: z.number(), interval: intervalSchema, items: z.int().min(1) }).nullable(),
  /** Changes that moved the answers, at the level of the check, of those that could be judged. */
  moved: shareSchema,
  answers: z.object({
    asked: z.int().min(0),
    refused: z.int().min(0),
    empty: z.int().min(0),
    truncated: z.int().min(0),
    /** Everything else that is no answer: timeouts, errors, thinking alone. */
    failed: z.int().min(0),
  }),
  /** Of answers given in this run, not kept from before; null where all were kept. */
  secondsPerAnswer: z.number().min(0).nullable(),
});
export type ComparedModel = z.infer<typeof comparedModelSchema>;

/** `tied`: the difference is surely within the margin. `undecided`: neither that nor a difference could be shown. */
export const relationSchema = z.enum(['firstSteadier', 'secondSteadier', 'tied', 'undecided']);
export type Relation = z.infer<typeof relationSchema>;

export const comparedPairSchema = z.object({
  /** Indices into `models`; the reference, where there is one, is the first. */
  first: z.int().min(0),
  second: z.int().min(0),
  /** Movement of the second minus that of the first. p null where no answer ever varied. */
  difference: z.object({
    mean: z.number(),
    interval: intervalSchema,
    p: z.number().nullable(),
    /** Holm over the pairs. */
    adjustedP: z.number().nullable(),
  }),
  relation: relationSchema,
  /** Changes that moved one model's answers and not the other's. */
  discordant: z.object({
    both: z.int().min(0),
    onlyFirst: z.int().min(0),
    onlySecond: z.int().min(0),
    neither: z.int().min(0),
    /** Exact McNemar, changes taken as independent. */
    p: z.number(),
    adjustedP: z.number(),
  }),
  /** Do both answer the unchanged prompts alike? Null where the pair was not tested for it. */
  swap: z
    .object({
      /** Over all prompts: Holm's smallest. */
      p: z.number().nullable(),
      /** Holm over the pairs that were tested. */
      adjustedP: z.number().nullable(),
      /** Per prompt: the debiased effect of asking the second in place of the first; null where untested. */
      effects: z.array(z.number().nullable()),
      sameDigest: z.boolean(),
    })
    .nullable(),
});
export type ComparedPair = z.infer<typeof comparedPairSchema>;

const cellSchema = z.object({
  verdict: verdictSchema,
  effect: z.number().nullable(),
  interval: intervalSchema.nullable(),
  adjustedP: z.number().nullable(),
});

export const compareRecordSchema = z.object({
  version: z.literal(1),
  kind: z.literal('compare'),
  id: z.string(),
  /** `failed`: fewer than two models could be asked. */
  state: z.enum(['complete', 'cancelled', 'failed']),
  startedAt: z.iso.datetime(),
  finishedAt: z.iso.datetime(),
  versions: z.record(z.string(), z.string()),
  reproduce: z.string(),
  seed: z.int().min(0),
  options: runOptionsSchema,
  /** A difference of movement surely below this is a tie. */
  margin: z.number().gt(0).max(1),
  prompts: z.array(z.object({ path: z.string().nullable(), text: z.string() })).min(1),
  models: z.array(comparedModelSchema).min(2),
  pairs: z.array(comparedPairSchema),
  /** One row per prompt and change; a cell per model, null where it was not asked. */
  items: z.array(
    z.object({
      prompt: z.int().min(0),
      perturbationId: z.string(),
      name: z.string(),
      cells: z.array(cellSchema.nullable()),
    }),
  ),
  actual: z.object({ calls: z.int().min(0), cached: z.int().min(0), seconds: z.number().min(0) }),
});
export type CompareRecord = z.infer<typeof compareRecordSchema>;
