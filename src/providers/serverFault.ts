/**
 * What went wrong between us and a server, said once for every provider: the outcome of the sample, whether asking
 * again can help, and a text that people can read. Servers' own words are hostile text: shortened and without addresses.
 */
import type { Outcome } from '../contracts/runRecord';

export interface Fault {
  outcome: Outcome;
  code: string;
  message: string;
  /** Asking again may help. */
  retry: boolean;
  /** Every other seed would get the same answer: nothing more is sent in this call. */
  fatal: boolean;
  /** The server's wish, in milliseconds. */
  retryAfterMs: number | null;
  status: number | null;
  /** The server's own error code or type, and the request field that it blames, where it names them. */
  serverCode: string | null;
  param: string | null;
}

export class ServerFault extends Error {
  readonly fault: Fault;
  constructor(fault: Fault, options?: { cause?: unknown }) {
    super(fault.message, options);
    this.name = 'ServerFault';
    this.fault = fault;
  }
}

export function fault(outcome: Outcome, code: string, message: string, more: Partial<Fault> = {}): Fault {
  return {
    outcome,
    code,
    message,
    retry: false,
    fatal: false,
    retryAfterMs: null,
    status: null,
    serverCode: null,
    param: null,
    ...more,
  };
}

export const malformed = (code: string, message: string): ServerFault =>
  new ServerFault(fault('malformed', code, message));

const LONGEST_QUOTE = 240;
/** Patterns below look at this much only: they are not linear, and a server may send any length. */
const LONGEST_READ = 4_000;

/** A server's words, fit for a message: one line, short, without addresses, host names, keys and links. */
export function quoteServer(text: string, secrets: readonly (string | null)[] = []): string {
  let line = text;
  for (const secret of secrets) if (secret) line = line.replaceAll(secret, '[key]');
  line = line
    .slice(0, LONGEST_READ)
    .replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ')
    .replace(/\b[a-z][a-z0-9+.-]*:\/\/\S+/gi, '[address]')
    .replace(/\b(?:sk|pk|key|gsk|hf)[-_][\w*-]{6,}/gi, '[key]')
    .replace(
      /\b(?:[a-z0-9-]+\.)+(?:ai|app|co|com|dev|internal|io|lan|local|net|org)\b(?::\d+)?(?:\/\S*)?/gi,
      '[host]',
    )
    .replace(/\b\d{1,3}(?:\.\d{1,3}){3}(?::\d+)?\b/g, '[address]')
    // Editors make links of [words](command:…) in messages, and run the command.
    .replaceAll('](', '] (')
    .trim();
  return line.length > LONGEST_QUOTE ? `${line.slice(0, LONGEST_QUOTE - 1)}…` : line;
}

interface ServerError {
  message: string;
  code: string | null;
  param: string | null;
}

const asText = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null);

/** Error bodies come as {error: "…"} (Ollama), {error: {message, code, type, param}} (OpenAI), {message}, {detail} or any text. */
export function readServerError(body: unknown): ServerError {
  if (typeof body === 'string') {
    try {
      const parsed: unknown = JSON.parse(body);
      if (typeof parsed === 'object' && parsed !== null) return readServerError(parsed);
    } catch {
      // Not JSON: a proxy's page or plain words.
    }
    return { message: /<html|<!doctype/i.test(body) ? 'an HTML page' : body, code: null, param: null };
  }
  const outer = (body ?? {}) as Record<string, unknown>;
  if (typeof outer.error === 'string') return { message: outer.error, code: null, param: null };
  const inner = (typeof outer.error === 'object' && outer.error !== null ? outer.error : outer) as Record<
    string,
    unknown
  >;
  const message = asText(inner.message) ?? asText(inner.detail) ?? JSON.stringify(inner.detail ?? inner);
  return { message, code: asText(inner.code) ?? asText(inner.type), param: asText(inner.param) };
}

const QUOTA_CODES = new Set(['insufficient_quota', 'billing_hard_limit_reached', 'quota_exceeded']);

/** `Retry-After` as seconds or as an HTTP date, and OpenAI's `retry-after-ms`; null when absent or nonsense. */
export function retryAfterMs(headers: Headers, nowMs: number): number | null {
  const exact = Number.parseFloat(headers.get('retry-after-ms') ?? '');
  if (exact >= 0) return exact;
  const header = headers.get('retry-after');
  if (header === null) return null;
  if (/^\s*\d+(\.\d+)?\s*$/.test(header)) return Number(header) * 1000;
  const dateMs = Date.parse(header);
  return Number.isNaN(dateMs) ? null : Math.max(0, dateMs - nowMs);
}

/** A reply with a status other than 2xx. */
export function faultFromStatus(
  status: number,
  body: string,
  headers: Headers,
  nowMs: number,
  secrets: readonly (string | null)[],
): Fault {
  const error = readServerError(body);
  const words = quoteServer(error.message, secrets) || 'no explanation';
  const more = { status, serverCode: error.code, param: error.param };
  const refused = (code: string, what: string) =>
    fault('unavailable', code, `${what} (${status}): ${words}`, { ...more, fatal: true });

  if (status >= 300 && status < 400)
    return refused('redirected', 'The server sends on to another address, which is not followed');
  if (status === 429) {
    // A quota that ends with the day or the credit is not a rate: asking again only costs time.
    const quota = QUOTA_CODES.has(error.code ?? '') || /per day|daily|\bRPD\b|\bTPD\b/i.test(error.message);
    if (quota)
      return fault('rateLimited', 'quotaExhausted', `The quota is used up (429): ${words}`, {
        ...more,
        fatal: true,
      });
    return fault('rateLimited', 'rateLimited', `Too many requests (429): ${words}`, {
      ...more,
      retry: true,
      retryAfterMs: retryAfterMs(headers, nowMs),
    });
  }
  if (status === 408)
    return fault('timeout', 'requestTimeout', `The server gave up waiting (408): ${words}`, {
      ...more,
      retry: true,
    });
  if (status >= 500)
    return fault(
      'unavailable',
      status === 503 || status === 529 ? 'overloaded' : 'serverError',
      `The server failed (${status}): ${words}`,
      {
        ...more,
        retry: status !== 501 && status !== 505,
        retryAfterMs: retryAfterMs(headers, nowMs),
      },
    );
  if (error.code === 'content_filter' || error.code === 'content_policy_violation')
    return fault(
      'refused',
      'contentFilter',
      `The server's content filter refused (${status}): ${words}`,
      more,
    );
  if (status === 401) return refused('unauthorized', 'The server does not accept the key');
  if (status === 403) return refused('forbidden', 'The server does not allow this');
  if (status === 404) return refused('notFound', 'The server knows no such model or address');
  if (status === 413) return refused('tooLarge', 'The request is too large for the server');
  return refused('badRequest', 'The server does not accept the request');
}

const CERTIFICATE = /CERT|SELF_SIGNED|UNABLE_TO_VERIFY|UNABLE_TO_GET_ISSUER|ERR_TLS/;
const GONE = new Set(['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET', 'ECONNABORTED']);
const UNREACHABLE = new Set(['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH', 'EADDRNOTAVAIL', 'ECONNFAILED']);

/** Any error of fetch, `ollama` or `openai`, by what lies at the bottom of its chain of causes. */
export function faultOf(error: unknown, secrets: readonly (string | null)[] = []): Fault {
  const codes: string[] = [];
  for (let at: unknown = error, depth = 0; at instanceof Error && depth < 8; at = at.cause, depth += 1) {
    if (at instanceof ServerFault) return at.fault;
    const { code } = at as { code?: unknown };
    if (typeof code === 'string') codes.push(code);
    // Several addresses of one name: their errors are held side by side.
    if (at instanceof AggregateError)
      for (const one of at.errors as { code?: unknown }[])
        if (typeof one.code === 'string') codes.push(one.code);
    if (at.name === 'TimeoutError')
      return fault('timeout', 'connectionTimeout', 'The server did not answer in time.');
    if (at instanceof SyntaxError) return malformed('brokenJson', 'The reply is not complete JSON.').fault;
  }
  const has = (set: Set<string>) => codes.find((code) => set.has(code));
  const certificate = codes.find((code) => CERTIFICATE.test(code));
  if (certificate)
    return fault(
      'unavailable',
      'certificate',
      `The server's certificate is not trusted (${certificate}): name its authority in NODE_EXTRA_CA_CERTS, or see the setting http.proxyStrictSSL.`,
      { fatal: true },
    );
  const unreachable = has(UNREACHABLE);
  if (unreachable)
    return fault('unavailable', 'unreachable', `Nothing answers at the server's address (${unreachable}).`, {
      retry: true,
    });
  if (codes.includes('ENOTFOUND') || codes.includes('EAI_AGAIN'))
    return fault('unavailable', 'hostUnknown', "The server's name is unknown.", { fatal: true });
  if (codes.some((code) => /TIMEOUT|ETIMEDOUT/.test(code)))
    return fault('timeout', 'connectionTimeout', 'The connection went silent.', { retry: true });
  const gone = has(GONE);
  if (gone)
    return fault('unavailable', 'connectionLost', `The connection broke off (${gone}).`, { retry: true });
  const words = quoteServer(error instanceof Error ? error.message : String(error), secrets);
  return fault('unavailable', 'failed', `The request failed: ${words || 'no explanation'}`, { retry: true });
}
