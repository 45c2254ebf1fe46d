/** Runs one after another: two at a time would share the machine and spoil each other's speed. No import of `vscode`. */

export interface RunQueue {
  /** Titles of what waits, next first. */
  waiting(): readonly string[];
  /**
   * Runs `work` when it is its turn.
   * @param signal takes it out of the line; once it runs, `work` has to mind it
   * @returns undefined where it was taken out before its turn
   */
  add<T>(title: string, signal: AbortSignal, work: () => Promise<T>): Promise<T | undefined>;
  /** Nothing new begins until `release`; what runs goes on. */
  hold(): void;
  release(): void;
  readonly held: boolean;
}

interface Entry {
  title: string;
  start(): void;
}

/** @param onChange called whenever something joins or leaves the line */
export function createRunQueue(onChange: () => void): RunQueue {
  const line: Entry[] = [];
  let busy = false;
  let held = false;
  const next = () => {
    if (busy || held) return;
    line.shift()?.start();
  };
  return {
    waiting: () => line.map(({ title }) => title),
    async add(title, signal, work) {
      const turn = await new Promise<boolean>((resolve) => {
        const entry = {
          title,
          start() {
            busy = true;
            resolve(true);
          },
        };
        signal.addEventListener('abort', () => {
          const at = line.indexOf(entry);
          if (at === -1) return;
          line.splice(at, 1);
          onChange();
          resolve(false);
        });
        line.push(entry);
        next();
        onChange();
      });
      if (!turn) return undefined;
      try {
        return await work();
      } finally {
        busy = false;
        next();
        onChange();
      }
    },
    hold() {
      held = true;
    },
    release() {
      held = false;
      next();
      onChange();
    },
    get held() {
      return held;
    },
  };
}
