import type { PerturbationSet } from '../contracts/perturbationSet';
import { UserError } from '../contracts/userError';
import { parsePerturbationSet } from '../perturb/perturbationSetFile';
import { readPromptArgument } from './readPromptArgument';

/**
 * The set in a YAML file, or on standard input for `-`.
 * @throws UserError as `readPromptArgument` and `parsePerturbationSet`, which then names the file
 */
export async function readPerturbationSet(path: string): Promise<PerturbationSet> {
  const { content: text } = await readPromptArgument(path);
  try {
    return parsePerturbationSet(text);
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    throw new UserError(error.code, `${path}: ${error.message}`, error.hint, { cause: error });
  }
}
