import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { readTolerance, type Check, type JsonObject, type OracleCase, type OracleFile } from './topic';

const topicFolder = path.join(import.meta.dirname, 'topics');

/** Every JSON file of a folder, by name. `read` gives null where it has no cases, and throws where it is no JSON. */
export function readFolder(folder: string): { file: string; read: () => OracleFile | null }[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .sort()
    .map((file) => ({ file, read: () => readOracle(path.join(folder, file)) }));
}

function readOracle(file: string): OracleFile | null {
  const oracle = JSON.parse(readFileSync(file, 'utf8')) as OracleFile | null;
  return Array.isArray(oracle?.cases) ? oracle : null;
}

/** The topic's check, by the longest topic name that the file's name starts with: `05-adjust-r` → `adjust`. */
export async function loadCheck(file: string): Promise<Check> {
  const words = path
    .basename(file, '.json')
    .replace(/^\d+[-_]/, '')
    .split('-');
  const topics = readdirSync(topicFolder).map((name) => name.replace(/\.ts$/, ''));
  for (let length = words.length; length > 0; length--) {
    const topic = camelCase(words.slice(0, length));
    if (topics.includes(topic)) {
      const module = (await import(path.join(topicFolder, `${topic}.ts`))) as { check: Check };
      return module.check;
    }
  }
  throw new Error(`${file}: no topic of that name in test/oracles/topics (${topics.join(', ')})`);
}

/** What differs in one case; a check that throws counts as a difference. */
export function runCase(check: Check, oracle: OracleCase): string[] {
  try {
    return check(oracle.input, oracle.expected as JsonObject, readTolerance(oracle.tolerance), oracle);
  } catch (error) {
    return [error instanceof Error ? `threw ${error.name}: ${error.message}` : String(error)];
  }
}

const camelCase = (words: string[]) =>
  words.map((word, i) => (i === 0 ? word : word.charAt(0).toUpperCase() + word.slice(1))).join('');
