import type { Llama, LlamaGrammar } from 'node-llama-cpp';
import { UserError } from '../../contracts/userError';

const TYPES = new Set(['object', 'array', 'string', 'number', 'integer', 'boolean', 'null']);

/** First `type` in a JSON schema that is none; the library would silently make `null` of it. */
export function unknownType(schema: unknown): string | null {
  if (Array.isArray(schema)) {
    for (const item of schema) {
      const found = unknownType(item);
      if (found !== null) return found;
    }
    return null;
  }
  if (typeof schema !== 'object' || schema === null) return null;
  const { type, properties, items, oneOf, prefixItems, additionalProperties } = schema as Record<
    string,
    unknown
  >;
  const types = type === undefined ? [] : Array.isArray(type) ? type : [type];
  const wrong: unknown = types.find((name) => !TYPES.has(name as string));
  if (wrong !== undefined) return String(wrong);
  const below = typeof properties === 'object' && properties !== null ? Object.values(properties) : [];
  return unknownType([...below, items, oneOf, prefixItems, additionalProperties]);
}

/** Grammar that makes every answer follow the schema. @throws UserError invalidOption */
export async function createGrammar(llama: Llama, schema: Record<string, unknown>): Promise<LlamaGrammar> {
  try {
    const wrong = unknownType(schema);
    if (wrong !== null) throw new TypeError(`there is no type ${wrong}`);
    return await llama.createGrammarForJsonSchema(schema as never);
  } catch (error) {
    throw new UserError(
      'invalidOption',
      `The in-process model cannot follow this JSON schema (${String(error)}).`,
      'Use a simpler schema: type, enum, const, properties, items, maxLength.',
      { cause: error },
    );
  }
}
