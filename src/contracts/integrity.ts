import { z } from 'zod';

/** Whether the measurement itself can be trusted. */
export const integritySchema = z.object({
  /** One sentence each; with any of them nothing is claimed. */
  problems: z.array(z.string()),
  /** Drift of the answers to the unchanged prompt over the run; p null where time tells nothing. */
  drift: z.object({ p: z.number().nullable(), n: z.int().min(0) }).nullable(),
});
export type Integrity = z.infer<typeof integritySchema>;
