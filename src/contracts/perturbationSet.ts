/**
 * A set of perturbations that a person can read, edit and feed back: what `evenkeel perturb` writes (as YAML) and
 * `evenkeel flips --perturbations` reads. Spans and edits are not in it: they follow from the two texts.
 */
import { z } from 'zod';
import { expectationSchema, perturbationKindSchema } from './runRecord';

export const PERTURBATION_SET_VERSION = 1;

export const strengthLevelSchema = z.int().min(0).max(3);

export const perturbationStrengthSchema = z.object({
  level: strengthLevelSchema.nullable(),
  source: z.enum(['byConstruction', 'judge', 'user', 'unrated']),
  /** Single ratings of the judge; the level is their median. */
  ratings: z.array(strengthLevelSchema).default([]),
  /** Share of the ratings that equal the median; null without ratings. */
  agreement: z.number().min(0).max(1).nullable().default(null),
  justification: z.string().default(''),
  /** The judge's level where a person put another, or the same, in its place: kept for kappa. */
  judged: strengthLevelSchema.nullable().default(null),
  /** What the rule that wrote it declares; null for model-written and own texts. Kept when somebody rates it. */
  declared: strengthLevelSchema.nullable().default(null),
});
export type PerturbationStrength = z.infer<typeof perturbationStrengthSchema>;

export const ratedPerturbationSchema = z.object({
  id: z.string().min(1),
  kind: perturbationKindSchema,
  name: z.string().min(1),
  description: z.string().default(''),
  expectation: expectationSchema,
  /** The whole perturbed prompt. For `cot`: the perturbed reasoning. */
  text: z.string().min(1),
  /** Sent as first line of the system message; the text is then the unchanged prompt. */
  systemLine: z.string().min(1).optional(),
  strength: perturbationStrengthSchema,
  /** false: kept in the file, not used. */
  use: z.boolean().default(true),
});
export type RatedPerturbation = z.infer<typeof ratedPerturbationSchema>;

export const perturbationSetSchema = z.object({
  version: z.literal(PERTURBATION_SET_VERSION),
  /** The unchanged prompt, variables unbound. A set is used only with the prompt that it was made for. */
  prompt: z.string().min(1),
  /** The unchanged reasoning that the texts of kind `cot` are versions of; null in a set without them. */
  reasoning: z.string().min(1).nullable().default(null),
  seed: z.int().min(0),
  /** Model ids; null where rules wrote or rated. */
  writer: z.string().nullable(),
  judge: z.string().nullable(),
  perturbations: z.array(ratedPerturbationSchema),
  rejected: z.array(z.object({ name: z.string(), reason: z.string() })).default([]),
});
export type PerturbationSet = z.infer<typeof perturbationSetSchema>;

/** One question of a multiple-choice set, a line of JSONL. */
export const questionSchema = z.object({
  id: z.string().min(1),
  question: z.string().min(1),
  options: z.array(z.object({ label: z.string().min(1), text: z.string() })).min(2),
  /** Label of the right option; null where there is none. Flip rates do not need it. */
  answer: z.string().nullable().default(null),
});
export type Question = z.infer<typeof questionSchema>;
