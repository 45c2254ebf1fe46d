import { createReadStream, existsSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { UserError } from '../contracts/userError';

/** Larger than any prompt that can be checked, small enough to read without harm. */
const MAX_BYTES = 4_000_000;

export interface PromptArgument {
  /** Null for standard input. */
  path: string | null;
  /** 1-based; null when the whole file is meant. */
  line: number | null;
  /** Of `FILE#SYMBOL`: which prompt of the file is meant; null when none is named. */
  symbol: string | null;
  content: string;
}

/**
 * Reads `FILE`, `FILE:LINE`, `FILE#SYMBOL` or `-`.
 * @throws UserError `fileNotFound`, `binaryFile`, `promptTooLong`
 */
export async function readPromptArgument(argument: string): Promise<PromptArgument> {
  if (argument === '-') {
    const name = 'Standard input';
    return {
      path: null,
      line: null,
      symbol: null,
      content: textOf(await readStart(process.stdin, name), name),
    };
  }
  // A file may have such a name itself.
  const match = existsSync(argument) ? null : /^(.+?)(?::(\d+)|#([^#]+))$/.exec(argument);
  const path = match?.[1] ?? argument;
  const line = match?.[2] === undefined ? null : Number(match[2]);
  const symbol = match?.[3] ?? null;
  let bytes: Buffer;
  try {
    const info = await stat(path);
    if (info.isDirectory()) {
      throw new UserError('fileNotFound', `${path} is a folder.`, 'Name a prompt file in it.');
    }
    if (info.size > MAX_BYTES) throw tooLong(path);
    bytes = await readStart(createReadStream(path), path);
  } catch (error) {
    if (error instanceof UserError) throw error;
    const code = (error as NodeJS.ErrnoException).code;
    const why =
      code === 'ENOENT'
        ? 'does not exist'
        : code === 'EACCES'
          ? 'may not be read'
          : `cannot be read (${code})`;
    throw new UserError('fileNotFound', `${path} ${why}.`, 'Check the path.', { cause: error });
  }
  return { path, line, symbol, content: textOf(bytes, path) };
}

const tooLong = (name: string) =>
  new UserError(
    'promptTooLong',
    `${name} holds more than ${MAX_BYTES.toLocaleString('en-US')} bytes; no prompt is that long.`,
    'Name a smaller file, or FILE:LINE for a part of one.',
  );

/** A pipe or a device tells no size, and may never end. */
async function readStart(stream: AsyncIterable<Buffer | string>, name: string): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of stream) {
    const data = typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
    bytes += data.length;
    if (bytes > MAX_BYTES) throw tooLong(name);
    chunks.push(data);
  }
  return Buffer.concat(chunks);
}

function textOf(bytes: Buffer, name: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: false }).decode(bytes);
  } catch (error) {
    throw new UserError('binaryFile', `${name} is not a text file (UTF-8).`, 'Name a text file.', {
      cause: error,
    });
  }
}
