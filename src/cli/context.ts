import type { Terminal } from './terminal';

/** What every command gets from the composition root. */
export interface CliContext {
  terminal: Terminal;
  version: string;
  env: NodeJS.ProcessEnv;
  /** Folder of the built files; `media` lies beside it. */
  distDir: string;
  /** Aborted by Ctrl-C. */
  signal: AbortSignal;
  verbose: boolean;
}
