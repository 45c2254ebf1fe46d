import { flipsView } from '../../report/flipsView';
import { htmlSheet } from '../../compose/htmlReport';
import { requireWritable, writeReport } from '../writeReport';
import { toPrintable } from '../../report/visibleText';
import type { FlipsRequest } from '../../compose/flips';
import type { FlipsPlan, FlipsRecord } from '../../contracts/flipsRecord';
import { UserError } from '../../contracts/userError';
import { DEFAULT_IN_PROCESS_MODEL } from '../../providers/weights/catalogue';
import { formatDuration } from '../../report/format';
import type { CliContext } from '../context';
import { EXIT } from '../exitCodes';
import { chooseSeed } from '../chooseSeed';
import { openEvenkeel } from '../openEvenkeel';
import type { ServerFlags } from '../serverFlags';
import { readPrompt } from '../readPrompt';
import { readPromptArgument } from '../readPromptArgument';
import { renderFlips, renderFlipsComparisons, renderFlipsConditions, renderFlipsPlan } from '../renderFlips';
import { bytes } from '../words';
import { commandOf } from '../reproduce';

export interface FlipsFlags extends ServerFlags {
  perturbations?: string;
  questions?: string;
  resume?: string;
  against?: string[];
  model?: string;
  seed?: number;
  fresh?: boolean;
  limit?: number;
  kinds?: string[];
  levels?: string[];
  cotSteps?: string[];
  options?: string[];
  answerPattern?: string;
  var?: Record<string, string>;
  system?: string;
  temperature?: number;
  answerTokens?: number;
  asText?: boolean;
  dryRun?: boolean;
  json?: boolean;
  report?: string;
  compareTypes?: boolean;
}

/** `evenkeel flips FILE`, `--questions FILE.jsonl` or `--resume RUN`: how easily do answers flip? */
export async function flips(
  context: CliContext,
  file: string | undefined,
  flags: FlipsFlags,
): Promise<number> {
  refuseWrongFlags(file, flags);
  await requireWritable(flags.report);
  const { terminal } = context;
  const evenkeel = openEvenkeel(context, flags);
  try {
    // Looked up first: nothing should be asked for a comparison that cannot be made.
    const others = await Promise.all((flags.against ?? []).map((id) => evenkeel.flips.read(id)));
    const plan =
      flags.resume === undefined
        ? evenkeel.flips.prepare(await requestOf(file, flags, context.distDir))
        : await evenkeel.flips.planOf(flags.resume);
    if (flags.dryRun === true) {
      terminal.out(
        flags.json === true ? JSON.stringify(plan, null, 2) : renderFlipsConditions(plan, terminal),
      );
      terminal.detail(renderFlipsPlan(plan, await evenkeel.flips.cachedCalls(plan), terminal));
      return EXIT.policyMet;
    }
    const record = (await finishedRun(plan)) ?? (await runPlan(plan));
    const comparisons = others.length === 0 ? [] : evenkeel.flips.compare([record, ...others]);
    if (flags.json === true) {
      terminal.out(JSON.stringify(others.length === 0 ? record : { ...record, comparisons }, null, 2));
    } else {
      terminal.out(renderFlips(record, terminal));
      if (comparisons.length > 0) {
        const models = new Map([record, ...others].map(({ id, modelId }) => [id, `${modelId} (${id})`]));
        terminal.out(renderFlipsComparisons(comparisons, (id) => models.get(id) ?? id, terminal));
      }
    }
    if (flags.report !== undefined) {
      const page = await htmlSheet({ type: 'showFlips', view: flipsView(record) }, context.distDir);
      await writeReport(flags.report, page, record.id);
      terminal.detail(`Report: ${toPrintable(flags.report)}`);
    }
    return exitCodeOfFlips(record);
  } finally {
    await evenkeel.close();
  }

  async function finishedRun(plan: FlipsPlan): Promise<FlipsRecord | null> {
    if (flags.resume === undefined) return null;
    const record = await evenkeel.flips.read(plan.id).catch((error: unknown) => {
      if (error instanceof UserError && error.code === 'fileNotFound') return null;
      throw error;
    });
    return record?.state === 'complete' ? record : null;
  }

  async function runPlan(plan: FlipsPlan): Promise<FlipsRecord> {
    terminal.detail(renderFlipsPlan(plan, await evenkeel.flips.cachedCalls(plan), terminal));
    await evenkeel.fetchWeights(plan.modelId, {
      signal: context.signal,
      onProgress: (done, total) => terminal.progress(`fetching the model  ${bytes(done)} of ${bytes(total)}`),
    });
    const record = await evenkeel.flips.run(plan, {
      signal: context.signal,
      onEvent: (event) => {
        if (event.type === 'warning') terminal.note(event.message);
        if (event.type === 'reasoning') terminal.progress(`reasoning  ${event.done} of ${event.total}`);
        if (event.type !== 'progress') return;
        const left = event.secondsLeft === null ? '' : `  ${formatDuration(event.secondsLeft)} left`;
        terminal.progress(`asking  ${event.done} of ${event.total}${left}`);
      },
    });
    terminal.settle();
    return record;
  }
}

function refuseWrongFlags(file: string | undefined, flags: FlipsFlags): void {
  if (flags.compareTypes === true) {
    throw new UserError(
      'usage',
      'Flip rates of the prompt and of the reasoning are not compared: a strength of 2 in a step of reasoning is not a strength of 2 in a question, and reasoning hardly flips at any (arXiv 2609.30849).',
      'Compare two models on the same kind of change: --against RUN.',
    );
  }
  const ways = [file, flags.questions, flags.resume].filter((way) => way !== undefined);
  if (ways.length !== 1) {
    throw new UserError(
      'usage',
      ways.length === 0 ? 'Nothing is named to be measured.' : 'Two things are named to be measured.',
      'Name one: a prompt FILE, --questions FILE.jsonl, or --resume RUN.',
    );
  }
  if (file === undefined && flags.perturbations !== undefined) {
    throw new UserError(
      'usage',
      '--perturbations goes with a prompt FILE.',
      'The rules make the perturbations of questions; choose them with --kinds and --levels.',
    );
  }
}

async function requestOf(
  file: string | undefined,
  flags: FlipsFlags,
  distDir: string,
): Promise<FlipsRequest> {
  const modelId = flags.model ?? DEFAULT_IN_PROCESS_MODEL;
  const source = file === undefined ? await questionsSource(flags) : await promptSource(file, flags, distDir);
  const variables = source.type === 'prompt' ? source.variables : {};
  const seed = chooseSeed(flags, { text: source.text, variables, modelId });
  return {
    modelId,
    seed,
    source,
    kinds: flags.kinds,
    ...(flags.cotSteps === undefined ? {} : { cotSteps: flags.cotSteps.map(Number) }),
    limit: flags.limit,
    system: flags.system,
    temperature: flags.temperature,
    answerTokens: flags.answerTokens,
    asText: flags.asText,
    reproduce: commandOf('flips', file === undefined ? [] : [file], {
      ...flags,
      against: undefined,
      model: modelId,
      seed,
    }),
  };
}

async function promptSource(
  file: string,
  flags: FlipsFlags,
  distDir: string,
): Promise<FlipsRequest['source']> {
  const found = await readPrompt(file, distDir, flags.var);
  return {
    type: 'prompt',
    path: found.source?.path ?? null,
    text: found.text,
    variables: { ...found.variables, ...flags.var },
    set: flags.perturbations === undefined ? null : (await readPromptArgument(flags.perturbations)).content,
    options: flags.options ?? null,
    pattern: flags.answerPattern ?? null,
  };
}

async function questionsSource(flags: FlipsFlags): Promise<FlipsRequest['source']> {
  const { path, content } = await readPromptArgument(flags.questions!);
  return {
    type: 'questions',
    path: path ?? 'standard input',
    text: content,
    ...(flags.levels === undefined ? {} : { levels: flags.levels.map(Number) }),
  };
}

/** Undecided: no strength has the ten items that a claim needs. */
function exitCodeOfFlips(record: FlipsRecord): number {
  if (record.state === 'cancelled') return EXIT.cancelled;
  if (record.state === 'failed') return EXIT.provider;
  const claims = record.figures.some(({ rows }) => rows.some(({ suppressed }) => !suppressed));
  return claims ? EXIT.policyMet : EXIT.undecided;
}
