/**
 * Sequences of one context that all stand at the end of the same prompt. The prompt is evaluated once, in sequence 0,
 * and its state is copied to the others through a file (the library has no other way). Child process only.
 */
import { rm } from 'node:fs/promises';
import path from 'node:path';
import type { LlamaContext, LlamaContextSequence, LlamaModel, Token } from 'node-llama-cpp';
import { UserError } from '../../contracts/userError';

/**
 * Prompts are evaluated in pieces: first the head (what the chat template and the system message put before the user's
 * text), then this many tokens at a time; only whole pieces are reused from the prompt before. The cuts follow from the
 * prompt alone, so the arithmetic, and with it every sampled token, does not depend on what ran before; and an abort
 * waits for one piece at most. Smaller costs speed (64: 8 %, 32: 30 % more than 768 at once).
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

/** Tokens at the start of a prompt, and where their pieces end: the last of `ends` is their number. */
export interface Pieces {
  tokens: readonly Token[];
  ends: readonly number[];
}

const NO_PIECES: Pieces = { tokens: [], ends: [] };

/** @param headTokens length of the head; what is shorter than its head is one head */
export function cutIntoPieces(tokens: readonly Token[], headTokens: number): Pieces {
  const ends: number[] = [];
  for (const [start, end] of [
    [0, Math.min(headTokens, tokens.length)],
    [Math.min(headTokens, tokens.length), tokens.length],
  ] as const) {
    for (let at = start; at < end; at += PIECE_TOKENS) ends.push(Math.min(at + PIECE_TOKENS, end));
  }
  return { tokens, ends };
}

/** How many pieces of `held` serve `wanted`: those with the same tokens, cut in the same places. */
export function reusablePieces(held: Pieces, wanted: Pieces): number {
  let common = 0;
  while (common < held.tokens.length && held.tokens[common] === wanted.tokens[common]) common++;
  let pieces = 0;
  while (
    pieces < held.ends.length &&
    held.ends[pieces] === wanted.ends[pieces] &&
    held.ends[pieces]! <= common
  )
    pieces++;
  return pieces;
}

interface Slot {
  sequence: LlamaContextSequence;
  /** What its state begins with. */
  held: Pieces;
}

const tokensIn = ({ ends }: Pieces): number => ends.at(-1) ?? 0;

function firstPieces({ tokens, ends }: Pieces, count: number): Pieces {
  const kept = ends.slice(0, count);
  return { tokens: tokens.slice(0, kept.at(-1) ?? 0), ends: kept };
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
      slots = Array.from({ length: width }, () => ({ sequence: created.getSequence(), held: NO_PIECES }));
    } catch (error) {
      throw new UserError(
        'promptTooLong',
        `There is not enough memory for a prompt of this length (${width} × ${contextTokens} tokens).`,
        'Shorten the prompt, close other programs, or choose a smaller model.',
        { cause: error },
      );
    }
  }

  async function cutTo(slot: Slot, pieces: number): Promise<void> {
    slot.held = firstPieces(slot.held, pieces);
    const start = tokensIn(slot.held);
    const end = slot.sequence.nextTokenIndex;
    if (end > start) await slot.sequence.eraseContextTokenRanges([{ start, end }]);
  }

  async function evaluate(slot: Slot, wanted: Pieces): Promise<void> {
    await cutTo(slot, reusablePieces(slot.held, wanted));
    for (const end of wanted.ends.slice(slot.held.ends.length)) {
      beforePiece();
      await slot.sequence.evaluateWithoutGeneratingNewTokens(wanted.tokens.slice(tokensIn(slot.held), end));
      slot.held = firstPieces(wanted, slot.held.ends.length + 1);
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
        target.held = NO_PIECES;
        await target.sequence.loadStateFromFile(file, { acceptRisk: true });
        target.held = source.held;
      }
    } finally {
      await rm(file, { force: true });
    }
  }

  return {
    /**
     * Sequences whose state is `tokens` without its last one, so that each evaluates the last one and goes on from
     * there. At most `count` of them, at least 1. Cost: one evaluation of what the last prompt did not share.
     * @param conversation `headTokens`: how many of the tokens are the same for every text of the user
     * @throws UserError promptTooLong
     */
    async prepare(
      { tokens, headTokens }: { tokens: Token[]; headTokens: number },
      maxTokens: number,
      count: number,
    ): Promise<LlamaContextSequence[]> {
      const { contextTokens, width } = contextShape({
        // One cell stays free, or the library shifts the context silently.
        neededTokens: tokens.length + maxTokens + 1,
        trainedTokens: model.trainContextSize,
        parallel,
      });
      await ensureContext(contextTokens, width);
      const wanted = slots.slice(0, Math.min(count, width));
      const prefix = cutIntoPieces(tokens.slice(0, -1), headTokens);
      const [first, ...others] = wanted;
      await evaluate(first!, prefix);
      const behind: Slot[] = [];
      for (const slot of others) {
        if (reusablePieces(slot.held, prefix) === prefix.ends.length) await cutTo(slot, prefix.ends.length);
        else behind.push(slot);
      }
      if (behind.length > 0) await copyState(first!, behind);
      return wanted.map((slot) => slot.sequence);
    },
    /** Takes a sequence back to the end of the prompt it was prepared with. */
    async rewind(sequence: LlamaContextSequence): Promise<void> {
      const slot = slots.find((candidate) => candidate.sequence === sequence)!;
      await cutTo(slot, slot.held.ends.length);
    },
  };
}
