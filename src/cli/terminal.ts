import { createColors } from 'picocolors';

export interface Terminal {
  /** The result, and nothing else, goes to standard output. */
  out(text: string): void;
  /** Warnings and errors. */
  note(text: string): void;
  /** What is about to happen or was done; not with --quiet. */
  detail(text: string): void;
  /** Replaces the progress line on a terminal; elsewhere prints a plain line now and then. */
  progress(line: string): void;
  /** Removes the progress line. */
  settle(): void;
  colors: ReturnType<typeof createColors>;
  columns: number;
}

const PLAIN_LINE_EVERY_MS = 10_000;
/** More often than the eye can follow is only work for the terminal. */
const MOVING_LINE_EVERY_MS = 100;
/** Some terminals report no width, or one that nothing fits into. */
const LEAST_COLUMNS = 40;

/** Colour only on a terminal and without NO_COLOR; in CI plain lines in place of a moving one. */
export function createTerminal(
  stdout: NodeJS.WriteStream,
  stderr: NodeJS.WriteStream,
  env: NodeJS.ProcessEnv,
  options: { quiet: boolean; nowMs: () => number },
): Terminal {
  const moving = stderr.isTTY === true && env['CI'] === undefined && env['TERM'] !== 'dumb';
  const colorful = stdout.isTTY === true && env['NO_COLOR'] === undefined && env['TERM'] !== 'dumb';
  const columns = Math.max(LEAST_COLUMNS, Math.min(stderr.columns || 80, 100));
  let shown = false;
  let lastMs = Number.NEGATIVE_INFINITY;

  const settle = () => {
    if (shown) stderr.write('\r\u001b[2K');
    shown = false;
  };
  const note = (text: string) => {
    settle();
    stderr.write(`${text}\n`);
  };
  return {
    out: (text) => {
      settle();
      stdout.write(`${text}\n`);
    },
    note,
    detail: (text) => {
      if (!options.quiet) note(text);
    },
    progress(line) {
      if (options.quiet) return;
      if (options.nowMs() - lastMs < (moving ? MOVING_LINE_EVERY_MS : PLAIN_LINE_EVERY_MS)) return;
      lastMs = options.nowMs();
      if (moving) stderr.write(`\r\u001b[2K${line.slice(0, columns - 1)}`);
      else stderr.write(`${line}\n`);
      shown = moving;
    },
    settle,
    colors: createColors(colorful),
    columns,
  };
}
