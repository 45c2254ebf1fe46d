import * as vscode from 'vscode';
import type { CheckRequest, Evenkeel } from '../compose/evenkeel';
import type { FoundPrompt } from '../contracts/foundPrompt';
import type { PerturbationKind, RunRecord, Span } from '../contracts/runRecord';
import { UserError } from '../contracts/userError';
import { askVariables } from './askVariables';
import { ensureWeights } from './fetchWeights';
import type { Findings } from './findings';
import { COMMANDS } from './manifest';
import { pickModel } from './pickModel';
import { needsConsent, planDetail, planSummary } from './planText';
import { promptUnderCheck, withValues, type PromptTarget, type PromptUnderCheck } from './promptUnderCheck';
import { runShown, type RunDeps } from './runShown';
import { readSettings, saveModel } from './settings';
import { plainText } from './plainText';
import { maySendTo } from './sendingConsent';

/** Arguments of the command, for key bindings and other extensions; what is missing is asked for. */
export interface CheckArguments extends PromptTarget {
  modelId?: string;
  variables?: Record<string, string>;
  /** Only changes of the sentences that touch this part of the document. */
  within?: Span;
  /** Only changes of these kinds. */
  kinds?: readonly PerturbationKind[];
  signal?: AbortSignal;
}

export interface CheckDeps extends RunDeps {
  evenkeel(): Promise<Evenkeel>;
  /** Prompts that are found in a document. */
  prompts(document: vscode.TextDocument): Promise<FoundPrompt[]>;
  findings: Findings;
  memory: vscode.Memento;
}

/**
 * The main flow: text, variables, model, weights, plan, run, report.
 * @returns the run's id and how it ended; undefined when the person stopped before it began
 * @throws UserError on bad input, and when nothing could be measured
 */
export async function checkPrompt(
  deps: CheckDeps,
  args: CheckArguments,
): Promise<{ runId: string; state: RunRecord['state']; conclusion: string } | undefined> {
  const found = await promptUnderCheck(args, deps.prompts);
  const evenkeel = await deps.evenkeel();
  const given = { ...found.variables, ...args.variables };
  const variables = await valuesFor(evenkeel, found.text, given, deps.memory, found.hidden);
  const prompt =
    found.found === null ? found : withValues({ ...found, found: found.found }, { ...given, ...variables });
  const modelId = await chooseModel(evenkeel, args.modelId, prompt.document.uri);
  if (modelId === undefined || !(await ensureWeights(evenkeel, modelId))) return undefined;

  const prepared = await evenkeel.prepare(requestOf(prompt, variables, modelId, args));
  if (needsConsent(prepared) && !(await confirmPlan(modelId, planDetail(prepared)))) return undefined;
  if (!(await maySendTo(modelId, readSettings(prompt.document.uri).ollamaUrl, deps.memory))) return undefined;
  return runShown(deps, evenkeel, {
    ...prepared,
    summary: planSummary(prepared),
    run: (hooks) => evenkeel.run(prepared, hooks),
    ...(args.signal === undefined ? {} : { signal: args.signal }),
    track: () => deps.findings.track(prompt.document, prompt, prepared.perturbations),
  });
}

/** @throws UserError `unboundVariables` when the person presses Escape */
export async function valuesFor(
  evenkeel: Evenkeel,
  text: string,
  given: Record<string, string>,
  memory: vscode.Memento,
  more: readonly string[] = [],
): Promise<Record<string, string>> {
  const names = [...new Set([...evenkeel.variablesOf(text).map(({ name }) => name), ...more])];
  const variables = await askVariables(names, given, memory);
  if (variables !== undefined) return variables;
  throw new UserError(
    'unboundVariables',
    `The check was not started: a variable of the prompt has no value (${names.join(', ')}).`,
    'Run the command again and give each variable a value.',
  );
}

export async function chooseModel(
  evenkeel: Evenkeel,
  asked: string | undefined,
  scope: vscode.Uri,
): Promise<string | undefined> {
  const settings = readSettings(scope);
  if (asked !== undefined) return asked;
  if (settings.modelChosen) return settings.modelId;
  const picked = await pickModel(evenkeel, settings.modelId);
  if (picked !== undefined) await saveModel(picked);
  return picked;
}

function requestOf(
  { document, text, source }: PromptUnderCheck,
  variables: Record<string, string>,
  modelId: string,
  { within, kinds }: CheckArguments,
): CheckRequest {
  const { samples, answerTokens, budget, perturbations, seed } = readSettings(document.uri);
  return {
    text,
    source,
    variables,
    modelId,
    seed,
    limit: perturbations,
    options: { samples, answerTokens, ...(budget === undefined ? {} : { budget }) },
    ...(kinds === undefined ? {} : { kinds }),
    ...(within === undefined ? {} : { within: inPrompt(source, within) }),
    reproduce: (usedSeed) =>
      `${COMMANDS.checkRobustness.title} on ${source.path} with model ${modelId}, samples ${samples}, seed ${usedSeed}`,
  };
}

/** A part of the document as a part of the prompt's text. */
function inPrompt({ map, range }: PromptUnderCheck['source'], { start, end }: Span): Span {
  const piece = map?.find(({ source }) => source.start <= start && start < source.end);
  const shift = piece === undefined ? range.start : piece.source.start - piece.start;
  return { start: Math.max(0, start - shift), end: Math.max(0, end - shift) };
}

export async function confirmPlan(modelId: string, detail: string): Promise<boolean> {
  const start = vscode.l10n.t('Start');
  const answer = await vscode.window.showInformationMessage(
    plainText(`Check with ${modelId}?`),
    { modal: true, detail: plainText(detail) },
    start,
  );
  return answer === start;
}
