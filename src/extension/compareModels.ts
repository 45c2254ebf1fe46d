import * as vscode from 'vscode';
import type { PreparedComparison } from '../compose/comparisons';
import type { Evenkeel } from '../compose/evenkeel';
import type { FoundPrompt } from '../contracts/foundPrompt';
import type { CompareRecord } from '../contracts/compareRecord';
import { compareHeadline } from '../report/compareSentences';
import { countOf, formatDuration } from '../report/format';
import { valuesFor } from './checkPrompt';
import { ensureWeights } from './fetchWeights';
import { COMMANDS } from './manifest';
import { pickModels } from './pickModels';
import { plainText } from './plainText';
import { promptUnderCheck, withValues, type PromptTarget } from './promptUnderCheck';
import { maySendTo } from './sendingConsent';
import { readSettings } from './settings';
import { signalOf } from './withSignal';

export interface CompareArguments extends PromptTarget {
  /** Two or more; asked for where left out. */
  modelIds?: string[];
  variables?: Record<string, string>;
}

export interface CompareDeps {
  evenkeel(): Promise<Evenkeel>;
  /** Prompts that are found in a document. */
  prompts(document: vscode.TextDocument): Promise<FoundPrompt[]>;
  memory: vscode.Memento;
  log: vscode.LogOutputChannel;
  show(record: CompareRecord): void;
}

/**
 * Prompt, variables, models, plan, one model after the other, result in the report panel.
 * @returns the comparison; undefined when the person stopped before it began
 * @throws UserError on bad input
 */
export async function compareModels(
  deps: CompareDeps,
  args: CompareArguments,
): Promise<{ id: string; state: CompareRecord['state'] } | undefined> {
  const found = await promptUnderCheck(args, deps.prompts);
  const evenkeel = await deps.evenkeel();
  const settings = readSettings(found.document.uri);
  const given = { ...found.variables, ...args.variables };
  const variables = await valuesFor(evenkeel, found.text, given, deps.memory, found.hidden);
  const prompt =
    found.found === null ? found : withValues({ ...found, found: found.found }, { ...given, ...variables });
  const modelIds = args.modelIds ?? (await pickModels(evenkeel, settings.modelId));
  if (modelIds === undefined) return undefined;
  for (const modelId of modelIds) {
    if (!(await ensureWeights(evenkeel, modelId))) return undefined;
    if (!(await maySendTo(modelId, settings.ollamaUrl, deps.memory))) return undefined;
  }
  const prepared = await evenkeel.comparisons.prepare({
    prompts: [{ text: prompt.text, source: prompt.source, variables }],
    modelIds,
    reference: null,
    seed: settings.seed,
    limit: settings.perturbations,
    options: { samples: settings.samples, answerTokens: settings.answerTokens },
    reproduce: (seed) =>
      `${COMMANDS.compareModels.title} on ${prompt.source.path} with models ${modelIds.join(', ')}, samples ${settings.samples}, seed ${seed}`,
  });
  if (prepared.total.priceUsd !== 0 && !(await confirmCost(prepared))) return undefined;

  const record = await vscode.window.withProgress(
    {
      location: vscode.ProgressLocation.Notification,
      title: plainText(`Evenkeel: ${planText(prepared)}`),
      cancellable: true,
    },
    (progress, token) => {
      let asked = '';
      return evenkeel.comparisons.run(prepared, {
        signal: signalOf(token),
        onEvent(event) {
          if (event.type === 'model') asked = plainText(modelIds[event.model] ?? '');
          else if (event.type === 'progress') {
            const { phase, done, total } = event;
            // Of all models together: only asking takes its time.
            const increment = phase === 'sampling' ? 100 / Math.max(1, total * modelIds.length) : 0;
            progress.report({ message: `${asked}: ${done} of ${total}`, increment });
          }
        },
      });
    },
  );
  const { sentence } = compareHeadline(record);
  deps.log.info(`comparison ${record.id}: ${sentence}`);
  deps.show(record);
  void vscode.window.showInformationMessage(plainText(sentence));
  return { id: record.id, state: record.state };
}

const planText = ({ request, total }: PreparedComparison): string =>
  `${countOf(request.modelIds.length, 'model')}, ${countOf(total.calls, 'answer')}${total.seconds === null ? '' : `, about ${formatDuration(total.seconds)}`}`;

async function confirmCost(prepared: PreparedComparison): Promise<boolean> {
  const { request, total } = prepared;
  const start = 'Start';
  const price = total.priceUsd === null ? 'The price is not known.' : `About $${total.priceUsd.toFixed(2)}.`;
  const answer = await vscode.window.showInformationMessage(
    plainText(`Compare ${request.modelIds.join(', ')}?`),
    { modal: true, detail: plainText(`${planText(prepared)}. ${price}`) },
    start,
  );
  return answer === start;
}
