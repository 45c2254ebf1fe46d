/** What every provider promises, against an OpenAI-protocol server of our own that behaves: it runs where no real one is. */
import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe } from 'vitest';
import { createOpenAiModel } from '../../src/providers/openai/openAiModel';
import { chunk, startFakeOpenAi, type Handler } from './fakeOpenAiServer';
import { modelContract } from './suite';

const CONTEXT = 4096;
const WORDS = ['one', 'two', 'red', 'blue', 'cat', 'dog', 'sun', 'moon', 'sea', 'hill'];
const TOP = Array.from({ length: 20 }, (_, i) => ({ token: WORDS[i % 10]! + i, logprob: -0.7 - 0.8 * i }));

/** A word a token and a token a millisecond; the same words for the same messages and seed, or for the messages at temperature 0. */
const behaves: Handler = ({ body }, answer) => {
  const messages = body['messages'] as { content: string }[];
  const read = messages.reduce((sum, { content }) => sum + content.split(/\s+/).length, 5);
  if (read > CONTEXT) {
    const message = `This model's maximum context length is ${CONTEXT} tokens.`;
    return answer.send(400, { error: { message, code: 'context_length_exceeded' } });
  }
  const most = body['max_tokens'] as number;
  const seed = body['temperature'] === 0 ? 'any' : body['seed'];
  const hash = createHash('sha256')
    .update(JSON.stringify([messages, seed]))
    .digest();
  const wanted = messages.at(-1)!.content.includes('Count') ? most : 3 + (hash[0]! % 4);
  const said = Array.from({ length: Math.min(most, wanted) }, (_, i) => WORDS[hash[i % 32]! % 10]!).join(' ');
  const logprobs = body['logprobs'] === true ? { content: [{ top_logprobs: TOP }] } : undefined;
  const part = chunk(said, wanted >= most ? 'length' : 'stop');
  const usage = {
    model: 'm',
    choices: [],
    usage: { prompt_tokens: read, completion_tokens: Math.min(most, wanted) },
  };
  const choices = part.choices.map((choice) => (logprobs === undefined ? choice : { ...choice, logprobs }));
  setTimeout(() => answer.stream([{ ...part, choices }, usage, '[DONE]']), 3 + Math.min(most, wanted));
};

describe("a local OpenAI-protocol server under the tests' control", () => {
  let server: Awaited<ReturnType<typeof startFakeOpenAi>>;
  beforeAll(async () => {
    server = await startFakeOpenAi(behaves);
  });
  afterAll(() => server.stop());

  const make = (model = 'm') =>
    createOpenAiModel({
      id: `lab:${model}`,
      model,
      baseUrl: server.baseUrl,
      apiKey: null,
      clock: { nowMs: () => Date.now() },
      concurrency: 1,
    });
  modelContract({
    make: () => make(),
    makeUnknown: () => make('n'),
    suggestion: 'm',
    firstToken: true,
    digest: false,
    contextLength: CONTEXT,
  });
});
