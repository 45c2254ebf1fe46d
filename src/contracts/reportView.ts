/**
 * What the report page, the exported file and the terminal show of a run: text that is ready to be read,
 * with the raw numbers beside it. Made by `report` from a run record; drawn by `webview`.
 */
import { z } from 'zod';
import {
  expectationSchema,
  outcomeSchema,
  perturbationKindSchema,
  spanSchema,
  verdictSchema,
} from './runRecord';

export const REPORT_VIEW_VERSION = 1;

/** A stretch of text. `mark` names an invisible or dangerous character whose visible stand-in `text` is. */
export const textRunSchema = z.object({ text: z.string(), mark: z.string().optional() });
export type TextRun = z.infer<typeof textRunSchema>;

/** Text made safe to look at; `hiddenChars` were cut off at the end. */
export const visibleTextSchema = z.object({ runs: z.array(textRunSchema), hiddenChars: z.int().min(0) });
export type VisibleText = z.infer<typeof visibleTextSchema>;

export const diffPartSchema = z.object({
  op: z.enum(['same', 'added', 'removed']),
  runs: z.array(textRunSchema),
});
export type DiffPart = z.infer<typeof diffPartSchema>;

/** One place where the prompt was edited, with a little of what stands around it. */
export const diffHunkSchema = z.object({
  elidedBefore: z.boolean(),
  elidedAfter: z.boolean(),
  parts: z.array(diffPartSchema),
});
export type DiffHunk = z.infer<typeof diffHunkSchema>;

const numberTextSchema = z.object({ value: z.number(), text: z.string() });

const effectViewSchema = z.object({
  raw: z.number(),
  debiased: z.number(),
  low: z.number(),
  high: z.number(),
  level: z.number(),
  rawText: z.string(),
  text: z.string(),
  intervalText: z.string(),
});

export const memberViewSchema = z.object({
  id: z.string(),
  name: z.string(),
  statistic: numberTextSchema,
  z: numberTextSchema,
  p: numberTextSchema,
  adjustedP: numberTextSchema,
  agrees: z.boolean(),
  dropped: z.string().nullable(),
});
export type MemberView = z.infer<typeof memberViewSchema>;

/** A distinct answer and how many samples of each arm gave it. */
const answerViewSchema = z.object({
  text: visibleTextSchema,
  baseline: z.int().min(0),
  perturbed: z.int().min(0),
});

const outcomeCountSchema = z.object({
  outcome: outcomeSchema,
  label: z.string(),
  count: z.int().min(0),
});

const pairViewSchema = z.object({
  /** `SampleView.index` within each arm. */
  baseline: z.int().min(0),
  perturbed: z.int().min(0),
  similarityText: z.string(),
});

export const comparisonViewSchema = z.object({
  perturbationId: z.string(),
  conditionId: z.string(),
  name: z.string(),
  description: z.string(),
  kind: perturbationKindSchema,
  kindText: z.string(),
  expectation: expectationSchema,
  /** Null where nobody expects anything of it: an edit. */
  expectationText: z.string().nullable(),
  /** How far it moved the answers, in a word that goes with its interval; null where it did not, or is not clear. */
  sizeText: z.string().nullable(),
  strength: z.int().nullable(),
  strengthText: z.string(),
  span: spanSchema,
  verdict: verdictSchema,
  verdictText: z.string(),
  sentence: z.string(),
  undecidedText: z.string().nullable(),
  n0: z.int(),
  n1: z.int(),
  effect: effectViewSchema.nullable(),
  p: z.number().nullable(),
  pText: z.string(),
  adjustedP: z.number().nullable(),
  adjustedPText: z.string(),
  diff: z.array(diffHunkSchema),
  members: z.array(memberViewSchema),
  agreementText: z.string(),
  permutationText: z.string(),
  histogram: z
    .object({ edges: z.array(z.number()), p0: z.array(z.number()), p1: z.array(z.number()) })
    .nullable(),
  nullHistogram: z
    .object({ edges: z.array(z.number()), counts: z.array(z.number()), observed: z.number() })
    .nullable(),
  /** The two answers most alike and least alike across the arms; null where that was not measured. */
  pairs: z.object({ nearest: pairViewSchema, furthest: pairViewSchema }).nullable(),
  answers: z.array(answerViewSchema),
  /** Samples of either arm whose answer is not among `answers`. */
  otherAnswers: z.object({ distinct: z.int(), baseline: z.int(), perturbed: z.int() }),
  outcomes: z.array(outcomeCountSchema),
});
export type ComparisonView = z.infer<typeof comparisonViewSchema>;

/** A stretch of the prompt. `state` is null where no perturbation is confined to it. */
export const promptPieceSchema = z.object({
  span: spanSchema,
  text: visibleTextSchema,
  state: z.enum(['wobbles', 'steady', 'undecided']).nullable(),
  label: z.string(),
  /** 0 (nothing was seen to move) to 4 (the most that an effect can say); null where nothing was measured. */
  heat: z.int().min(0).max(4).nullable(),
  /** Perturbations of this stretch, largest effect first. */
  perturbationIds: z.array(z.string()),
});
export type PromptPiece = z.infer<typeof promptPieceSchema>;

const factSchema = z.object({ label: z.string(), value: z.string(), title: z.string().optional() });
export type Fact = z.infer<typeof factSchema>;

export const glossaryEntrySchema = z.object({
  id: z.string(),
  term: z.string(),
  meaning: z.string(),
  formula: z.string().nullable(),
});
export type GlossaryEntry = z.infer<typeof glossaryEntrySchema>;

/** Answers in two dimensions; equal answers of one condition are one point. */
const mapViewSchema = z.object({
  embedder: z.string(),
  sharesText: z.string(),
  points: z.array(
    z.object({
      conditionId: z.string(),
      x: z.number(),
      y: z.number(),
      count: z.int().min(1),
      text: z.string(),
    }),
  ),
  /** Points that are not drawn, as there are too many. */
  left: z.int().min(0),
});
export type MapView = z.infer<typeof mapViewSchema>;

const rocViewSchema = z.object({
  points: z.array(z.object({ fpr: z.number(), tpr: z.number(), thresholdText: z.string() })),
  auc: z.number(),
  aucText: z.string(),
  sentence: z.string(),
});
export type RocView = z.infer<typeof rocViewSchema>;

/** Looks at the answers while they came in. Smaller p-values cross a boundary; Holm moves it from `first` to `level`. */
const sequentialViewSchema = z.object({
  looks: z.array(
    z.object({
      answers: z.int(),
      /** What a change must pass when all others are decided already, and when none is. */
      level: z.number(),
      first: z.number(),
      levelText: z.string(),
      firstText: z.string(),
      made: z.boolean(),
    }),
  ),
  changes: z.array(
    z.object({
      perturbationId: z.string(),
      name: z.string(),
      stopped: z.boolean(),
      points: z.array(z.object({ answers: z.int(), p: z.number(), pText: z.string() })),
    }),
  ),
  sentence: z.string(),
});
export type SequentialView = z.infer<typeof sequentialViewSchema>;

/** An edit among harmless rewordings of the prompt before it: distances of each from all others. */
const compositeViewSchema = z.object({
  rewordings: z.array(z.object({ name: z.string(), text: z.string(), score: z.number() })),
  edit: z.number(),
  sentence: z.string(),
});
export type CompositeView = z.infer<typeof compositeViewSchema>;

const editViewSchema = z.object({
  against: z.string(),
  /** All of the prompt, the edited places marked. */
  diff: z.array(diffHunkSchema),
  asked: z.array(z.object({ what: z.string(), answers: z.int(), usable: z.int(), why: z.string() })),
  composite: compositeViewSchema.nullable(),
});
export type EditView = z.infer<typeof editViewSchema>;

const timelineViewSchema = z.object({
  /** Seconds since the first call, seconds that the answer took. At most 400, evenly picked. */
  points: z.array(z.object({ at: z.number(), seconds: z.number(), ok: z.boolean() })),
  /** Medians of up to 20 stretches of the run. */
  medians: z.array(z.object({ at: z.number(), seconds: z.number(), calls: z.int(), failed: z.int() })),
  sentence: z.string(),
});
export type TimelineView = z.infer<typeof timelineViewSchema>;

/** The same prompt's earlier runs with the same model, oldest first. */
const historyEntrySchema = z.object({
  runId: z.string(),
  when: z.string(),
  state: z.enum(['steady', 'wobbles', 'undecided']),
  /** Largest debiased effect of a change that should not matter; null where none was measured. */
  largest: z.number().nullable(),
  moved: z.int().min(0),
  tested: z.int().min(0),
  samePrompt: z.boolean(),
  /** `1a2b3c4`, with `+` where the prompt's file was edited since; null outside a repository. */
  commit: z.string().nullable(),
});
export type HistoryEntry = z.infer<typeof historyEntrySchema>;

const againstViewSchema = z.object({
  runId: z.string(),
  sentence: z.string(),
  /** What differs between the runs besides their answers. */
  differences: z.array(z.string()),
  rows: z.array(
    z.object({
      perturbationId: z.string(),
      name: z.string(),
      before: z
        .object({ verdictText: z.string(), effectText: z.string(), effect: z.number().nullable() })
        .nullable(),
      now: z
        .object({ verdictText: z.string(), effectText: z.string(), effect: z.number().nullable() })
        .nullable(),
      flipped: z.boolean(),
    }),
  ),
});
export type AgainstView = z.infer<typeof againstViewSchema>;

export const headlineStateSchema = z.enum(['steady', 'wobbles', 'undecided', 'cancelled', 'failed']);
export type HeadlineState = z.infer<typeof headlineStateSchema>;

export const reportViewSchema = z.object({
  version: z.literal(REPORT_VIEW_VERSION),
  runId: z.string(),
  title: z.string(),
  headline: z.object({ state: headlineStateSchema, word: z.string(), sentence: z.string() }),
  /** What to do next, for a run that failed or was cancelled. */
  nextStep: z.string().nullable(),
  /** Of an edit: how it stands among harmless rewordings. */
  composite: z.string().nullable(),
  /** Why the figures below are not to be relied on as they stand; null where they are. */
  caution: z.string().nullable(),
  alpha: z.number(),
  facts: z.array(factSchema),
  warnings: z.array(z.string()),
  baselineId: z.string().nullable(),
  prompt: z.object({
    path: z.string().nullable(),
    revealable: z.boolean(),
    pieces: z.array(promptPieceSchema),
    variables: z.array(z.object({ name: z.string(), value: visibleTextSchema })),
    /** The baseline as it was sent, where variables make it differ from the text. */
    rendered: visibleTextSchema.nullable(),
  }),
  /** Largest debiased effect first; comparisons without an effect last. */
  comparisons: z.array(comparisonViewSchema),
  noiseFloor: z.object({ median: z.number(), q95: z.number(), sentence: z.string() }).nullable(),
  /** What the answers of the whole run were like. */
  outcomes: z.array(outcomeCountSchema),
  mdeSentence: z.string(),
  map: mapViewSchema.nullable(),
  roc: rocViewSchema.nullable(),
  sequential: sequentialViewSchema.nullable(),
  /** Of a check of an edit. */
  edit: editViewSchema.nullable(),
  timeline: timelineViewSchema.nullable(),
  /** All prompts that were asked, in the order of the run. */
  conditions: z.array(z.object({ id: z.string(), name: z.string(), samples: z.int().min(0) })),
  /** The commonest answers of the whole run, for a filter. */
  commonAnswers: z.array(z.object({ text: z.string(), count: z.int().min(1) })),
  history: z.array(historyEntrySchema),
  against: againstViewSchema.nullable(),
  method: z.array(z.object({ heading: z.string(), text: z.string() })),
  options: z.array(factSchema),
  reproduce: z.string(),
  glossary: z.array(glossaryEntrySchema),
});
export type ReportView = z.infer<typeof reportViewSchema>;

export const sampleViewSchema = z.object({
  index: z.int().min(0),
  outcome: outcomeSchema,
  outcomeText: z.string(),
  text: visibleTextSchema,
  thinking: visibleTextSchema.nullable(),
  /** Seed, tokens, latency. */
  detail: z.string(),
  clipped: z.boolean(),
  conditionId: z.string(),
});
export type SampleView = z.infer<typeof sampleViewSchema>;

/** How a run goes on. `done` and `total` count what the phase works on; total 0: not known yet. */
export const progressViewSchema = z.object({
  title: z.string(),
  modelId: z.string(),
  phaseText: z.string(),
  /** 1-based, of `phases`. */
  phase: z.int().min(1),
  phases: z.int().min(1),
  done: z.int().min(0),
  total: z.int().min(0),
  countText: z.string(),
  timeLeftText: z.string().nullable(),
  cancelling: z.boolean(),
  warnings: z.array(z.string()),
  /** Of a run with several looks: those that were made, in words; no p-value is shown before its look. */
  looksText: z.string().nullable(),
  /** What has arrived so far, per prompt, in the order of the plan; nothing is tested before all of its look is there. */
  arms: z.array(
    z.object({
      name: z.string(),
      done: z.int().min(0),
      total: z.int().min(1),
      /** The answer given most often so far, in one line. */
      commonest: z.string().nullable(),
      failed: z.int().min(0),
    }),
  ),
});
export type ProgressView = z.infer<typeof progressViewSchema>;
