import path from 'node:path';
import { createEvenkeel } from '../compose/createEvenkeel';
import type { Endpoint, Evenkeel } from '../compose/evenkeel';
import { cacheDirOf } from '../compose/paths';
import { UserError } from '../contracts/userError';
import type { Fetch } from '../providers/guardedFetch';
import { CACHE_MAX_BYTES } from '../store/sampleCache';
import type { CliContext } from './context';
import { serverOptionsOf, type ServerFlags } from './serverFlags';

/** Makes the product from the environment. Keys come from environment variables only. */
export function openEvenkeel(context: CliContext, flags: ServerFlags): Evenkeel {
  const servers = { ...serverOptionsOf(flags), fetch: lazyNetwork(context.env) };
  const mayOverHttp = (name: string) => (flags.keyOverHttp ?? []).includes(name);
  return createEvenkeel({
    paths: {
      distDir: context.distDir,
      mediaDir: path.join(context.distDir, '..', 'media'),
      cacheDir: cacheDirOf(context.env),
    },
    endpoints: () =>
      [openAi(context.env), ...fromFlags(context.env, flags.endpoint ?? {})].map((endpoint) => ({
        ...endpoint,
        keyOverHttp: mayOverHttp(endpoint.name),
      })),
    servers: () => servers,
    modelMirror: () => context.env['EVENKEEL_MODEL_MIRROR']?.trim() || null,
    ollamaUrl: () => ollamaUrl(context.env),
    version: context.version,
    cacheMaxBytes: () => cacheMaxBytes(context.env),
    useCache: () => flags.cache !== false,
    clock: { nowMs: () => Date.now() },
  });
}

/** EVENKEEL_CACHE_MB. */
function cacheMaxBytes(env: NodeJS.ProcessEnv): number {
  const text = env['EVENKEEL_CACHE_MB']?.trim();
  if (text === undefined || text === '') return CACHE_MAX_BYTES;
  const megabytes = Number(text);
  if (megabytes >= 0 && Number.isFinite(megabytes)) return megabytes * 1_000_000;
  throw new UserError(
    'invalidOption',
    'EVENKEEL_CACHE_MB is not a number of megabytes.',
    'Give the room that kept answers may take, for example 500.',
  );
}

/** Loaded with the first request. */
function lazyNetwork(env: NodeJS.ProcessEnv): Fetch {
  let network: Promise<Fetch> | null = null;
  return async (input, init) => {
    network ??= import('./network').then(({ createNetwork }) => createNetwork(env));
    return (await network)(input, init);
  };
}

function openAi(env: NodeJS.ProcessEnv): Endpoint {
  return {
    name: 'openai',
    baseUrl: env['OPENAI_BASE_URL']?.trim() || 'https://api.openai.com/v1',
    apiKey: keyIn(env, 'OPENAI_API_KEY'),
    keyHint: 'Set OPENAI_API_KEY.',
  };
}

function fromFlags(env: NodeJS.ProcessEnv, endpoints: Record<string, string>): Endpoint[] {
  return Object.entries(endpoints).map(([name, baseUrl]) => {
    const url = URL.canParse(baseUrl) ? new URL(baseUrl) : null;
    // What is not an address is not repeated, and nothing secret may stand in one: the command is kept in the record.
    if (
      url === null ||
      !/^https?:$/.test(url.protocol) ||
      url.username ||
      url.password ||
      url.search ||
      url.hash
    ) {
      throw new UserError(
        'invalidOption',
        `--endpoint ${name}: this is not the address of a server, or it holds more than that.`,
        `Write ${name}=http://host:port/v1, without user, password or query. A key is taken from the environment.`,
      );
    }
    const variable = `EVENKEEL_KEY_${name.toUpperCase().replace(/\W/g, '_')}`;
    return { name, baseUrl, apiKey: keyIn(env, variable), keyHint: `Set ${variable}.` };
  });
}

/** An empty variable is no key; the line break that copying adds is no part of one. */
const keyIn = (env: NodeJS.ProcessEnv, variable: string) => env[variable]?.trim() || null;

/** OLLAMA_HOST as Ollama itself reads it: a URL, host:port, :port, or a host. What is none is told when a server is asked. */
function ollamaUrl(env: NodeJS.ProcessEnv): string {
  const host = env['OLLAMA_HOST']?.trim();
  if (host === undefined || host === '') return 'http://127.0.0.1:11434';
  const named = host.startsWith(':') ? `127.0.0.1${host}` : host;
  const withScheme = /^https?:\/\//.test(named) ? named : `http://${named}`;
  // serverAddresses refuses it where Ollama is used, in words.
  if (!URL.canParse(withScheme)) return withScheme;
  const url = new URL(withScheme);
  if (url.hostname === '0.0.0.0') url.hostname = '127.0.0.1';
  if (url.port === '' && !/^https?:\/\//.test(host)) url.port = '11434';
  return url.origin;
}
