import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { UserError } from '../contracts/userError';

/** all-MiniLM-L6-v2, int8 weights, fp32 arithmetic; where it comes from is told in media/models/README.md. */
export const SENTENCE_ENCODER = {
  id: 'minilm',
  weights: {
    file: 'minilm-l6-v2-w8.onnx',
    sha256: '25afc3f23e31e41b92ff232a4cd3e39c6aad474a56275ecd1f4a4f5628d0e5ed',
  },
  tokenizer: {
    file: 'tokenizer.json',
    sha256: 'be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037',
  },
  tokenizerConfig: {
    file: 'tokenizer_config.json',
    sha256: 'acb92769e8195aabd29b7b2137a9e6d6e25c476a4f15aa4355c233426c61576b',
  },
} as const;

const reinstall = 'Reinstall Evenkeel, then run the check again.';

/** Reads a file that ships with Evenkeel. @throws UserError weightsUnavailable when it cannot be read. */
export async function readShippedFile(folder: string, file: string): Promise<Uint8Array> {
  try {
    return await readFile(path.join(folder, file));
  } catch (cause) {
    throw new UserError(
      'weightsUnavailable',
      `The sentence encoder cannot start: ${file} cannot be read from ${folder}.`,
      reinstall,
      { cause },
    );
  }
}

/**
 * Like readShippedFile, and it must be the very file that was tested: a run record names its digest.
 * @throws UserError weightsDamaged when its SHA-256 is another one.
 */
export async function readPinnedFile(
  folder: string,
  { file, sha256 }: { file: string; sha256: string },
): Promise<Uint8Array> {
  const bytes = await readShippedFile(folder, file);
  if (createHash('sha256').update(bytes).digest('hex') !== sha256) {
    throw new UserError(
      'weightsDamaged',
      `The sentence encoder cannot start: ${file} in ${folder} is damaged or from another version.`,
      reinstall,
    );
  }
  return bytes;
}
