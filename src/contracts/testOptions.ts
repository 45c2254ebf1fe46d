/** Choices of the test that a person can make by name. */
import { z } from 'zod';

export const multiplicitySchema = z.enum(['holm', 'hochberg', 'bh', 'by', 'bonferroni']);

/**
 * Statistics of arXiv 2506.07947, one of which can decide alone. `published-jsd`: JS distance of similarity histograms
 * (Table 2). Energy distances of Table 4: with 1 − cosine, with Euclidean distance of unit vectors, with the sum of
 * absolute differences of the vectors as given.
 */
export const publishedStatisticSchema = z.enum([
  'published-jsd',
  'published-energy-cosine',
  'published-energy-euclidean',
  'published-energy-l1',
]);
export type PublishedStatistic = z.infer<typeof publishedStatisticSchema>;
