import { wouldBeOverheard } from './serverAddress';
import { ServerFault, fault, faultFromStatus, faultOf, malformed } from './serverFault';

export type Fetch = typeof globalThis.fetch;

/** Visible ASCII: anything else in a key is a slip of pasting, and fetch would quote the key in its refusal. */
const USABLE_KEY = /^[\x21-\x7e]+$/;

/** A reply of 4,096 tokens with all their log probabilities is a tenth of this. */
const LONGEST_REPLY_BYTES = 32 * 1024 * 1024;

/** Of a stream: client libraries put an unfinished line together anew with every chunk. */
export const LONGEST_LINE_BYTES = 1024 * 1024;
export const endless = () => malformed('replyTooLong', 'The reply does not end, or is far too long.');

/** Enough of an error page to say what it is. */
const ERROR_BODY_BYTES = 64 * 1024;

async function readStart(response: Response): Promise<string> {
  const reader = response.body?.getReader();
  if (!reader) return '';
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  while (bytes < ERROR_BODY_BYTES) {
    const { done, value } = await reader.read();
    if (done) break;
    bytes += value.length;
    text += decoder.decode(value, { stream: true });
  }
  await reader.cancel().catch(() => undefined);
  return text;
}

/** The same response, which breaks off where its server does not end. `longestFile`: bytes of a file with lines of its own length. */
function limited(response: Response, longestFile: number | undefined): Response {
  if (!response.body) return response;
  const inLines = longestFile === undefined && !/\bjson\b/i.test(response.headers.get('content-type') ?? '');
  const longest = longestFile ?? LONGEST_REPLY_BYTES;
  let bytes = 0;
  let lineBytes = 0;
  const count = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      bytes += chunk.length;
      const feed = chunk.lastIndexOf(0x0a);
      lineBytes = feed < 0 ? lineBytes + chunk.length : chunk.length - feed - 1;
      if (bytes > longest || (inLines && lineBytes > LONGEST_LINE_BYTES)) throw endless();
      controller.enqueue(chunk);
    },
  });
  return new Response(response.body.pipeThrough(count), {
    status: response.status,
    headers: response.headers,
  });
}

/** A form as bytes with their type in `headers`: a proxy's or an editor's fetch need not know this Node's FormData. */
async function withPlainBody(init: RequestInit, headers: Headers): Promise<RequestInit> {
  if (!(init.body instanceof FormData)) return init;
  const form = new Response(init.body);
  headers.set('content-type', form.headers.get('content-type') ?? 'multipart/form-data');
  return { ...init, body: await form.arrayBuffer() };
}

/**
 * `fetch` for one request of a client library, so that its habits cannot hurt: it speaks to one origin only, follows no
 * redirect, sends only the headers named here, ends with `signal`, and turns every failure into a ServerFault before
 * the library can retry it, print it or take an error page for a reply.
 */
export function guardedFetch(options: {
  fetch: Fetch;
  /** Scheme, host and port that the key belongs to. */
  origin: string;
  /** Null: no Authorization header at all (keyless servers). */
  apiKey: string | null;
  /** The person allows the key over plain http to another machine; false: it is refused. */
  keyOverHttp?: boolean;
  signal: AbortSignal;
  nowMs: () => number;
  /** The reply is a file, to be read line by line: no more than so many bytes of it. Its lines are the reader's to limit. */
  longestFileBytes?: number;
}): Fetch {
  const { origin, apiKey, signal, nowMs } = options;
  return async (input, init = {}) => {
    const url = new URL(input instanceof Request ? input.url : input);
    if (url.origin !== origin)
      throw new ServerFault(
        fault(
          'unavailable',
          'otherOrigin',
          'A request to another address than the configured one was stopped.',
          {
            fatal: true,
          },
        ),
      );
    const given = new Headers(init.headers);
    const headers = new Headers();
    for (const name of ['accept', 'content-type', 'user-agent']) {
      const value = given.get(name);
      if (value !== null) headers.set(name, value);
    }
    if (apiKey !== null && !USABLE_KEY.test(apiKey))
      throw new ServerFault(
        fault(
          'unavailable',
          'unusableKey',
          'The key holds a space, a line break or another character that no key has.',
          { fatal: true },
        ),
      );
    if (apiKey !== null && options.keyOverHttp !== true && wouldBeOverheard(url))
      throw new ServerFault(
        fault(
          'unavailable',
          'keyOverHttp',
          'The key would go over plain http to another machine, and anybody on the way could read it: it was not sent.',
          { fatal: true },
        ),
      );
    if (apiKey !== null) headers.set('authorization', `Bearer ${apiKey}`);
    let response: Response;
    let errorBody = '';
    try {
      response = await options.fetch(url, {
        ...(await withPlainBody(init, headers)),
        headers,
        redirect: 'manual',
        signal: init.signal ? AbortSignal.any([init.signal, signal]) : signal,
      });
      if (!response.ok) errorBody = await readStart(response);
    } catch (error) {
      throw new ServerFault(faultOf(error, [apiKey]), { cause: error });
    }
    if (response.type === 'opaqueredirect')
      throw new ServerFault(faultFromStatus(302, '', response.headers, nowMs(), []));
    if (!response.ok)
      throw new ServerFault(faultFromStatus(response.status, errorBody, response.headers, nowMs(), [apiKey]));
    if (/\bhtml\b/i.test(response.headers.get('content-type') ?? '')) {
      await response.body?.cancel();
      throw malformed(
        'htmlReply',
        'The server answered with an HTML page: the address is not that of a model server.',
      );
    }
    return limited(response, options.longestFileBytes);
  };
}
