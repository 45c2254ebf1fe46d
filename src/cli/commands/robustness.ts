import type { Evenkeel } from '../../compose/evenkeel';
import { htmlReport } from '../../compose/htmlReport';
import type { RunOptions, RunRecord } from '../../contracts/runRecord';
import type { PublishedStatistic } from '../../contracts/testOptions';
import { UserError } from '../../contracts/userError';
import { DEFAULT_IN_PROCESS_MODEL } from '../../providers/weights/catalogue';
import { DEFAULT_LOOKS } from '../../engine/defaults';
import type { CliContext } from '../context';
import { exitCodeOfRun, EXIT, worse } from '../exitCodes';
import { requireKnownVariables } from '../knownVariables';
import { openEvenkeel } from '../openEvenkeel';
import { budgetOf, priceFlagsOf, type BudgetFlags } from '../budgetFlags';
import { chooseSeed } from '../chooseSeed';
import { executionOf, type ServerFlags } from '../serverFlags';
import { readPrompt } from '../readPrompt';
import { commandOf } from '../reproduce';
import { renderPlan, renderRun } from '../renderRun';
import { renderSuite } from '../renderSuite';
import { findSuite, suiteCases, suitePrompts, withSuite, type SuiteHere } from '../suite';
import { toPrintable, toPrintableJson } from '../../report/visibleText';
import { fetchWeights, showProgress } from '../runProgress';
import { requireWritable, writeReport } from '../writeReport';

export interface RobustnessFlags extends ServerFlags, BudgetFlags {
  config?: string;
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
  stopEarly?: boolean;
  looks?: number;
  statistic?: PublishedStatistic | 'family';
  permutations?: number;
  adjust?: RunOptions['multiplicity'];
  dryRun?: boolean;
  json?: boolean;
  report?: string;
}

/** `evenkeel robustness FILE`: the main job; without a file, every prompt of the suite with every case. */
export async function robustness(
  context: CliContext,
  file: string | undefined,
  given: RobustnessFlags,
): Promise<number> {
  await requireWritable(given.report);
  const cwd = process.cwd();
  const here = await findSuite(cwd, given.config);
  const flags = withSuite({ limit: here?.suite.changes, ...given }, here?.suite);
  const checks = await checksOf(file, here, cwd);
  if (flags.report !== undefined && checks.length > 1) {
    throw new UserError(
      'usage',
      `The suite makes ${checks.length} checks, and --report names one file.`,
      'Name one prompt, or write the reports afterwards with `evenkeel report RUN`.',
    );
  }
  const evenkeel = openEvenkeel(context, flags);
  const done: { name: string; record: RunRecord; code: number }[] = [];
  try {
    for (const check of checks) {
      if (checks.length > 1 && flags.json !== true) context.terminal.out(`${toPrintable(check.name)}\n`);
      const record = await checkOne(context, evenkeel, check, flags);
      if (record === null) continue;
      const code = exitCodeOfRun(record, here?.suite.policy);
      done.push({ name: check.name, record, code });
      if (flags.json !== true)
        context.terminal.out(`${renderRun(record, context.terminal)}${checks.length > 1 ? '\n' : ''}`);
      if (context.signal.aborted) break;
    }
    if (flags.json === true && flags.dryRun !== true) {
      const records = done.map(({ record }) => record);
      context.terminal.out(toPrintableJson(file === undefined || checks.length > 1 ? records : records[0]));
    }
    const [only] = done;
    if (flags.report !== undefined && only !== undefined) {
      await writeReport(flags.report, await htmlReport(only.record, context.distDir), only.record.id);
      context.terminal.detail(`Report: ${toPrintable(flags.report)}`);
    }
    if (done.length > 1 && flags.json !== true) context.terminal.out(renderSuite(done, context.terminal));
    return done.reduce<number>((worst, { code }) => worse(worst, code), EXIT.policyMet);
  } finally {
    await evenkeel.close();
  }
}

interface Check {
  name: string;
  file: string;
  /** Of the suite's case; a flag's values go before them. */
  values: Record<string, string>;
}

async function checksOf(file: string | undefined, here: SuiteHere | null, cwd: string): Promise<Check[]> {
  if (file === undefined && here === null) {
    throw new UserError(
      'usage',
      'No prompt was named, and there is no evenkeel.yaml here.',
      'Name a file, or write one for this repository with `evenkeel init`.',
    );
  }
  const files = file === undefined ? await suitePrompts(here!, cwd) : [file];
  const cases = here === null ? [{}] : await suiteCases(here);
  return files.flatMap((one) =>
    cases.map((values, i) => ({
      name: cases.length === 1 ? one : `${one}, case ${i + 1}`,
      file: one,
      values,
    })),
  );
}

/** Null for a dry run. */
async function checkOne(
  context: CliContext,
  evenkeel: Evenkeel,
  { file, values }: Check,
  flags: RobustnessFlags,
): Promise<RunRecord | null> {
  const prompt = await readPrompt(file, context.distDir, { ...values, ...flags.var });
  const known = [...evenkeel.variablesOf(prompt.text).map(({ name }) => name), ...prompt.filledIn];
  requireKnownVariables(known, flags.var);
  const modelId = flags.model ?? DEFAULT_IN_PROCESS_MODEL;
  const variables = { ...prompt.variables, ...pick(values, known), ...flags.var };
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
      execution: executionOf(flags),
      repeatArm: flags.repeatArm,
      looks: flags.looks ?? (flags.stopEarly === true ? DEFAULT_LOOKS : undefined),
      statistic: flags.statistic === 'family' ? undefined : flags.statistic,
      permutations: flags.permutations,
      multiplicity: flags.adjust,
    },
    price: priceFlagsOf(flags),
    reproduce: (seed) =>
      commandOf('robustness', [file], {
        ...flags,
        var: Object.keys(variables).length === 0 ? undefined : { ...pick(values, known), ...flags.var },
        model: modelId,
        seed,
      }),
  });
  if (flags.dryRun === true) {
    context.terminal.out(
      flags.json === true
        ? toPrintableJson({ plan: prepared.plan, perturbations: prepared.perturbations })
        : renderPlan(prepared, context.terminal, true),
    );
    return null;
  }
  context.terminal.detail(renderPlan(prepared, context.terminal, false));
  await fetchWeights(evenkeel, prepared.request.modelId, context);
  const record = await evenkeel.run(prepared, {
    signal: context.signal,
    onEvent: (event) => showProgress(event, context),
  });
  context.terminal.settle();
  return record;
}

/** A suite's cases may name variables of other prompts. */
const pick = (values: Record<string, string>, names: string[]): Record<string, string> =>
  Object.fromEntries(Object.entries(values).filter(([name]) => names.includes(name)));
