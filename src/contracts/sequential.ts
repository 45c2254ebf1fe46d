import { z } from 'zod';

/** Looks at the answers while they come in, declared before the first call (methods.md, section 4). */
export const sequentialSchema = z.object({
  /** Answers per prompt at each look; the last is `options.samples`. */
  sizes: z.array(z.int().min(2)).min(2),
  /** Level of each look; together they are alpha. */
  levels: z.array(z.number().min(0)),
  /** The looks that were made. */
  looks: z.array(
    z.object({
      /** Of every change that was still open. */
      tests: z.array(
        z.object({
          perturbationId: z.string(),
          /** Permutation p of the answers up to this look; null where none is claimed. */
          p: z.number().nullable(),
          /** Adjusted for the looks so far; never rises from look to look. */
          adjustedP: z.number().nullable(),
          /** Its verdict was certain, and nothing more was asked for it. */
          stopped: z.boolean(),
        }),
      ),
    }),
  ),
  /** Planned answers that no longer had to be asked for. */
  savedCalls: z.int().min(0),
});
export type Sequential = z.infer<typeof sequentialSchema>;
