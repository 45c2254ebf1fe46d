import { z } from 'zod';

/** Where each answer lies in the two directions in which the answers of a run vary most. */
export const outputMapSchema = z.object({
  embedder: z.string(),
  /** Shares of the variance that the two axes show. */
  shares: z.tuple([z.number(), z.number()]),
  /** One entry per sample of the record, in its order; null for those that were not embedded. */
  points: z.array(z.tuple([z.number(), z.number()]).nullable()),
});
