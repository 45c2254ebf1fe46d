/** A flips run as it is shown outside the terminal: every sentence and number, as text. Made by `report`, drawn by `webview`. */
import { z } from 'zod';
import { headlineStateSchema } from './reportView';

export const flipsRowSchema = z.object({
  strength: z.string(),
  flipped: z.string(),
  rate: z.string(),
  interval: z.string(),
  n: z.int().min(0),
  /** Under ten items: greyed, and nothing is claimed. */
  suppressed: z.boolean(),
  /** 0 … 1, for drawing; null where nothing is shown. */
  drawn: z.object({ rate: z.number(), low: z.number(), high: z.number() }).nullable(),
});
export type FlipsRow = z.infer<typeof flipsRowSchema>;

export const flipsPanelSchema = z.object({
  heading: z.string(),
  headline: z.string(),
  rows: z.array(flipsRowSchema),
  sentences: z.array(z.string()),
  /** Which kinds of change flip it; no claim, the kinds differ in strength. */
  kinds: z.array(z.object({ kind: z.string(), flipped: z.string() })),
  /** Changes that flipped the answer, the weakest first. */
  flipped: z.array(
    z.object({ change: z.string(), strength: z.string(), before: z.string(), after: z.string() }),
  ),
  /** Said when the list is shorter than what flipped. */
  more: z.string().nullable(),
});
export type FlipsPanel = z.infer<typeof flipsPanelSchema>;

export const flipsViewSchema = z.object({
  version: z.literal(1),
  runId: z.string(),
  title: z.string(),
  state: headlineStateSchema,
  explained: z.string(),
  /** Input and reasoning each on their own: they are never compared. */
  panels: z.array(flipsPanelSchema),
  /** What a person must know before believing a number. */
  notes: z.array(z.string()),
  facts: z.array(z.object({ name: z.string(), value: z.string() })),
});
export type FlipsView = z.infer<typeof flipsViewSchema>;
