/** Samples many answers of one prompt, one token of each per step. Child process only. */
import type { LlamaContextSequence, LlamaGrammar, LlamaModel, Token } from 'node-llama-cpp';
import type { SamplingOptions } from '../../engine/ports';
import type { RawReply } from './childProtocol';
import type { StopRules } from './conversation';
import type { NativeModule } from './nativePart';

/** 2³²−1 asks llama.cpp for a random seed, so it stays out of reach. */
export const seedForSampler = (seed: number) => seed % 0xffff_ffff;

/** An answer cut between two tokens can end in half a character. */
export const withoutBrokenEnd = (text: string) => text.replace(/\uFFFD+$/, '');

/** Start of the first stop text in `text`, or −1. */
export function stopPosition(text: string, stopTexts: readonly string[]): number {
  const positions = stopTexts.map((stop) => text.indexOf(stop)).filter((position) => position >= 0);
  return positions.length === 0 ? -1 : Math.min(...positions);
}

const endsWith = (tokens: readonly number[], end: readonly number[]) =>
  end.length <= tokens.length && end.every((token, i) => tokens[tokens.length - end.length + i] === token);

/**
 * The documented 0 means `the whole vocabulary`, sorted: 150,000 tokens for each token sampled, a third of all time.
 * null leaves the step out: the same distribution, unsorted.
 */
const NO_TOP_K = null as unknown as number;

interface Running {
  index: number;
  sequence: LlamaContextSequence;
  steps: ReturnType<LlamaContextSequence['evaluate']>;
  tokens: Token[];
}

/**
 * The library hands a whole vocabulary over token by token, which takes as long as three evaluations. Probabilities are
 * of this many of the most probable; of 150,000 tokens all others together have under 0.0005.
 */
const WEIGHED_TOKENS = 16_384;

/** Next-token distribution of the untempered model after `lastToken`, most probable first. The state is as before. */
async function firstTokenTop(
  sequence: LlamaContextSequence,
  lastToken: Token,
  top: number,
): Promise<[token: Token, probability: number][]> {
  const start = sequence.nextTokenIndex;
  const [output] = await sequence.controlledEvaluate([
    [
      lastToken,
      {
        generateNext: {
          probabilities: true,
          options: { temperature: 1, topK: WEIGHED_TOKENS, topP: 1, minP: 0 },
        },
      },
    ],
  ]);
  await sequence.eraseContextTokenRanges([{ start, end: sequence.nextTokenIndex }]);
  const most: [Token, number][] = [];
  for (const entry of output?.next.probabilities ?? []) {
    if (most.length >= top) break;
    most.push(entry);
  }
  return most;
}

/**
 * @param sequences all at the end of the prompt without `lastToken`; `rewind` takes one back there
 * @param isStopped asked at every step; once true, what is not finished becomes a cancelled reply
 * @returns when every seed had its `onReply`, except those not yet begun when it was stopped
 */
export async function sampleInLockstep({
  library,
  model,
  grammar,
  sequences,
  rewind,
  lastToken,
  promptTokens,
  options,
  stop,
  seeds,
  beforeStep,
  isStopped,
  onReply,
}: {
  library: NativeModule;
  model: LlamaModel;
  grammar: LlamaGrammar | null;
  sequences: LlamaContextSequence[];
  rewind: (sequence: LlamaContextSequence) => Promise<void>;
  lastToken: Token;
  promptTokens: number;
  options: SamplingOptions;
  stop: StopRules;
  seeds: number[];
  beforeStep: () => void;
  isStopped: () => boolean;
  onReply: (reply: RawReply) => void;
}): Promise<void> {
  const stopTexts = [...stop.texts, ...(options.stop ?? [])].filter((text) => text !== '');
  const top = options.firstTokenTop ?? 0;
  const first = top > 0 ? await firstTokenTop(sequences[0]!, lastToken, top) : undefined;
  const firstToken = first?.map(([token, probability]) => ({
    token: model.detokenize([token], false),
    probability: Math.min(1, Math.max(0, probability)),
  }));
  let nextSeed = 0;

  const start = (sequence: LlamaContextSequence): Running => {
    const index = nextSeed++;
    const steps = sequence.evaluate([lastToken], {
      temperature: options.temperature,
      // The library's defaults cut the distribution (topK 40, topP 0.95).
      topK: NO_TOP_K,
      topP: options.topP,
      minP: 0,
      seed: seedForSampler(seeds[index]!),
      ...(grammar === null
        ? {}
        : { grammarEvaluationState: new library.LlamaGrammarEvaluationState({ model, grammar }) }),
    });
    return { index, sequence, steps, tokens: [] };
  };

  const deliver = (run: Pick<Running, 'index' | 'tokens'>, finishReason: RawReply['finishReason']) => {
    // Tokens are parts of characters: only the whole list decodes right.
    const text = model.detokenize(run.tokens, false);
    const cut = stopPosition(text, stopTexts);
    onReply({
      index: run.index,
      text: withoutBrokenEnd(cut < 0 ? text : text.slice(0, cut)),
      finishReason,
      promptTokens,
      completionTokens: run.tokens.length,
      firstToken,
    });
  };

  const finishReasonOf = (
    run: Pick<Running, 'tokens'>,
    step: IteratorResult<Token, void>,
  ): 'stop' | 'length' | null => {
    if (step.done) return 'stop';
    run.tokens.push(step.value);
    const trigger = stop.tokens.find((tokens) => endsWith(run.tokens, tokens));
    if (trigger !== undefined) {
      run.tokens.length -= trigger.length;
      return 'stop';
    }
    if (stopTexts.length > 0 && stopPosition(model.detokenize(run.tokens, false), stopTexts) >= 0)
      return 'stop';
    return run.tokens.length >= options.maxTokens ? 'length' : null;
  };

  // The one greedy token is known by now: the most probable.
  if (first?.[0] !== undefined && options.maxTokens === 1 && options.temperature === 0 && grammar === null) {
    const [token] = first[0];
    for (const index of seeds.keys()) {
      const run = { index, tokens: [] };
      const step = model.isEogToken(token)
        ? ({ done: true, value: undefined } as const)
        : ({ done: false, value: token } as const);
      deliver(run, finishReasonOf(run, step) ?? 'length');
    }
    return;
  }

  let active = sequences.filter((_, i) => i < seeds.length).map(start);
  try {
    while (active.length > 0 && !isStopped()) {
      beforeStep();
      const steps = await Promise.all(active.map((run) => run.steps.next()));
      const goingOn: Running[] = [];
      for (const [i, run] of active.entries()) {
        const finishReason = finishReasonOf(run, steps[i]!);
        if (finishReason === null) {
          goingOn.push(run);
          continue;
        }
        await run.steps.return();
        deliver(run, finishReason);
        await rewind(run.sequence);
        if (nextSeed < seeds.length) goingOn.push(start(run.sequence));
      }
      active = goingOn;
    }
  } finally {
    await Promise.all(active.map((run) => run.steps.return()));
  }
  for (const run of active) deliver(run, 'cancelled');
}
