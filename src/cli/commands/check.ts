import { htmlReport } from '../../compose/htmlReport';
import type { Evenkeel } from '../../compose/evenkeel';
import type { Plan, RunRecord } from '../../contracts/runRecord';
import type { Suite } from '../../contracts/suite';
import { UserError } from '../../contracts/userError';
import { promptFromFile } from '../../prompts/promptFile';
import { DEFAULT_IN_PROCESS_MODEL } from '../../providers/weights/catalogue';
import { toPrintable, toPrintableJson } from '../../report/visibleText';
import { budgetOf, priceFlagsOf, type BudgetFlags } from '../budgetFlags';
import { chooseSeed } from '../chooseSeed';
import { changedPromptFiles } from '../changedPrompts';
import type { CliContext } from '../context';
import { EXIT, exitCodeOfRun, worse } from '../exitCodes';
import { requireTargets, writeTargets, type ExportTarget } from '../exportTargets';
import { openEvenkeel } from '../openEvenkeel';
import { executionOf, type ServerFlags } from '../serverFlags';
import { readPrompt } from '../readPrompt';
import { renderEditPlan } from '../renderEditPlan';
import { renderRun } from '../renderRun';
import { commandOf } from '../reproduce';
import { fetchWeights, showProgress } from '../runProgress';
import { findSuite, suiteCases, suitePrompts, withSuite, type SuiteHere } from '../suite';
import { requireWritable, writeReport } from '../writeReport';

export interface CheckFlags extends ServerFlags, BudgetFlags {
  config?: string;
  /** Called by the pre-commit hook. */
  hook?: boolean;
  against?: string;
  staged?: boolean;
  base?: string;
  model?: string;
  writer?: string;
  rewordings?: number;
  samples?: number;
  seed?: number;
  fresh?: boolean;
  var?: Record<string, string>;
  system?: string;
  temperature?: number;
  answerTokens?: number;
  wholeAnswers?: boolean;
  alpha?: number;
  margin?: number;
  dryRun?: boolean;
  json?: boolean;
  report?: string;
  export?: ExportTarget[];
}

interface EditedPrompt {
  path: string;
  against: string;
  before: { text: string; variables: Record<string, string>; source: RunRecord['prompt']['source'] };
  after: { text: string; variables: Record<string, string> };
}

/** `evenkeel check [paths]`: did an edit change the behaviour, and by more than a harmless rewording? */
export async function check(context: CliContext, given: string[], own: CheckFlags): Promise<number> {
  await requireWritable(own.report);
  await requireTargets(own.export);
  const { terminal } = context;
  const cwd = process.cwd();
  const here = await findSuite(cwd, own.config);
  const flags = withHook(withSuite({ rewordings: here?.suite.rewordings, ...own }, here?.suite), here?.suite);
  const paths =
    given.length === 0 && here !== null && own.base === undefined ? await suiteFiles(here, cwd) : given;
  const cases = here === null ? [{}] : await suiteCases(here);
  // No path at all would mean every prompt of the repository.
  const changed =
    here !== null && given.length === 0 && paths.length === 0 && own.base === undefined
      ? []
      : await editedPrompts(context, paths, flags);
  const edited = changed.flatMap((one) =>
    cases.map((values, i) => ({
      ...one,
      values,
      name: cases.length === 1 ? one.path : `${one.path}, case ${i + 1}`,
    })),
  );
  if (edited.length === 0) {
    await writeTargets(flags.export, []);
    terminal.out(flags.json === true ? '[]' : 'No prompt has changed.');
    return EXIT.policyMet;
  }
  if (flags.report !== undefined && edited.length > 1) {
    throw new UserError(
      'usage',
      `${edited.length} prompts have changed, and --report names one file.`,
      'Name one prompt, or write the reports afterwards with `evenkeel report RUN`.',
    );
  }
  const evenkeel = openEvenkeel(context, flags);
  const records: RunRecord[] = [];
  let exitCode: number = EXIT.policyMet;
  try {
    for (const one of edited) {
      if (flags.json !== true && edited.length > 1) terminal.out(`${toPrintable(one.name)}\n`);
      const record = await checkOne(context, evenkeel, one, flags);
      if (record === null) continue;
      records.push(record);
      if (flags.json !== true) terminal.out(`${renderRun(record, terminal)}${edited.length > 1 ? '\n' : ''}`);
      exitCode = worse(exitCode, codeOf(record, flags, here?.suite, terminal));
      if (context.signal.aborted) break;
    }
    if (flags.json === true && flags.dryRun !== true) terminal.out(toPrintableJson(records));
    if (flags.dryRun !== true) await writeTargets(flags.export, records);
    const [only] = records;
    if (flags.report !== undefined && only !== undefined) {
      await writeReport(flags.report, await htmlReport(only, context.distDir), only.id);
      terminal.detail(`Report: ${toPrintable(flags.report)}`);
    }
    return exitCode;
  } finally {
    await evenkeel.close();
  }
}

/** Null for a dry run. */
async function checkOne(
  context: CliContext,
  evenkeel: Evenkeel,
  { path, before, after, against, values }: EditedPrompt & { values: Record<string, string> },
  flags: CheckFlags,
): Promise<RunRecord | null> {
  const modelId = flags.model ?? DEFAULT_IN_PROCESS_MODEL;
  // The edited file's own sample values win over those of the version before.
  const known = evenkeel.variablesOf(`${before.text}\n${after.text}`).map(({ name }) => name);
  const ofCase = Object.fromEntries(Object.entries(values).filter(([name]) => known.includes(name)));
  const variables = { ...before.variables, ...after.variables, ...ofCase, ...flags.var };
  const prepared = await evenkeel.edits.prepare({
    text: before.text,
    editedText: after.text,
    source: before.source,
    against,
    variables,
    modelId,
    writerId: flags.writer ?? null,
    rewordings: flags.rewordings,
    seed: chooseSeed(flags, { text: before.text, variables, modelId }),
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
    },
    price: priceFlagsOf(flags),
    reproduce: (seed) => commandOf('check', [path], { ...flags, hook: undefined, model: modelId, seed }),
  });
  if (flags.hook === true) requireCap(modelId, prepared.plan, flags);
  if (flags.dryRun === true) {
    const { plan, edit, rewordings } = prepared;
    context.terminal.out(
      flags.json === true
        ? toPrintableJson({ path, plan, edit, rewordings })
        : renderEditPlan(prepared, context.terminal, true),
    );
    return null;
  }
  context.terminal.detail(renderEditPlan(prepared, context.terminal, false));
  await fetchWeights(evenkeel, modelId, context);
  const record = await evenkeel.edits.run(prepared, {
    signal: context.signal,
    onEvent: (event) => showProgress(event, context),
  });
  context.terminal.settle();
  return record;
}

/** Prompts whose text differs; a change of front matter or of surrounding blank space alone is none. */
async function editedPrompts(
  context: CliContext,
  paths: string[],
  flags: CheckFlags,
): Promise<EditedPrompt[]> {
  if (flags.base !== undefined) {
    if (paths.length !== 1 || flags.staged === true || flags.against !== undefined) {
      throw new UserError(
        'usage',
        '--base compares one prompt file with another one.',
        'Write: evenkeel check NEW --base OLD, without --staged and --against.',
      );
    }
    const [before, after] = [
      await readPrompt(flags.base, context.distDir, flags.var),
      await readPrompt(paths[0]!, context.distDir, flags.var),
    ];
    if (before.text === after.text) return [];
    return [{ path: paths[0]!, against: flags.base, before, after }];
  }
  const ref = flags.against ?? 'HEAD';
  const { changed, skipped } = await changedPromptFiles(
    { cwd: process.cwd(), ref, staged: flags.staged === true, paths },
    context.signal,
  );
  for (const { path, reason } of skipped)
    context.terminal.note(`skipped  ${toPrintable(path)}: ${toPrintable(reason)}`);
  return changed.flatMap(({ path, before, contentBefore, contentAfter }) => {
    const [old, now] = [promptFromFile(contentBefore, before), promptFromFile(contentAfter, path)];
    if (old.text === now.text) return [];
    const source = { path, uri: null, range: old.range };
    return [{ path, against: ref, before: { ...old, source }, after: now }];
  });
}

/** Paths of a suite without their lines: whole files are compared. */
const suiteFiles = async (here: SuiteHere, cwd: string): Promise<string[]> =>
  (await suitePrompts(here, cwd, { mayBeGone: true })).map((name) => name.replace(/:\d+$/, ''));

/** The hook waits for so long at most. */
const withHook = (flags: CheckFlags, suite: Suite | undefined): CheckFlags =>
  flags.hook === true
    ? {
        ...flags,
        maxSeconds: Math.min(flags.maxSeconds ?? Infinity, suite?.hook.seconds ?? DEFAULT_HOOK_SECONDS),
      }
    : flags;

const DEFAULT_HOOK_SECONDS = 120;

/** A commit must not spend money that nobody has allowed. @throws UserError */
function requireCap(modelId: string, { priceUsd }: Plan, flags: CheckFlags): void {
  if (priceUsd === 0) return;
  if (flags.maxCost !== undefined || flags.maxTokens !== undefined || flags.maxCalls !== undefined) return;
  throw new UserError(
    'usage',
    `${modelId} may cost money, and the suite file sets no cap.`,
    'Set budget.usd, budget.tokens or budget.calls in evenkeel.yaml, name a local model, or commit with --no-verify.',
  );
}

function codeOf(
  record: RunRecord,
  flags: CheckFlags,
  suite: Suite | undefined,
  terminal: CliContext['terminal'],
): number {
  if (flags.hook === true && isLate(record) && (suite?.hook.late ?? 'pass') === 'pass') {
    terminal.note('Time is up before there was a verdict: the commit passes unchecked.');
    return EXIT.policyMet;
  }
  const code = exitCodeOfRun(record, suite?.policy);
  if (
    code === EXIT.policyMet &&
    suite?.policy.undecided === 'warn' &&
    record.conclusion.state === 'undecided'
  ) {
    terminal.note('Undecided; the policy of evenkeel.yaml lets it pass.');
  }
  return code;
}

/** Only time lets a commit pass: a check that may not spend more has no verdict, and the policy says what that means. */
const isLate = ({ error }: RunRecord): boolean =>
  error?.code === 'budgetReached' && / seconds is used up/.test(error.message);
