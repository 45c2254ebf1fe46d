import { describe, expect, it } from 'vitest';
import { usageError } from './usageError';

describe('an error of the flag parser', () => {
  it.each([
    [
      "error: option '--limit <n>' argument '0' is invalid. Give a whole number from 1 to 1000.\n",
      "error  Option '--limit <n>' argument '0' is invalid.\nnext   Give a whole number from 1 to 1000.\n",
    ],
    [
      "error: unknown option '--sampels'\n(Did you mean --samples?)\n",
      "error  Unknown option '--sampels'.\nnext   Did you mean --samples?\n",
    ],
    [
      "error: missing required argument 'file'\n",
      "error  Missing required argument 'file'.\nnext   evenkeel --help lists the commands, evenkeel COMMAND --help what each takes.\n",
    ],
    [
      "error: unknown command '\u001b[31mfoo'\n",
      "error  Unknown command '␛[31mfoo'.\nnext   evenkeel --help lists the commands, evenkeel COMMAND --help what each takes.\n",
    ],
  ])('%j says what and the next step', (text, printed) => {
    expect(usageError(text)).toBe(printed);
  });
});
