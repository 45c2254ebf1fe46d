import path from 'node:path';
import type { Clock, Model } from '../engine/ports';
import { createInProcessModel } from '../providers/inProcess/model';
import { createOllamaModel } from '../providers/ollama/ollamaModel';
import { createOpenAiModel } from '../providers/openai/openAiModel';
import { locateWeights } from '../providers/weights/inProcessModels';
import { UserError } from '../contracts/userError';
import type { Endpoint, EvenkeelPaths, ServerOptions } from './evenkeel';
import type { ModelTarget } from './modelId';
import { openServerBook } from './serverBook';

/** The provider of a model id. A new provider is registered here. */
export async function openModel(
  id: string,
  target: ModelTarget,
  deps: {
    paths: EvenkeelPaths;
    ollamaUrl: string;
    clock: Clock;
    signal: AbortSignal;
    servers?: ServerOptions;
  },
): Promise<Model> {
  switch (target.provider) {
    case 'local':
      return createInProcessModel({
        id,
        ...(await locateWeights({
          id,
          cacheDir: deps.paths.cacheDir,
          workingDir: process.cwd(),
          signal: deps.signal,
        })),
        childPath: path.join(deps.paths.distDir, 'inProcessChild.cjs'),
        clock: deps.clock,
      });
    case 'ollama':
      return createOllamaModel({
        id,
        model: target.model,
        baseUrl: deps.ollamaUrl,
        clock: deps.clock,
        ...deps.servers,
      });
    case 'openai':
      requireKey(target.endpoint);
      return createOpenAiModel({
        id,
        model: target.model,
        baseUrl: target.endpoint.baseUrl,
        apiKey: target.endpoint.apiKey,
        keyHint: target.endpoint.keyHint,
        keyOverHttp: target.endpoint.keyOverHttp,
        memory: openServerBook(deps.paths.cacheDir, target.endpoint.baseUrl, target.model),
        clock: deps.clock,
        ...deps.servers,
      });
  }
}

/** The hosted service could only refuse; other servers may well want no key. */
function requireKey(endpoint: Endpoint): void {
  if (endpoint.apiKey === null && new URL(endpoint.baseUrl).hostname === 'api.openai.com') {
    throw new UserError('keyMissing', 'OpenAI wants an API key, and none is set.', endpoint.keyHint);
  }
}
