import { createHash } from 'node:crypto';

/**
 * The seed of a check that nobody gave one, 0 … 2^31−1: by prompt, values and model. So the same check again finds its answers
 * kept, at no cost, and nobody can ask again until the verdict pleases without saying so. An edit takes that of the prompt
 * before it, whose answers the next edit can use again.
 */
export function defaultSeed(check: {
  text: string;
  variables: Record<string, string>;
  modelId: string;
}): number {
  const variables = Object.entries(check.variables).sort(([a], [b]) => (a < b ? -1 : 1));
  const hash = createHash('sha256').update(JSON.stringify([check.text, variables, check.modelId]));
  return hash.digest().readUInt32BE() >>> 1;
}
