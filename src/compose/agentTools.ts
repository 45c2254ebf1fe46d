/**
 * What agents may ask for, in the editor and over MCP: the same three tools. Their results hold no answer of the model under test,
 * which could talk to the agent; only verdicts and figures, and words of the prompt that the agent gave.
 */
import { z } from 'zod';
import type { Perturbation, Plan, RunRecord } from '../contracts/runRecord';
import { UserError } from '../contracts/userError';
import { countOf, formatDuration } from '../report/format';
import { comparisonSentence, headline } from '../report/sentences';
import { toPrintable } from '../report/visibleText';
import { newestRuns } from './newestRuns';
import type { Evenkeel } from './evenkeel';

const asked = {
  model: z
    .string()
    .optional()
    .describe('Model to ask, e.g. ollama:gemma3:1b. Left out: the one that the person has set.'),
  variables: z
    .record(z.string(), z.string())
    .optional()
    .describe('Values of the variables of the prompt, such as {{name}}.'),
  samples: z
    .int()
    .min(4)
    .max(200)
    .optional()
    .describe('Answers per wording, 4 to 200. More find smaller changes.'),
};
const promptInput = z.object({
  prompt: z.string().min(1).describe('The whole text of the prompt.'),
  ...asked,
});
const editInput = z.object({
  before: z.string().min(1).describe('The prompt before the edit.'),
  after: z.string().min(1).describe('The prompt after the edit.'),
  ...asked,
});

export const AGENT_TOOLS = {
  checkPrompt: {
    name: 'evenkeel_check_prompt',
    title: 'Check a prompt',
    description:
      'Tests whether harmless changes of a prompt (a trailing space, a contraction, a rewording) move the answers of a real model. ' +
      'Returns a verdict with effect sizes and adjusted p-values. Asks the model many times: seconds to minutes.',
    input: promptInput,
  },
  compareEdit: {
    name: 'evenkeel_compare_edit',
    title: 'Compare an edit of a prompt',
    description:
      'Tests whether an edit of a prompt changed the answers of a real model, and by more than a harmless rewording would. ' +
      'Give the whole prompt before and after. Asks the model many times: seconds to minutes.',
    input: editInput,
  },
  listFlipProne: {
    name: 'evenkeel_list_flip_prone',
    title: 'List flip-prone sentences',
    description:
      'Lists the sentences of a prompt whose harmless changes move the answers of a real model, the strongest first. ' +
      'Uses the newest kept check of exactly this prompt, and runs one where there is none.',
    input: promptInput,
  },
} as const;
export type AgentToolName = keyof typeof AGENT_TOOLS;

export interface AgentTool {
  /** What it would ask and what that costs. Calls no model. UserError on bad input. */
  plan(input: unknown): Promise<{ modelId: string; text: string; free: boolean }>;
  /** The result in words. UserError where nothing could be measured, or where it may cost money and must not. */
  run(
    input: unknown,
    hooks: { signal: AbortSignal; onProgress?: (done: number, total: number) => void },
  ): Promise<string>;
}

export interface AgentDeps {
  evenkeel(): Promise<Evenkeel>;
  /** What the person has set. */
  defaults(): { modelId: string; samples: number; answerTokens: number; limit: number; seed: number };
  /** Runs that cost money, or that may, are refused unless the person has allowed them. */
  mayCost: boolean;
  /** Before anything is sent, e.g. to another machine. False: it is refused. */
  maySend?(modelId: string): Promise<boolean>;
}

export function createAgentTools(deps: AgentDeps): Record<AgentToolName, AgentTool> {
  async function prepareCheck(given: unknown) {
    const input = parsed(promptInput, given);
    const defaults = deps.defaults();
    const modelId = input.model ?? defaults.modelId;
    const evenkeel = await deps.evenkeel();
    const prepared = await evenkeel.prepare({
      text: input.prompt,
      source: null,
      variables: input.variables ?? {},
      modelId,
      seed: defaults.seed,
      limit: defaults.limit,
      options: { samples: input.samples ?? defaults.samples, answerTokens: defaults.answerTokens },
      reproduce: (seed) => `evenkeel robustness FILE --model ${modelId} --seed ${seed}`,
    });
    return { evenkeel, modelId, plan: prepared.plan, run: evenkeel.run.bind(evenkeel, prepared) };
  }
  async function prepareEdit(given: unknown) {
    const input = parsed(editInput, given);
    if (input.before.trim() === input.after.trim()) {
      throw new UserError(
        'usage',
        'Both prompts are the same.',
        'Give the prompt before and after the edit.',
      );
    }
    const defaults = deps.defaults();
    const modelId = input.model ?? defaults.modelId;
    const evenkeel = await deps.evenkeel();
    const prepared = await evenkeel.edits.prepare({
      text: input.before,
      editedText: input.after,
      source: null,
      against: 'before',
      variables: input.variables ?? {},
      modelId,
      writerId: null,
      seed: defaults.seed,
      options: { samples: input.samples ?? defaults.samples, answerTokens: defaults.answerTokens },
      reproduce: (seed) => `evenkeel check NEW --base OLD --model ${modelId} --seed ${seed}`,
    });
    return { evenkeel, modelId, plan: prepared.plan, run: evenkeel.edits.run.bind(null, prepared) };
  }
  type Prepared = Awaited<ReturnType<typeof prepareCheck>>;
  const planOf = async (preparing: Promise<Prepared>) => {
    const { modelId, plan } = await preparing;
    return { modelId, text: planText(modelId, plan), free: plan.priceUsd === 0 };
  };
  const runOf = async (preparing: Promise<Prepared>, hooks: Parameters<AgentTool['run']>[1]) => {
    const { evenkeel, modelId, plan, run } = await preparing;
    if (plan.priceUsd !== 0 && !deps.mayCost) {
      throw new UserError(
        'usage',
        `Asking ${modelId} may cost money, and that is not allowed here.`,
        'Name a model of this machine (local:… or ollama:…), or let the person start it with --allow-paid.',
      );
    }
    if (deps.maySend !== undefined && !(await deps.maySend(modelId))) {
      throw new UserError('cancelled', 'The person did not allow it.', 'Ask another model.');
    }
    const listing = modelId.startsWith('local:')
      ? (await evenkeel.models(hooks.signal)).find(({ id }) => id === modelId)
      : undefined;
    if (listing?.state === 'download') {
      throw new UserError(
        'modelNotInstalled',
        `The weights of ${modelId} are not on this machine.`,
        'The person fetches them with a first check in the editor or on the command line.',
      );
    }
    return run({
      signal: hooks.signal,
      onEvent(event) {
        if (event.type === 'progress' && event.phase === 'sampling')
          hooks.onProgress?.(event.done, event.total);
      },
    });
  };
  return {
    checkPrompt: {
      plan: (input) => planOf(prepareCheck(input)),
      run: async (input, hooks) => verdictText(await runOf(prepareCheck(input), hooks)),
    },
    compareEdit: {
      plan: (input) => planOf(prepareEdit(input)),
      run: async (input, hooks) => verdictText(await runOf(prepareEdit(input), hooks)),
    },
    listFlipProne: {
      plan: (input) => planOf(prepareCheck(input)),
      async run(input, hooks) {
        const { prompt, model = deps.defaults().modelId } = parsed(promptInput, input);
        const kept = (await newestRuns((await deps.evenkeel()).runs)).find(
          (record) =>
            record.kind === 'robustness' &&
            record.state === 'complete' &&
            record.prompt.text === prompt &&
            record.model.id === model,
        );
        return sentencesText(kept ?? (await runOf(prepareCheck(input), hooks)), kept !== undefined);
      },
    },
  };
}

function parsed<T extends z.ZodType>(schema: T, given: unknown): z.infer<T> {
  const result = schema.safeParse(given);
  if (result.success) return result.data;
  const issue = result.error.issues[0];
  throw new UserError(
    'usage',
    `The input is not right: ${issue?.path.join('.') ?? ''} ${issue?.message ?? ''}`.trim(),
    'Give what the schema of the tool asks for.',
  );
}

function planText(modelId: string, plan: Plan): string {
  const price =
    plan.priceUsd === null
      ? 'price not known'
      : plan.priceUsd === 0
        ? 'free'
        : `about $${plan.priceUsd.toFixed(2)}`;
  const time =
    plan.seconds === null ? 'time not known yet' : `about ${formatDuration(Math.max(1, plan.seconds))}`;
  const kept = plan.cachedCalls ? `, ${plan.cachedCalls} of them kept from before` : '';
  return `${countOf(plan.calls, 'call')} to ${modelId}${kept}; ${time}; ${price}`;
}

function verdictText(record: RunRecord): string {
  const lines = record.comparisons.flatMap((comparison) => {
    const perturbation = record.perturbations.find(({ id }) => id === comparison.perturbationId);
    if (perturbation === undefined) return [];
    const place = record.kind === 'edit' ? '' : ` ${placeText(perturbation, record)}`;
    return [`- ${comparisonSentence(comparison, perturbation, record)}${place}`];
  });
  return finished([headline(record).sentence, ...lines, ...record.conclusion.warnings, `Run ${record.id}.`]);
}

/** Sentences with a change that moved the answers, the largest effect first. */
function sentencesText(record: RunRecord, kept: boolean): string {
  const moved = record.comparisons
    .filter(({ verdict }) => verdict === 'changed')
    .toSorted((a, b) => (b.effect?.debiased ?? 1) - (a.effect?.debiased ?? 1))
    .flatMap((comparison) => {
      const perturbation = record.perturbations.find(({ id }) => id === comparison.perturbationId);
      return perturbation?.expectation === 'irrelevant'
        ? [`- ${placeText(perturbation, record)} ${comparisonSentence(comparison, perturbation, record)}`]
        : [];
    });
  return finished([
    moved.length === 0
      ? 'No harmless change of any sentence was seen to move the answers.'
      : `${countOf(moved.length, 'harmless change')} moved the answers, the strongest first:`,
    ...moved,
    headline(record).sentence,
    `Run ${record.id}${kept ? `, kept from ${record.finishedAt}` : ''}.`,
  ]);
}

function placeText({ sentence, span }: Perturbation, record: RunRecord): string {
  const place = sentence ?? (span.end > span.start ? span : null);
  if (place === null) return '(the whole prompt)';
  const line = record.prompt.text.slice(0, place.start).split('\n').length;
  return `(line ${line}: “${record.prompt.text.slice(place.start, place.end).replaceAll(/\s+/g, ' ').slice(0, 160)}”)`;
}

const finished = (lines: string[]): string => toPrintable(lines.join('\n'));
