import type { ModelIdentity } from '../../src/contracts/runRecord';
import type { Model, Reply, SampleRequest } from '../../src/engine/ports';

const fakeIdentity: ModelIdentity = {
  id: 'local:fake',
  provider: 'local',
  resolved: 'fake',
  digest: null,
  baseUrl: null,
  parameterSize: null,
  quantization: null,
  contextLength: null,
  runtime: null,
};

/** What the fake says: the prompt as sent, the seed, and how many answers it gave before this one. */
export type FakeAnswer = (prompt: string, seed: number, given: number) => Partial<Reply> | string;

/** A scripted model, to inject the faults that a real one has too rarely for a test. */
export function fakeModel(answer: FakeAnswer, options: { batch?: number; concurrency?: number } = {}): Model {
  let given = 0;
  return {
    id: fakeIdentity.id,
    batch: options.batch ?? 1,
    concurrency: options.concurrency ?? 1,
    open: async () => fakeIdentity,
    countTokens: async () => null,
    close: async () => {},
    async sample({ messages, seeds, signal, onReply }: SampleRequest) {
      for (const [i, seed] of seeds.entries()) {
        // As a real one does: other work gets its turn between answers.
        await new Promise((resolve) => setImmediate(resolve));
        const said = signal.aborted
          ? { outcome: 'cancelled' as const, text: '' }
          : answer(messages.at(-1)!.content, seed, given++);
        onReply(
          {
            seed,
            outcome: 'ok',
            text: '',
            finishReason: 'stop',
            promptTokens: 10,
            completionTokens: 2,
            latencyMs: 1,
            startedAtMs: 0,
            ...(typeof said === 'string' ? { text: said } : said),
          },
          i,
        );
      }
    },
  };
}
