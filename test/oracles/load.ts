import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { readTolerance, type Check, type JsonObject, type OracleCase, type OracleFile } from './topic';

const topicFolder = path.join(import.meta.dirname, 'topics');

/** Every file of the oracle form in a folder, by name. */
export function readFolder(folder: string): { file: string; oracle: OracleFile }[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .sort()
    .map((file) => ({
      file,
      oracle: JSON.parse(readFileSync(path.join(folder, file), 'utf8')) as OracleFile,
    }))
    .filter(({ oracle }) => Array.isArray(oracle.cases));
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
