/** What the page, the terminal and the exports show of a comparison of models. Made by `report`, drawn by `webview`. */
import { z } from 'zod';
import { headlineStateSchema } from './reportView';

const factSchema = z.object({ label: z.string(), value: z.string(), title: z.string().optional() });

export const comparedModelViewSchema = z.object({
  name: z.string(),
  /** Weights, size, quantisation, digest: what there is to know, in one line. */
  detail: z.string(),
  problem: z.string().nullable(),
  movement: z
    .object({
      mean: z.number(),
      low: z.number(),
      high: z.number(),
      text: z.string(),
      intervalText: z.string(),
    })
    .nullable(),
  movedText: z.string(),
  speedText: z.string(),
  answersText: z.string(),
  runs: z.array(z.string()),
});
export type ComparedModelView = z.infer<typeof comparedModelViewSchema>;

/** How the model of the row stands to that of the column. */
export const matrixCellSchema = z.object({
  row: z.int().min(0),
  column: z.int().min(0),
  state: z.enum(['steadier', 'lessSteady', 'tied', 'undecided']),
  text: z.string(),
  /** Movement of the column's model minus that of the row's. */
  difference: z.number(),
  differenceText: z.string(),
  intervalText: z.string(),
  pText: z.string(),
});
export type MatrixCell = z.infer<typeof matrixCellSchema>;

export const compareViewSchema = z.object({
  version: z.literal(1),
  runId: z.string(),
  title: z.string(),
  headline: z.object({ state: headlineStateSchema, word: z.string(), sentence: z.string() }),
  notes: z.array(z.string()),
  /** The steadiest first; models that could not be asked last. */
  models: z.array(comparedModelViewSchema),
  /** Every ordered pair of models that could be compared; indices into `models`. */
  matrix: z.array(matrixCellSchema),
  pairs: z.array(
    z.object({
      name: z.string(),
      steadier: z.string(),
      discordant: z.string(),
      behaviour: z.string().nullable(),
    }),
  ),
  /** One row per change, a cell per model in the order of `models`. */
  items: z.array(
    z.object({
      prompt: z.string().nullable(),
      name: z.string(),
      cells: z.array(
        z.object({ text: z.string(), effect: z.number().nullable(), moved: z.boolean() }).nullable(),
      ),
    }),
  ),
  explained: z.array(z.string()),
  facts: z.array(factSchema),
  reproduce: z.string(),
});
export type CompareView = z.infer<typeof compareViewSchema>;
