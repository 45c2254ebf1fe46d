import { htmlSheet } from '../../compose/htmlReport';
import type { Evenkeel } from '../../compose/evenkeel';
import type { CompareRecord } from '../../contracts/compareRecord';
import { compareView } from '../../report/compareView';
import { toPrintable, toPrintableJson } from '../../report/visibleText';
import { budgetOf, type BudgetFlags } from '../budgetFlags';
import { chooseSeed } from '../chooseSeed';
import type { CliContext } from '../context';
import { EXIT } from '../exitCodes';
import { requireKnownVariables } from '../knownVariables';
import { openEvenkeel } from '../openEvenkeel';
import { readPrompt } from '../readPrompt';
import { renderCompare, renderComparePlan } from '../renderCompare';
import { commandOf } from '../reproduce';
import { fetchWeights, showProgress } from '../runProgress';
import type { ServerFlags } from '../serverFlags';
import { requireWritable, writeReport } from '../writeReport';

export interface CompareFlags extends ServerFlags, BudgetFlags {
  models: string[];
  reference?: string;
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
  dryRun?: boolean;
  json?: boolean;
  report?: string;
}

/** `evenkeel compare PROMPT… --models a,b`: which model is steadier on the same prompts and changes? */
export async function compare(context: CliContext, files: string[], flags: CompareFlags): Promise<number> {
  await requireWritable(flags.report);
  const { terminal } = context;
  const read = await Promise.all(files.map((file) => readPrompt(file, context.distDir, flags.var)));
  const evenkeel = openEvenkeel(context, flags);
  try {
    const known = read.flatMap(({ text, filledIn }) => [
      ...evenkeel.variablesOf(text).map(({ name }) => name),
      ...filledIn,
    ]);
    requireKnownVariables(known, flags.var);
    const prompts = read.map(({ text, source, variables }) => ({
      text,
      source,
      variables: { ...variables, ...flags.var },
    }));
    const prepared = await evenkeel.comparisons.prepare({
      prompts,
      modelIds: flags.models,
      reference: flags.reference ?? null,
      seed: chooseSeed(flags, {
        text: prompts.map(({ text }) => text).join('\n'),
        variables: Object.assign({}, ...prompts.map(({ variables }) => variables)) as Record<string, string>,
        // The same for every set of models: adding one asks only that one.
        modelId: 'compare',
      }),
      limit: flags.limit,
      margin: flags.margin,
      options: {
        samples: flags.samples,
        system: flags.system,
        temperature: flags.temperature,
        answerTokens: flags.answerTokens,
        wholeAnswers: flags.wholeAnswers,
        alpha: flags.alpha,
        budget: budgetOf(flags),
      },
      reproduce: (seed) => commandOf('compare', files, { ...flags, seed }),
    });
    if (flags.dryRun === true) {
      const { plans, total, perturbations } = prepared;
      terminal.out(
        flags.json === true
          ? toPrintableJson({ plans, total, perturbations })
          : renderComparePlan(prepared, terminal),
      );
      return EXIT.policyMet;
    }
    terminal.detail(renderComparePlan(prepared, terminal));
    for (const id of flags.models) await fetchWeights(evenkeel, id, context);
    const record = await runIt(evenkeel, prepared, context);
    terminal.settle();
    terminal.out(flags.json === true ? toPrintableJson(record) : renderCompare(record, terminal));
    if (flags.report !== undefined) {
      const html = await htmlSheet({ type: 'showCompare', view: compareView(record) }, context.distDir);
      await writeReport(flags.report, html, record.id);
      terminal.detail(`Report: ${toPrintable(flags.report)}`);
    }
    return exitCodeOfComparison(record);
  } finally {
    await evenkeel.close();
  }
}

function runIt(
  evenkeel: Evenkeel,
  prepared: Parameters<Evenkeel['comparisons']['run']>[0],
  context: CliContext,
): Promise<CompareRecord> {
  return evenkeel.comparisons.run(prepared, {
    signal: context.signal,
    onEvent(event) {
      if (event.type !== 'model') return showProgress(event, context);
      if (event.prompt > 0) return;
      const { modelIds } = prepared.request;
      context.terminal.detail(
        `${event.model + 1} of ${modelIds.length}  ${toPrintable(modelIds[event.model]!)}`,
      );
    },
  });
}

/** There is no policy on which model is steadier: what counts is whether anything could be said. */
function exitCodeOfComparison(record: CompareRecord): number {
  if (record.state === 'cancelled') return EXIT.cancelled;
  if (record.state === 'failed') return EXIT.provider;
  return record.pairs.some(({ relation }) => relation !== 'undecided') ? EXIT.policyMet : EXIT.undecided;
}
