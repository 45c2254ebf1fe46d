import { UserError } from '../contracts/userError';
import { checkVersions } from './checkEdit';
import type { CheckArguments, CheckDeps } from './checkPrompt';
import { stagedFiles } from './gitHead';
import { PROMPT_FILES } from './manifest';
import type { RunResult } from './runShown';

/**
 * Every staged prompt file against HEAD, one after another.
 * @returns the results, in the order of the files; without those that the person stopped before they began
 * @throws UserError `usage` where nothing that is staged is a prompt
 */
export async function checkStaged(deps: CheckDeps, args: CheckArguments): Promise<RunResult[]> {
  const files = (await stagedFiles(args.uri)).filter(({ uri }) => PROMPT_FILES.test(uri.path));
  if (files.length === 0) {
    throw new UserError(
      'usage',
      'No prompt file with an earlier version is staged.',
      'Stage an edited prompt file (git add), and run the command again.',
    );
  }
  const results: RunResult[] = [];
  for (const { uri, before, after } of files) {
    const result = await checkVersions(deps, args, { uri, before: await before(), after: await after() });
    if (result !== undefined) results.push(result);
  }
  return results;
}
