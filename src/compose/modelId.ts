import { UserError } from '../contracts/userError';
import type { Endpoint } from './evenkeel';

/** `local:qwen2.5-coder-0.5b`, `local:/path/model.gguf`, `ollama:gemma3:270m`, `openai:…`, `<endpoint>:<model>`. */
export type ModelTarget =
  | { provider: 'local'; name: string }
  | { provider: 'ollama'; model: string }
  | { provider: 'openai'; endpoint: Endpoint; model: string };

/** @throws UserError `unknownModel` naming the forms that exist */
export function parseModelId(id: string, endpoints: Endpoint[]): ModelTarget {
  const at = id.indexOf(':');
  const prefix = id.slice(0, at);
  const rest = id.slice(at + 1);
  if (at > 0 && rest !== '') {
    if (prefix === 'local') return { provider: 'local', name: rest };
    if (prefix === 'ollama') return { provider: 'ollama', model: rest };
    const endpoint = endpoints.find((entry) => entry.name === prefix);
    if (endpoint !== undefined) return { provider: 'openai', endpoint, model: rest };
  }
  const known = ['local', 'ollama', ...endpoints.map((endpoint) => endpoint.name)];
  throw new UserError(
    'unknownModel',
    `There is no model '${id}'.`,
    `Write <where>:<model>, where <where> is one of ${known.join(', ')}. \`evenkeel models\` lists what is there.`,
  );
}
