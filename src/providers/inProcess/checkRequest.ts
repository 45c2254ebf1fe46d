import { UserError } from '../../contracts/userError';
import type { SampleRequest } from '../../engine/ports';

function requireOption(holds: boolean, message: string): void {
  if (!holds) throw new UserError('invalidOption', message, 'Correct the option and run again.');
}

/**
 * The native library invents text for an empty prompt and garbage for a NaN temperature: both stop here.
 * @throws UserError emptyPrompt, invalidOption
 */
export function checkRequest({ messages, options, seeds }: SampleRequest): void {
  if (messages.every((message) => message.content.trim() === '')) {
    throw new UserError('emptyPrompt', 'The prompt is empty.', 'Select or write the text to be checked.');
  }
  const { temperature, topP, maxTokens, firstTokenTop = 0 } = options;
  requireOption(
    Number.isFinite(temperature) && temperature >= 0,
    `The temperature must be a number of 0 or more; it is ${temperature}.`,
  );
  requireOption(topP > 0 && topP <= 1, `topP must be above 0 and at most 1; it is ${topP}.`);
  requireOption(
    Number.isSafeInteger(maxTokens) && maxTokens >= 1,
    `The number of answer tokens must be a whole number of 1 or more; it is ${maxTokens}.`,
  );
  requireOption(
    Number.isSafeInteger(firstTokenTop) && firstTokenTop >= 0,
    `firstTokenTop must be a whole number of 0 or more; it is ${firstTokenTop}.`,
  );
  for (const seed of seeds) {
    requireOption(
      Number.isSafeInteger(seed) && seed >= 0,
      `A seed must be a whole number of 0 or more; one is ${seed}.`,
    );
  }
}
