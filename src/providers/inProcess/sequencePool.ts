/**
 * Sequences of one context that all stand at the end of the same prompt. The prompt is evaluated once, in sequence 0,
 * and its state is copied to the others through a file (the library has no other way). Child process only.
 */
import { rm } from 'node:fs/promises';
import path from 'node:path';
import type { LlamaContext, LlamaContextSequence, LlamaModel, Token } from 'node-llama-cpp';
import { UserError } from '../../contracts/userError';

/**
 * Prompts are evaluated in pieces of this many tokens, always cut at its multiples, and only whole pieces are reused
 * from the prompt before. So the arithmetic, and with it every sampled token, does not depend on what ran before;
 * and an abort waits for one piece at most. Smaller costs speed (64: 8 %, 32: 30 % more than 768 at once).
 */
const PIECE_TOKENS = 64;
const MIN_CONTEXT_TOKENS = 512;
/** Cells of all sequences together: 0.4 to 0.9 GB for the models of the catalogue. */
const MAX_CELLS = 32_768;

/** Context size per sequence and number of sequences for a prompt and its answer, in tokens; from these alone. */
export function contextShape({
  neededTokens,
  trainedTokens,
  parallel,
}: {
  neededTokens: number;
  trainedTokens: number;
  parallel: number;
}): { contextTokens: number; width: number } {
  let contextTokens = MIN_CONTEXT_TOKENS;
  while (contextTokens < neededTokens) contextTokens *= 2;
  contextTokens = Math.max(neededTokens, Math.min(contextTokens, trainedTokens));
  return { contextTokens, width: Math.max(1, Math.min(parallel, Math.floor(MAX_CELLS / contextTokens))) };
}

/** How many leading tokens of `held` serve `wanted`: all of it when equal, else whole pieces. */
export function reusableTokens(held: readonly number[], wanted: readonly number[]): number {
  let common = 0;
  while (common < held.length && common < wanted.length && held[common] === wanted[common]) common++;
  if (common === held.length && common === wanted.length) return common;
  return common - (common % PIECE_TOKENS);
}

interface Slot {
  sequence: LlamaContextSequence;
  /** Prompt tokens at the start of its state that were evaluated piece by piece. */
  held: Token[];
}

export function createSequencePool({
  model,
  parallel,
  stateDir,
  maxThreads,
  beforePiece,
}: {
  model: LlamaModel;
  parallel: number;
  stateDir: string;
  maxThreads: number;
  /** Called before each piece of a prompt; throws to stop. */
  beforePiece: () => void;
}) {
  let context: LlamaContext | null = null;
  let slots: Slot[] = [];

  async function ensureContext(contextTokens: number, width: number): Promise<void> {
    if (context !== null && context.contextSize >= contextTokens && slots.length >= width) return;
    await context?.dispose();
    context = null;
    slots = [];
    try {
      const created = await model.createContext({
        contextSize: contextTokens,
        sequences: width,
        threads: maxThreads,
        batchSize: 512,
        swaFullCache: true,
      });
      context = created;
      slots = Array.from({ length: width }, () => ({ sequence: created.getSequence(), held: [] }));
    } catch (error) {
      throw new UserError(
        'promptTooLong',
        `There is not enough memory for a prompt of this length (${width} × ${contextTokens} tokens).`,
        'Shorten the prompt, close other programs, or choose a smaller model.',
        { cause: error },
      );
    }
  }

  async function cutTo(slot: Slot, length: number): Promise<void> {
    const end = slot.sequence.nextTokenIndex;
    if (end > length) await slot.sequence.eraseContextTokenRanges([{ start: length, end }]);
    slot.held = slot.held.slice(0, length);
  }

  async function evaluatePrefix(slot: Slot, prefix: Token[]): Promise<void> {
    await cutTo(slot, reusableTokens(slot.held, prefix));
    while (slot.held.length < prefix.length) {
      beforePiece();
      const piece = prefix.slice(slot.held.length, slot.held.length + PIECE_TOKENS);
      await slot.sequence.evaluateWithoutGeneratingNewTokens(piece);
      slot.held = slot.held.concat(piece);
    }
  }

  async function copyState(source: Slot, targets: Slot[]): Promise<void> {
    const file = path.join(stateDir, 'prompt.state');
    try {
      await source.sequence.saveStateToFile(file).catch((error: unknown) => {
        throw new UserError(
          'diskFull',
          `The state of the prompt could not be kept in ${stateDir}.`,
          'Free some space in the folder for temporary files.',
          { cause: error },
        );
      });
      for (const target of targets) {
        target.held = [];
        await target.sequence.loadStateFromFile(file, { acceptRisk: true });
        target.held = source.held.slice();
      }
    } finally {
      await rm(file, { force: true });
    }
  }

  return {
    /**
     * Sequences whose state is `tokens` without its last one, so that each evaluates the last one and goes on from
     * there. At most `count` of them, at least 1. Cost: one evaluation of what the last prompt did not share.
     * @throws UserError promptTooLong
     */
    async prepare(tokens: Token[], maxTokens: number, count: number): Promise<LlamaContextSequence[]> {
      const { contextTokens, width } = contextShape({
        // One cell stays free, or the library shifts the context silently.
        neededTokens: tokens.length + maxTokens + 1,
        trainedTokens: model.trainContextSize,
        parallel,
      });
      await ensureContext(contextTokens, width);
      const wanted = slots.slice(0, Math.min(count, width));
      const prefix = tokens.slice(0, -1);
      const [first, ...others] = wanted;
      await evaluatePrefix(first!, prefix);
      const behind: Slot[] = [];
      for (const slot of others) {
        if (reusableTokens(slot.held, prefix) === prefix.length) await cutTo(slot, prefix.length);
        else behind.push(slot);
      }
      if (behind.length > 0) await copyState(first!, behind);
      return wanted.map((slot) => slot.sequence);
    },
    /** Takes a sequence back to the end of the prompt it was prepared with. */
    async rewind(sequence: LlamaContextSequence): Promise<void> {
      const slot = slots.find((candidate) => candidate.sequence === sequence)!;
      await cutTo(slot, slot.held.length);
    },
  };
}
