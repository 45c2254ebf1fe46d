import { Agent, EnvHttpProxyAgent, fetch as undiciFetch } from 'undici';
import { isLoopback } from '../providers/serverAddress';
import type { Fetch } from '../providers/guardedFetch';

/** Our own limits count (serverLimits.ts); undici would end a model's silence after five minutes. */
const PATIENT = { headersTimeout: 0, bodyTimeout: 0 };

/**
 * `fetch` of the command line: takes the proxies that the environment names (HTTP_PROXY, HTTPS_PROXY, NO_PROXY), which
 * Node's own leaves out. This machine is never asked through a proxy. The editor's host has its own fetch for that.
 */
export function createNetwork(env: NodeJS.ProcessEnv): Fetch {
  const direct = new Agent(PATIENT);
  const proxied = new EnvHttpProxyAgent({
    ...PATIENT,
    httpProxy: env['http_proxy'] ?? env['HTTP_PROXY'],
    httpsProxy: env['https_proxy'] ?? env['HTTPS_PROXY'],
    noProxy: env['no_proxy'] ?? env['NO_PROXY'],
  });
  const ask = undiciFetch as unknown as (url: URL, init: object) => Promise<Response>;
  return (input, init) => {
    const url = new URL(input instanceof Request ? input.url : input);
    return ask(url, { ...init, dispatcher: isLoopback(url) ? direct : proxied });
  };
}
