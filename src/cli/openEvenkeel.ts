import path from 'node:path';
import { createEvenkeel } from '../compose/createEvenkeel';
import type { Endpoint, Evenkeel } from '../compose/evenkeel';
import { cacheDirOf } from '../compose/paths';
import { UserError } from '../contracts/userError';
import type { CliContext } from './context';

/** Makes the product from the environment. Keys come from environment variables only. */
export function openEvenkeel(context: CliContext, endpoints: Record<string, string> | undefined): Evenkeel {
  return createEvenkeel({
    paths: {
      distDir: context.distDir,
      mediaDir: path.join(context.distDir, '..', 'media'),
      cacheDir: cacheDirOf(context.env),
    },
    endpoints: () => [openAi(context.env), ...fromFlags(context.env, endpoints ?? {})],
    ollamaUrl: () => ollamaUrl(context.env),
    version: context.version,
    clock: { nowMs: () => Date.now() },
  });
}

function openAi(env: NodeJS.ProcessEnv): Endpoint {
  return {
    name: 'openai',
    baseUrl: env['OPENAI_BASE_URL'] ?? 'https://api.openai.com/v1',
    apiKey: env['OPENAI_API_KEY'] ?? null,
    keyHint: 'Set OPENAI_API_KEY.',
  };
}

function fromFlags(env: NodeJS.ProcessEnv, endpoints: Record<string, string>): Endpoint[] {
  return Object.entries(endpoints).map(([name, baseUrl]) => {
    if (!URL.canParse(baseUrl) || !/^https?:$/.test(new URL(baseUrl).protocol)) {
      throw new UserError(
        'invalidOption',
        `--endpoint ${name}: '${baseUrl}' is not a URL.`,
        'Write name=http://host:port/v1.',
      );
    }
    const variable = `EVENKEEL_KEY_${name.toUpperCase().replace(/\W/g, '_')}`;
    return { name, baseUrl, apiKey: env[variable] ?? null, keyHint: `Set ${variable}.` };
  });
}

/** OLLAMA_HOST as Ollama itself reads it: a URL, host:port, or a host. */
function ollamaUrl(env: NodeJS.ProcessEnv): string {
  const host = env['OLLAMA_HOST']?.trim();
  if (host === undefined || host === '') return 'http://127.0.0.1:11434';
  const withScheme = /^https?:\/\//.test(host) ? host : `http://${host}`;
  const url = new URL(withScheme);
  if (url.hostname === '0.0.0.0') url.hostname = '127.0.0.1';
  if (url.port === '' && !/^https?:\/\//.test(host)) url.port = '11434';
  return url.origin;
}
