import { toUserError } from '../contracts/userError';
import { listInProcessModels } from '../providers/weights/inProcessModels';
import { listOllamaModels } from '../providers/ollama/ollamaServer';
import { listOpenAiModels } from '../providers/openai/openAiServer';
import type { Endpoint, EvenkeelPaths, ModelListing, ServerOptions } from './evenkeel';

export interface ModelSources {
  paths: EvenkeelPaths;
  ollamaUrl: string;
  endpoints: () => Endpoint[];
  servers?: ServerOptions;
}

/** Everything that can be asked from here; a source that does not answer is one line that says why. */
export async function listModels(sources: ModelSources, signal: AbortSignal): Promise<ModelListing[]> {
  const groups = await Promise.all([
    inProcess(sources),
    ollama(sources, signal),
    ...sources.endpoints().map((endpoint) => openAi(endpoint, sources, signal)),
  ]);
  return groups.flat();
}

async function inProcess({ paths }: ModelSources): Promise<ModelListing[]> {
  const models = await listInProcessModels({ cacheDir: paths.cacheDir });
  return models.map(({ entry, state }) => ({
    id: entry.id,
    state: state === 'ready' ? 'ready' : 'download',
    detail: `${entry.parameterSize}, ${entry.quantization}; ${state === 'damaged' ? 'damaged, will be fetched anew' : entry.purpose}`,
    sizeBytes: entry.sizeBytes,
    digest: entry.sha256,
  }));
}

async function ollama({ ollamaUrl, servers }: ModelSources, signal: AbortSignal): Promise<ModelListing[]> {
  try {
    const models = await listOllamaModels({ baseUrl: ollamaUrl, signal, ...fetchOf(servers) });
    return models.map((model) => ({
      id: `ollama:${model.name}`,
      state: 'ready',
      detail: model.quantization ?? '',
      sizeBytes: model.sizeBytes,
      digest: model.digest,
    }));
  } catch (error) {
    return [missing('ollama:*', error)];
  }
}

async function openAi(
  endpoint: Endpoint,
  { servers }: ModelSources,
  signal: AbortSignal,
): Promise<ModelListing[]> {
  // Asking the hosted service without a key could only be refused.
  if (endpoint.name === 'openai' && endpoint.apiKey === null) {
    return [
      {
        id: 'openai:*',
        state: 'unavailable',
        detail: `no key. ${endpoint.keyHint}`,
        sizeBytes: null,
        digest: null,
      },
    ];
  }
  try {
    const models = await listOpenAiModels({
      baseUrl: endpoint.baseUrl,
      apiKey: endpoint.apiKey,
      keyOverHttp: endpoint.keyOverHttp,
      keyHint: endpoint.keyHint,
      signal,
      ...fetchOf(servers),
    });
    return models.map((model) => ({
      id: `${endpoint.name}:${model.name}`,
      state: 'ready',
      detail: new URL(endpoint.baseUrl).host,
      sizeBytes: null,
      digest: null,
    }));
  } catch (error) {
    return [missing(`${endpoint.name}:*`, error)];
  }
}

function missing(id: string, error: unknown): ModelListing {
  const { message, hint } = toUserError(error);
  return { id, state: 'unavailable', detail: `${message} ${hint}`, sizeBytes: null, digest: null };
}

const fetchOf = (servers: ServerOptions | undefined) =>
  servers?.fetch === undefined ? {} : { fetch: servers.fetch };
