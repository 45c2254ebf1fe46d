import { toPrintable } from './visibleText';

/** Text for element content and quoted attributes; nothing of it can be markup. */
export const htmlText = (value: string): string =>
  toPrintable(value)
    .replace(/&/g, '&amp;')
    .replace(/</g, '&lt;')
    .replace(/>/g, '&gt;')
    .replace(/"/g, '&quot;');
