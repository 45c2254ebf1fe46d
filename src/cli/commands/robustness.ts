import { htmlReport } from '../../compose/htmlReport';
import { DEFAULT_IN_PROCESS_MODEL } from '../../providers/weights/catalogue';
import type { CliContext } from '../context';
import { exitCodeOfRun, EXIT } from '../exitCodes';
import { requireKnownVariables } from '../knownVariables';
import { openEvenkeel } from '../openEvenkeel';
import { budgetOf, priceFlagsOf, type BudgetFlags } from '../budgetFlags';
import { chooseSeed } from '../chooseSeed';
import type { ServerFlags } from '../serverFlags';
import { readPrompt } from '../readPrompt';
import { commandOf } from '../reproduce';
import { renderPlan, renderRun } from '../renderRun';
import { toPrintable, toPrintableJson } from '../../report/visibleText';
import { fetchWeights, showProgress } from '../runProgress';
import { requireWritable, writeReport } from '../writeReport';

export interface RobustnessFlags extends ServerFlags, BudgetFlags {
  model?: string;
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
  repeatArm?: boolean;
  dryRun?: boolean;
  json?: boolean;
  report?: string;
}

/** `evenkeel robustness FILE`: the main job. */
export async function robustness(context: CliContext, file: string, flags: RobustnessFlags): Promise<number> {
  await requireWritable(flags.report);
  const prompt = await readPrompt(file, context.distDir, flags.var);
  const evenkeel = openEvenkeel(context, flags);
  try {
    requireKnownVariables(
      [...evenkeel.variablesOf(prompt.text).map(({ name }) => name), ...prompt.filledIn],
      flags.var,
    );
    const modelId = flags.model ?? DEFAULT_IN_PROCESS_MODEL;
    const variables = { ...prompt.variables, ...flags.var };
    const prepared = await evenkeel.prepare({
      text: prompt.text,
      source: prompt.source,
      variables,
      modelId,
      seed: chooseSeed(flags, { text: prompt.text, variables, modelId }),
      limit: flags.limit,
      options: {
        samples: flags.samples,
        system: flags.system,
        temperature: flags.temperature,
        answerTokens: flags.answerTokens,
        wholeAnswers: flags.wholeAnswers,
        alpha: flags.alpha,
        equivalenceMargin: flags.margin,
        budget: budgetOf(flags),
        repeatArm: flags.repeatArm,
      },
      price: priceFlagsOf(flags),
      reproduce: (seed) => commandOf('robustness', [file], { ...flags, model: modelId, seed }),
    });
    if (flags.dryRun === true) {
      context.terminal.out(
        flags.json === true
          ? toPrintableJson({ plan: prepared.plan, perturbations: prepared.perturbations })
          : renderPlan(prepared, context.terminal, true),
      );
      return EXIT.policyMet;
    }
    context.terminal.detail(renderPlan(prepared, context.terminal, false));
    await fetchWeights(evenkeel, prepared.request.modelId, context);
    const record = await evenkeel.run(prepared, {
      signal: context.signal,
      onEvent: (event) => showProgress(event, context),
    });
    context.terminal.settle();
    context.terminal.out(flags.json === true ? toPrintableJson(record) : renderRun(record, context.terminal));
    if (flags.report !== undefined) {
      await writeReport(flags.report, await htmlReport(record, context.distDir), record.id);
      context.terminal.detail(`Report: ${toPrintable(flags.report)}`);
    }
    return exitCodeOfRun(record);
  } finally {
    await evenkeel.close();
  }
}
