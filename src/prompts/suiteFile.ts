/** Reads `evenkeel.yaml`: text in, suite out, faults with their place. */
import { isMap, isNode, LineCounter, parseDocument, type Document } from 'yaml';
import type { z } from 'zod';
import { nearestNames } from '../contracts/nearestNames';
import { SUITE_VERSION, suiteSchema, type Suite } from '../contracts/suite';
import { UserError } from '../contracts/userError';

/**
 * @param file what it is called in messages
 * @throws UserError `invalidFile` with file, line and column, and for an unknown key the nearest that exists
 */
export function parseSuite(text: string, file: string): Suite {
  const lines = new LineCounter();
  const doc = parseDocument(text, { lineCounter: lines });
  const invalid = (offset: number, what: string) => {
    const { line, col } = lines.linePos(offset);
    return new UserError(
      'invalidFile',
      `${file}:${line}:${col}: ${what}.`,
      'Correct that place. docs/suite-file.md has every key with its default.',
    );
  };
  const [fault] = doc.errors;
  if (fault !== undefined) {
    throw invalid(
      fault.pos[0],
      `this is not YAML: ${fault.message.split('\n')[0]!.replace(/ at line \d+.*$/, '')}`,
    );
  }
  const raw = doc.toJS({ maxAliasCount: 20 }) as unknown;
  requireKnownVersion(raw, (what) => invalid(offsetOf(doc, ['version']), what));
  const parsed = suiteSchema.safeParse(raw);
  if (parsed.success) return parsed.data;
  const { issues } = parsed.error;
  // A misspelt key is why another is missing.
  const issue = issues.find(({ code }) => code === 'unrecognized_keys') ?? issues[0]!;
  const key = issue.code === 'unrecognized_keys' ? issue.keys[0] : undefined;
  throw invalid(offsetOf(doc, issue.path, key), describe(issue));
}

/** Files of an older form are brought to this one here, when there is one; a newer one is not guessed at. */
function requireKnownVersion(raw: unknown, invalid: (what: string) => UserError): void {
  const version =
    typeof raw === 'object' && raw !== null ? (raw as { version?: unknown }).version : undefined;
  if (typeof version === 'number' && version > SUITE_VERSION) {
    throw invalid(
      `this file is of version ${version}, and this Evenkeel reads up to ${SUITE_VERSION}; update it`,
    );
  }
}

/** Where the value of a path stands, or the nearest thing above it that does; with `key`, where that key stands. */
function offsetOf(doc: Document.Parsed, path: readonly PropertyKey[], key?: string): number {
  for (let length = path.length; length >= 0; length--) {
    const node: unknown = length === 0 ? doc.contents : doc.getIn(path.slice(0, length), true);
    if (!isNode(node)) continue;
    if (key !== undefined && isMap(node)) {
      const found = node.items.find(({ key: name }) => isNode(name) && String(name) === key)?.key;
      if (isNode(found)) return found.range?.[0] ?? 0;
    }
    return node.range?.[0] ?? 0;
  }
  return 0;
}

function describe(issue: z.core.$ZodIssue): string {
  const where = issue.path.length === 0 ? '' : `${issue.path.map(String).join('.')}: `;
  if (issue.code === 'unrecognized_keys') {
    const [nearest] = nearestNames(issue.keys[0]!, keysAt(issue.path), 1);
    return `${where}there is no key '${issue.keys[0]}'${nearest === undefined ? '' : `; the nearest is '${nearest}'`}`;
  }
  if (issue.code === 'invalid_value') return `${where}must be ${issue.values.map(String).join(' or ')}`;
  if (issue.code === 'invalid_type' && issue.message.endsWith('received undefined'))
    return `${where}is missing`;
  return `${where}${issue.message.replace(/^./, (first) => first.toLowerCase())}`;
}

function keysAt(path: readonly PropertyKey[]): string[] {
  let schema: unknown = suiteSchema;
  for (const part of path) {
    const shape = shapeOf(schema);
    schema = shape?.[String(part)];
  }
  return Object.keys(shapeOf(schema) ?? {});
}

/** The keys of an object schema, through default and the like. */
function shapeOf(schema: unknown): Record<string, unknown> | null {
  const inner = schema as { shape?: Record<string, unknown>; unwrap?: () => unknown } | undefined;
  if (inner === undefined) return null;
  return inner.shape ?? (typeof inner.unwrap === 'function' ? shapeOf(inner.unwrap()) : null);
}
