/**
 * What one flips run asked and found: for every question the answer to its original and to its perturbations. A run
 * is written in three steps: the plan before the first call, each answer as it comes, the whole record at its end.
 */
import { z } from 'zod';
import { strengthLevelSchema } from './perturbationSet';
import { intervalSchema, modelIdentitySchema, outcomeSchema, perturbationKindSchema } from './runRecord';

export const FLIPS_RECORD_VERSION = 1;

/** Perturbations of the question or prompt, and those of the reasoning: never compared with one another. */
const flipTypeSchema = z.enum(['input', 'cot']);
export type FlipType = z.infer<typeof flipTypeSchema>;

/** How an answer is read; `evidence`: the words of the prompt from which it was inferred, or who said so. */
const evidence = { evidence: z.string() };
const flipsExtractorSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.enum(['yesNo', 'options']), options: z.array(z.string()).min(2), ...evidence }),
  z.object({ kind: z.literal('oneWord'), ...evidence }),
  z.object({ kind: z.literal('number'), ...evidence }),
  z.object({ kind: z.literal('jsonField'), field: z.string().nullable(), ...evidence }),
  z.object({ kind: z.literal('regex'), pattern: z.string(), flags: z.string(), ...evidence }),
]);

const flipsQuestionSchema = z.object({
  id: z.string(),
  extractor: flipsExtractorSchema,
  /** The right option; null where nobody says. */
  right: z.string().nullable(),
});
export type FlipsQuestion = z.infer<typeof flipsQuestionSchema>;

const flipsConditionSchema = z.object({
  id: z.string(),
  question: z.string(),
  type: flipTypeSchema,
  /** Null: the original, with which the perturbations of the same question and type are compared. */
  perturbation: z
    .object({
      id: z.string(),
      kind: perturbationKindSchema,
      name: z.string(),
      strength: z.object({
        level: strengthLevelSchema.nullable(),
        source: z.enum(['byConstruction', 'judge', 'user', 'unrated']),
        /** The judge's level where a person's stands in its place. */
        judged: strengthLevelSchema.nullable().optional(),
      }),
    })
    .nullable(),
  /** Exactly as sent. */
  prompt: z.string(),
  /** Sent as first line of the system message. */
  systemLine: z.string().optional(),
});
export type FlipsCondition = z.infer<typeof flipsConditionSchema>;

/** All that a run needs to be begun, or to be taken up again. */
export const flipsPlanSchema = z.object({
  version: z.literal(FLIPS_RECORD_VERSION),
  id: z.string(),
  kind: z.literal('flips'),
  startedAt: z.iso.datetime(),
  reproduce: z.string(),
  /** `prompt`: perturbations of one prompt. `questions`: a multiple-choice set. */
  source: z.object({ type: z.enum(['prompt', 'questions']), path: z.string().nullable() }),
  modelId: z.string(),
  seed: z.int().min(0),
  options: z.object({
    /** 0: the most probable answer. Above: sampled, and every original is asked twice (the A/A flip rate). */
    temperature: z.number().min(0),
    /** Tokens of an answer that is read from text. */
    answerTokens: z.int().min(1),
    /** Read answers from text also where the provider gives first-token probabilities. */
    asText: z.boolean(),
    system: z.string().nullable(),
  }),
  questions: z.array(flipsQuestionSchema).min(1),
  conditions: z.array(flipsConditionSchema),
  /** Reasoning is asked of the model first, then perturbed: these conditions are only known while it runs. */
  reasoning: z
    .object({
      /** Steps that get a mistake, per perturbation in turn; 0: every step in other words. */
      steps: z.array(z.int().min(0)).min(1),
      perQuestion: z.int().min(1),
      /** Questions by id, each with its unperturbed prompt. */
      of: z.array(z.object({ question: z.string(), prompt: z.string() })).min(1),
    })
    .optional(),
  /** What was left out before the first call, as sentences. */
  notes: z.array(z.string()),
});
export type FlipsPlan = z.infer<typeof flipsPlanSchema>;

/** What became of the reasoning about one question. No conditions: it had no step that could be changed. */
export const flipsReasonedSchema = z.object({
  question: z.string(),
  reasoning: z.string(),
  conditions: z.array(flipsConditionSchema),
});
export type FlipsReasoned = z.infer<typeof flipsReasonedSchema>;

export const flipsAnswerSchema = z.object({
  conditionId: z.string(),
  /** 1: an original that was asked a second time, for the A/A flip rate. */
  index: z.int().min(0).max(1),
  seed: z.int().min(0),
  outcome: outcomeSchema,
  /** Spelled as in the question's options; null where the reply says none of them, or none came. */
  answer: z.string().nullable(),
  text: z.string(),
  /** Probability of each option as first token, all its spellings summed; null where answers are read from text. */
  probabilities: z.array(z.object({ option: z.string(), probability: z.number().min(0).max(1) })).nullable(),
  /** Probability of first tokens that are no option; null as above. */
  outside: z.number().min(0).max(1).nullable(),
  promptTokens: z.int().min(0).nullable(),
  completionTokens: z.int().min(0).nullable(),
  latencyMs: z.number().min(0),
  startedAtMs: z.number(),
  error: z.object({ code: z.string(), message: z.string() }).optional(),
});
export type FlipsAnswer = z.infer<typeof flipsAnswerSchema>;

const trendSchema = z.object({
  z: z.number(),
  pIncrease: z.number(),
  twoSided: z.number(),
  method: z.enum(['exact', 'asymptotic']),
});

const rateSchema = z.object({
  flips: z.int().min(0),
  n: z.int().min(0),
  /** Null where n = 0. */
  rate: z.number().nullable(),
  interval: intervalSchema.nullable(),
  /** n is below 10: shown greyed, and nothing is claimed. */
  suppressed: z.boolean(),
});
export type FlipRateFigure = z.infer<typeof rateSchema>;

const rangeSchema = z.object({ low: z.number(), high: z.number() }).nullable();

const flipFiguresSchema = z.object({
  type: flipTypeSchema,
  rows: z.array(rateSchema.extend({ strength: strengthLevelSchema })).length(4),
  /** FR(3) − FR(0). */
  overall: z
    .object({
      difference: z.number(),
      interval: intervalSchema.nullable(),
      method: z.enum(['newcombe', 'clusterBootstrap']),
      suppressed: z.boolean(),
    })
    .nullable(),
  /** Cochran–Armitage over strength; takes items as independent. Null where there is nothing to test. */
  trend: trendSchema.nullable(),
  /** The same, flips exchanged within each question only; null unless questions have items of several strengths. */
  trendWithin: trendSchema.nullable(),
  /** How far FR(3) could move if `share` of the items of strength 2 and of 3 were of the other; null without a judge. */
  confusion: z
    .object({ share: z.number(), responsive: rangeSchema, overall: rangeSchema })
    .nullable()
    .default(null),
  /** Rates by true strength as the person's labels tell of the judge's errors; null under ten such labels. */
  corrected: z
    .object({
      rates: z.array(z.number().nullable()),
      intervals: z.array(intervalSchema.nullable()),
      overall: z.object({ difference: z.number().nullable(), interval: intervalSchema.nullable() }),
      labels: z.int().min(1),
    })
    .nullable()
    .default(null),
  /** Perturbations without a rating; in no rate. */
  unrated: z.int().min(0),
  /** Perturbations left out because they, or their original, have no readable answer. */
  unanswered: z.int().min(0),
});
export type FlipFigures = z.infer<typeof flipFiguresSchema>;

export const flipsRecordSchema = flipsPlanSchema.extend({
  state: z.enum(['complete', 'cancelled', 'failed']),
  finishedAt: z.iso.datetime(),
  versions: z.record(z.string(), z.string()),
  model: modelIdentitySchema,
  /** `probabilities`: argmax over first-token option probabilities. `text`: decoded and parsed. */
  decoding: z.enum(['probabilities', 'text']),
  answers: z.array(flipsAnswerSchema),
  /** One entry per type that has perturbations. */
  figures: z.array(flipFiguresSchema),
  /** How often the answer differs with nothing changed; null with temperature 0, where it cannot. */
  aa: rateSchema.nullable(),
  originals: z.object({
    /** With a readable answer. */
    answered: z.int().min(0),
    /** Answered as the set says is right; null where it does not say. */
    right: z.object({ right: z.int().min(0), n: z.int().min(0) }).nullable(),
    /** The answer given most often, of those answered. */
    commonest: z.object({ answer: z.string(), n: z.int().min(1) }).nullable(),
  }),
  /** Mean probability outside the options over all answers; null where answers are read from text. */
  outside: z.number().min(0).max(1).nullable(),
  actual: z.object({
    /** Model calls of all sessions of this run. */
    calls: z.int().min(0),
    /** Wall time of the last session, model loading included. */
    seconds: z.number().min(0),
  }),
  warnings: z.array(z.string()),
  error: z.object({ code: z.string(), message: z.string(), hint: z.string() }).nullable(),
});
export type FlipsRecord = z.infer<typeof flipsRecordSchema>;
