import { nearestNames } from '../contracts/nearestNames';
import { UserError } from '../contracts/userError';

/**
 * A value for a variable that the prompt does not have is a slip of the pen, and its real one would be missing.
 * @param names the variables of the prompt
 * @throws UserError `usage`
 */
export function requireKnownVariables(names: readonly string[], given: Record<string, string> = {}): void {
  for (const name of Object.keys(given)) {
    if (names.includes(name)) continue;
    const near = nearestNames(name, names);
    throw new UserError(
      'usage',
      `--var ${name}: the prompt has no such variable.`,
      near.length === 0 ? 'Leave it out: the prompt has no variables.' : `Its variables: ${near.join(', ')}.`,
    );
  }
}
