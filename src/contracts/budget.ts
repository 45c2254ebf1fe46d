/** What a run may spend, and what its model costs. */
import { z } from 'zod';

export const priceSchema = z.object({
  /** US dollars per million tokens. */
  inPerMillion: z.number().min(0),
  outPerMillion: z.number().min(0),
  /** Year and month of a list price; null where it is no list price. */
  asOf: z.string().nullable(),
  source: z.string(),
});
export type Price = z.infer<typeof priceSchema>;

/** Hard caps on what a run may spend; what is missing is not capped. */
export const budgetLimitsSchema = z.object({
  calls: z.int().min(1).optional(),
  /** Read and written. */
  tokens: z.int().min(1).optional(),
  usd: z.number().gt(0).optional(),
  seconds: z.number().gt(0).optional(),
});
export type BudgetLimits = z.infer<typeof budgetLimitsSchema>;
