import { toPrintable } from '../report/visibleText';

/**
 * Text for notifications, titles and lists. VS Code makes links of `[text](target)` there, also ones that run commands,
 * and icons of `$(name)`: what a model, a server or a file says must not become either.
 */
export const plainText = (text: string): string =>
  toPrintable(text).replaceAll('](', '] (').replaceAll('$(', '$ (');
