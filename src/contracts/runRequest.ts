/** What a run was asked to do, kept from its beginning, so that one that stopped can go on. */
import { z } from 'zod';
import {
  modelIdentitySchema,
  perturbationSchema,
  planSchema,
  runOptionsSchema,
  runRecordSchema,
} from './runRecord';

export const runRequestSchema = z.object({
  version: z.literal(1),
  runId: z.string(),
  kind: z.enum(['robustness', 'edit']),
  modelId: z.string(),
  /** What the model was when the run began: answers of another one are no continuation. */
  model: modelIdentitySchema,
  prompt: runRecordSchema.shape.prompt,
  commit: runRecordSchema.shape.commit,
  /** Of an edit: the edit first, then the rewordings. */
  perturbations: z.array(perturbationSchema),
  against: z.string().optional(),
  options: runOptionsSchema,
  plan: planSchema,
  seed: z.int().min(0),
  versions: z.record(z.string(), z.string()),
  reproduce: z.string(),
});
export type RunRequest = z.infer<typeof runRequestSchema>;
