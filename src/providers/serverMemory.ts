/** What was found out about one model on one server, kept for the next run. */
export interface ServerFacts {
  /** Requests side by side that suited it. */
  concurrency: number | null;
  /** It answers one request several times (`n`). */
  severalAnswers: boolean | null;
}

export interface ServerMemory {
  recall(): Promise<ServerFacts>;
  learn(facts: ServerFacts): Promise<void>;
}

export const nothingKnown = (): ServerFacts => ({ concurrency: null, severalAnswers: null });

/** Forgets with the process. */
export function briefMemory(): ServerMemory {
  let known = nothingKnown();
  return {
    recall: () => Promise.resolve(known),
    learn: (facts) => {
      known = facts;
      return Promise.resolve();
    },
  };
}
