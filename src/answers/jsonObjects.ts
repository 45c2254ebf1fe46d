import { parse as parseYaml } from 'yaml';

const MAX_CHARS = 20_000;
/** Opening braces tried at most: a reply of nothing but braces must not cost time. */
const MAX_BRACES = 100;

/**
 * Every outermost JSON object in what a model wrote: fenced, prefixed, followed by text, with single quotes, bare keys,
 * line breaks in strings or trailing commas. Of the first 20,000 characters. In the order of the text.
 */
export function jsonObjectsIn(answer: string): Record<string, unknown>[] {
  const text = answer.slice(0, MAX_CHARS);
  const found: Record<string, unknown>[] = [];
  let tried = 0;
  for (let start = text.indexOf('{'); start >= 0 && tried < MAX_BRACES; tried++) {
    const end = closingBrace(text, start);
    const object = end < 0 ? null : readObject(text.slice(start, end + 1));
    if (object !== null) found.push(object);
    start = text.indexOf('{', object === null ? start + 1 : end + 1);
  }
  return found;
}

/** Braces in strings do not count. */
function closingBrace(text: string, start: number): number {
  let depth = 0;
  let inString = false;
  for (let i = start; i < text.length; i++) {
    const char = text[i];
    if (inString && char === '\\') i++;
    else if (char === '"') inString = !inString;
    else if (!inString && char === '{') depth++;
    else if (!inString && char === '}' && --depth === 0) return i;
  }
  return -1;
}

function readObject(source: string): Record<string, unknown> | null {
  try {
    return asRecord(JSON.parse(source));
  } catch {
    try {
      // A flow mapping of YAML is JSON that also takes single quotes, bare keys, line breaks and trailing commas.
      // A key without a value is words that it took for keys: `0, 1, 2 or 3`.
      const object = asRecord(parseYaml(source, { logLevel: 'silent' }));
      return object === null || Object.values(object).includes(null) ? null : object;
    } catch {
      return null;
    }
  }
}

/** The value as an object with keys; null for everything else, lists included. */
export const asRecord = (value: unknown): Record<string, unknown> | null =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : null;
