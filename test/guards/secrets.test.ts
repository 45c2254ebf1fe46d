/** Invariant 6, by shape: neither a setting nor a run record has a place for a key. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { runRecordSchema } from '../../src/contracts/runRecord';

const root = path.resolve(import.meta.dirname, '../..');
const SECRET = /api.?key|secret|password|credential|authori[sz]ation|access.?token|bearer/i;

/** Every property name of a JSON schema or of a plain object, at any depth. */
function propertyNames(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => [name, ...propertyNames(inner)]);
}
const secretsIn = (value: unknown) => propertyNames(value).filter((name) => SECRET.test(name));

it('a place for a key is found where there is one', () => {
  const schema = z.object({ model: z.object({ apiKey: z.string(), answerTokens: z.int() }) });
  expect(secretsIn(z.toJSONSchema(schema))).toEqual(['apiKey']);
  expect(secretsIn({ 'evenkeel.openai.accessToken': { type: 'string' } })).toHaveLength(1);
});

it('run records have none', () => {
  const schema = z.toJSONSchema(runRecordSchema);
  expect(propertyNames(schema)).toContain('baseUrl');
  expect(secretsIn(schema)).toEqual([]);
});

it('settings have none', () => {
  const manifest = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as {
    contributes?: { configuration?: unknown };
  };
  expect(secretsIn(manifest.contributes?.configuration ?? {})).toEqual([]);
});
