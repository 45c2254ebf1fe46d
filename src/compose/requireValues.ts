import { UserError } from '../contracts/userError';
import { findVariables } from '../prompts/variables';

/** @throws UserError `unboundVariables` naming the variables of the prompt that have no value */
export function requireValues({
  text,
  variables,
}: {
  text: string;
  variables: Record<string, string>;
}): void {
  const missing = findVariables(text)
    .map(({ name }) => name)
    .filter((name) => !Object.hasOwn(variables, name));
  if (missing.length > 0) {
    throw new UserError(
      'unboundVariables',
      `The prompt has variables without a value: ${missing.join(', ')}.`,
      `Give each a value: ${missing.map((name) => `--var ${name}=…`).join(' ')}.`,
    );
  }
}
