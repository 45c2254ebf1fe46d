import type { CompareRequest } from '../../compose/comparisons';
import type { ComparePlan, CompareRecord } from '../../contracts/compareRecord';
import { UserError } from '../../contracts/userError';
import { toPrintable, toPrintableJson } from '../../report/visibleText';
import { budgetOf, priceFlagsOf, type BudgetFlags } from '../budgetFlags';
import { chooseSeed } from '../chooseSeed';
import type { CliContext } from '../context';
import { EXIT } from '../exitCodes';
import { requireKnownVariables } from '../knownVariables';
import { openEvenkeel } from '../openEvenkeel';
import { readPrompt } from '../readPrompt';
import { readPromptArgument } from '../readPromptArgument';
import { renderCompare, renderComparedChanges, renderComparePlan } from '../renderCompare';
import { commandOf } from '../reproduce';
import { fetchWeights, showProgress } from '../runProgress';
import type { ServerFlags } from '../serverFlags';
import { requireWritable, writeReport } from '../writeReport';
import { comparePage } from './compareReport';

export interface CompareFlags extends ServerFlags, BudgetFlags {
  models?: string[];
  reference?: string;
  perturbations?: string;
  resume?: string;
  samples?: number;
  seed?: number;
  fresh?: boolean;
  var?: Record<string, string>;
  system?: string;
  temperature?: number;
  answerTokens?: number;
  wholeAnswers?: boolean;
  limit?: number;
  alpha?: number;
  margin?: number;
  tieMargin?: number;
  requireSame?: boolean;
  dryRun?: boolean;
  json?: boolean;
  report?: string;
}

/** `evenkeel compare PROMPT… --models a,b` or `--resume ID`: which model is steadier, and which behave alike? */
export async function compare(context: CliContext, files: string[], flags: CompareFlags): Promise<number> {
  const { terminal } = context;
  if ((flags.resume === undefined) === (files.length === 0)) {
    throw new UserError(
      'usage',
      files.length === 0 ? 'No prompt is named.' : 'A prompt and a comparison to go on with are named.',
      'Name prompt files with --models a,b, or --resume ID alone.',
    );
  }
  await requireWritable(flags.report);
  const evenkeel = openEvenkeel(context, flags);
  try {
    const plan =
      flags.resume === undefined
        ? await evenkeel.comparisons.prepare(await requestOf(files, flags, evenkeel), context.signal)
        : await evenkeel.comparisons.planOf(flags.resume);
    if (flags.dryRun === true) {
      terminal.out(flags.json === true ? toPrintableJson(plan) : renderComparedChanges(plan, terminal));
      terminal.detail(renderComparePlan(plan, terminal));
      return EXIT.policyMet;
    }
    const record = (await finished(plan)) ?? (await ask(plan));
    terminal.out(flags.json === true ? toPrintableJson(record) : renderCompare(record, terminal));
    if (flags.report !== undefined) {
      await writeReport(flags.report, comparePage(record), record.id);
      terminal.detail(`Report: ${toPrintable(flags.report)}`);
    }
    return exitCodeOf(record, flags);
  } finally {
    await evenkeel.close();
  }

  async function finished(plan: ComparePlan): Promise<CompareRecord | null> {
    if (flags.resume === undefined) return null;
    const record = await evenkeel.comparisons.read(plan.id).catch((error: unknown) => {
      if (error instanceof UserError && error.code === 'fileNotFound') return null;
      throw error;
    });
    return record?.state === 'complete' ? record : null;
  }

  async function ask(plan: ComparePlan): Promise<CompareRecord> {
    terminal.detail(renderComparePlan(plan, terminal));
    for (const { modelId } of plan.models) await fetchWeights(evenkeel, modelId, context);
    const record = await evenkeel.comparisons.run(plan, {
      signal: context.signal,
      onEvent: (event) => {
        if (event.type === 'model')
          terminal.detail(`Model ${event.index + 1} of ${event.total}: ${toPrintable(event.modelId)}`);
        else showProgress(event, context);
      },
    });
    terminal.settle();
    return record;
  }
}

async function requestOf(
  files: string[],
  flags: CompareFlags,
  evenkeel: ReturnType<typeof openEvenkeel>,
): Promise<CompareRequest> {
  const read = await Promise.all(files.map(readPrompt));
  const known = read.flatMap(({ text }) => evenkeel.variablesOf(text).map(({ name }) => name));
  requireKnownVariables(known, flags.var);
  const prompts = read.map(({ text, source, variables }) => ({
    text,
    source,
    variables: { ...variables, ...flags.var },
  }));
  const modelIds = flags.models ?? [];
  const seed = chooseSeed(flags, {
    text: prompts.map(({ text }) => text).join('\n'),
    variables: Object.assign({}, ...prompts.map(({ variables }) => variables)) as Record<string, string>,
    modelId: modelIds.join(','),
  });
  const set =
    flags.perturbations === undefined ? null : (await readPromptArgument(flags.perturbations)).content;
  const {
    models: _,
    reference: __,
    perturbations: ___,
    tieMargin: ____,
    requireSame: _____,
    ...ofRun
  } = flags;
  return {
    prompts,
    modelIds,
    reference: flags.reference,
    seed,
    set,
    limit: flags.limit,
    tieMargin: flags.tieMargin,
    price: priceFlagsOf(flags),
    options: {
      samples: flags.samples,
      system: flags.system,
      temperature: flags.temperature,
      answerTokens: flags.answerTokens,
      wholeAnswers: flags.wholeAnswers,
      alpha: flags.alpha,
      equivalenceMargin: flags.margin,
      budget: budgetOf(flags),
    },
    reproduce: commandOf('compare', files, { ...flags, seed }),
    reproduceRun: (modelId, p) =>
      set === null
        ? commandOf('robustness', [files[p]!], { ...ofRun, model: modelId, seed })
        : commandOf('compare', files, { ...flags, seed }),
  };
}

/** 1 only with --require-same, where a pair answers differently; 3 where nothing at all could be decided. */
function exitCodeOf(record: CompareRecord, { requireSame = false }: CompareFlags): number {
  if (record.state === 'cancelled') return EXIT.cancelled;
  if (record.state === 'failed') return EXIT.provider;
  const behaviours = record.pairs.flatMap(({ behaviour }) => behaviour ?? []);
  if (requireSame) {
    if (behaviours.some(({ verdict }) => verdict === 'differs')) return EXIT.policyViolated;
    return behaviours.every(({ verdict }) => verdict === 'equivalent') ? EXIT.policyMet : EXIT.undecided;
  }
  const decided = record.pairs.some(
    ({ steadiness }) => steadiness !== null && steadiness.verdict !== 'undecided',
  );
  return decided ? EXIT.policyMet : EXIT.undecided;
}
