/** The files of OpenAI's Batch API: one request or one reply a line. Pure but for reading a stream. */
import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { SampleRequest } from '../../engine/ports';

/** A file may hold 50,000 requests and 200 MB (OpenAI, Batch API guide). It is put together in memory, so ours are smaller. */
const MOST_REQUESTS = 50_000;
const MOST_BYTES = 64 * 1024 * 1024;
/** Of one reply; longer ones are skipped. */
const LONGEST_LINE = 1024 * 1024;

/** One answer that is asked for in a batch. */
export interface Asked {
  /** `custom_id`: by content, so that a reply counts only for the very request that it answers. */
  id: string;
  request: SampleRequest;
  seed: number;
  indexInSeeds: number;
}

/** Every answer that the requests ask for, with ids that are the same whenever the same is asked of the same model. */
export function askedOf(requests: SampleRequest[], model: string): Asked[] {
  const seen = new Map<string, number>();
  return requests.flatMap((request) =>
    request.seeds.map((seed, indexInSeeds): Asked => {
      const { messages, options } = request;
      const hash = createHash('sha256')
        .update(JSON.stringify([model, messages, options, seed]))
        .digest('hex');
      const repeat = seen.get(hash) ?? 0;
      seen.set(hash, repeat + 1);
      return { id: `${hash.slice(0, 32)}-${repeat}`, request, seed, indexInSeeds };
    }),
  );
}

/** The lines of the files to be sent, each file within what a server takes. */
export function* filesOf(
  asked: Iterable<Asked>,
  bodyOf: (asked: Asked) => object,
  most: { requests: number; bytes: number } = { requests: MOST_REQUESTS, bytes: MOST_BYTES },
): Generator<{ asked: Asked[]; lines: string[] }> {
  let file: { asked: Asked[]; lines: string[] } = { asked: [], lines: [] };
  let bytes = 0;
  for (const one of asked) {
    const line = `${JSON.stringify({ custom_id: one.id, method: 'POST', url: '/v1/chat/completions', body: bodyOf(one) })}\n`;
    const size = Buffer.byteLength(line);
    if (file.lines.length >= most.requests || (file.lines.length > 0 && bytes + size > most.bytes)) {
      yield file;
      file = { asked: [], lines: [] };
      bytes = 0;
    }
    file.asked.push(one);
    file.lines.push(line);
    bytes += size;
  }
  if (file.lines.length > 0) yield file;
}

const replySchema = z.object({
  custom_id: z.string(),
  response: z.object({ status_code: z.number(), body: z.unknown() }).nullish().catch(null),
  error: z.object({ code: z.string().nullish(), message: z.string().nullish() }).nullish().catch(null),
});
export type BatchReply = z.infer<typeof replySchema>;

/** One line of an output or error file; null for anything that names no request. */
export function readReply(line: string): BatchReply | null {
  try {
    return replySchema.parse(JSON.parse(line));
  } catch {
    return null;
  }
}

/** The lines of a stream of bytes; those that are far too long are skipped. Memory: one line. */
export async function* linesOf(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = '';
  let skipping = false;
  for await (const chunk of bytes) {
    const parts = (rest + decoder.decode(chunk, { stream: true })).split('\n');
    rest = parts.pop()!;
    for (const part of parts) {
      if (!skipping && part.trim() !== '') yield part;
      skipping = false;
    }
    if (rest.length > LONGEST_LINE) {
      skipping = true;
      rest = '';
    }
  }
  if (!skipping && rest.trim() !== '') yield rest;
}
