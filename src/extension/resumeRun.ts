import * as vscode from 'vscode';
import type { Evenkeel } from '../compose/evenkeel';
import { UserError } from '../contracts/userError';
import { countOf } from '../report/format';
import type { Findings } from './findings';
import { COMMANDS } from './manifest';
import { plainText } from './plainText';
import { runShown, type RunDeps, type RunResult } from './runShown';
import type { Unfinished } from './unfinishedRuns';

export interface ResumeDeps extends RunDeps {
  evenkeel(): Promise<Evenkeel>;
  findings: Findings;
}

/**
 * Goes on with a check that was paused or cut off: what it has is not asked for again.
 * @returns undefined where there is none to choose, or none was chosen
 */
export async function resumeRun(deps: ResumeDeps, asked: string | undefined): Promise<RunResult | undefined> {
  deps.queue.release();
  const open = deps.unfinished.list();
  const chosen = open.find(({ runId }) => runId === asked) ?? (await choose(open));
  if (chosen === undefined) return undefined;
  const evenkeel = await deps.evenkeel();
  const request = await evenkeel.runs.readRequest(chosen.runId).catch(async (error: unknown) => {
    await deps.unfinished.ended(chosen.runId);
    throw error;
  });
  const kept = (await evenkeel.runs.readSamples(chosen.runId)).length;
  return runShown(deps, evenkeel, {
    request: { source: request.prompt.source, modelId: request.modelId },
    perturbations: request.perturbations,
    options: request.options,
    summary: `going on with ${chosen.title} from ${countOf(kept, 'answer')} of ${request.modelId}`,
    async run(hooks) {
      const record = await evenkeel.resume(chosen.runId, hooks);
      if (record.kind === 'robustness') deps.findings.restore(record);
      return record;
    },
  });
}

async function choose(open: Unfinished[]): Promise<Unfinished | undefined> {
  if (open.length === 0) {
    throw new UserError(
      'usage',
      'No check of this workspace is waiting to go on.',
      `Start one: Evenkeel: ${COMMANDS.checkRobustness.title}.`,
    );
  }
  if (open.length === 1) return open[0];
  const items = open.map((run) => ({ label: plainText(run.title), description: run.runId, run }));
  return (await vscode.window.showQuickPick(items, { title: 'Evenkeel: which check is to go on?' }))?.run;
}

/** After a reload or a crash: asks whether what was cut off is to go on. Resolves when it is answered. */
export async function offerToResume(deps: ResumeDeps): Promise<void> {
  for (const { runId, title } of deps.unfinished.list()) {
    const kept = (await (await deps.evenkeel()).runs.readSamples(runId).catch(() => [])).length;
    const [goOn, forget] = ['Go On', 'Forget It'];
    const answer = await vscode.window.showInformationMessage(
      plainText(
        `The check of ${title} was stopped before its end. ${countOf(kept, 'answer is', 'answers are')} kept and will not be asked for again.`,
      ),
      goOn,
      forget,
    );
    if (answer === goOn) {
      await vscode.commands.executeCommand(COMMANDS.resumeRun.id, { runId });
      return;
    }
    if (answer === forget) await deps.unfinished.ended(runId);
  }
}
