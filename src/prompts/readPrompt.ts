import { UserError } from '../contracts/userError';

/** Longest prompt that is taken, in UTF-16 code units: about 25,000 tokens of English. */
const MAX_PROMPT_CHARACTERS = 100_000;

/**
 * Refuses what cannot be a prompt, before anything is spent on it.
 * @throws UserError `emptyPrompt`, `promptTooLong` or `binaryFile`.
 */
export function checkPromptText(text: string): void {
  if (text === '') {
    throw new UserError(
      'emptyPrompt',
      'There is no prompt: the text is empty.',
      'Select the prompt, or name a file that holds one.',
    );
  }
  if (looksBinary(text)) {
    throw new UserError(
      'binaryFile',
      'This is not text: it holds characters that only binary files have.',
      'Name a text file in UTF-8. If it is text in another encoding, save it as UTF-8 first.',
    );
  }
  if (/^[\s\u200B-\u200D\u2060\uFEFF]*$/u.test(text)) {
    throw new UserError(
      'emptyPrompt',
      'There is no prompt: the text holds only spaces and line breaks.',
      'Select the prompt itself, or name a file that holds one.',
    );
  }
  if (text.length > MAX_PROMPT_CHARACTERS) {
    throw new UserError(
      'promptTooLong',
      `The prompt has ${group(text.length)} characters; at most ${group(MAX_PROMPT_CHARACTERS)} can be checked, because every perturbation sends it again.`,
      'Select the part that you want to check, or name it by its line: FILE:LINE.',
    );
  }
}

/** A NUL, or more than 1% control characters or failed decodings (at least three). */
function looksBinary(text: string): boolean {
  if (text.includes('\0')) return true;
  const odd = text.match(/[\u0001-\u0008\u000E-\u001A\u001C-\u001F\u007F\uFFFD]/g)?.length ?? 0;
  return odd >= 3 && odd > text.length / 100;
}

const group = (count: number) => String(count).replace(/\B(?=(\d{3})+$)/g, ',');
