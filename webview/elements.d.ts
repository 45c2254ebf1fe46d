/** The few elements of @vscode-elements/elements that the page uses, for JSX. */
import type { HTMLAttributes } from 'preact';

declare module 'preact' {
  namespace JSX {
    interface IntrinsicElements {
      'vscode-button': HTMLAttributes<HTMLElement> & { secondary?: boolean; disabled?: boolean };
      'vscode-badge': HTMLAttributes<HTMLElement>;
      'vscode-progress-bar': HTMLAttributes<HTMLElement> & {
        value?: number;
        max?: number;
        indeterminate?: boolean;
      };
    }
  }
}
