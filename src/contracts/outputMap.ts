import { z } from 'zod';

/** Two-dimensional sketch of a run's answers. */
export const outputMapSchema = z.object({
  embedder: z.string(),
  /** Shares of the variance that the two axes show. */
  shares: z.tuple([z.number(), z.number()]),
  /** One entry per sample of the record, in its order; null for those that were not embedded. */
  points: z.array(z.tuple([z.number(), z.number()]).nullable()),
});
