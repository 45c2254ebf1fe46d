/** The YAML form of a perturbation set: what a person reads, edits and feeds back. */
import {
  Document,
  isMap,
  isNode,
  LineCounter,
  parseDocument,
  Scalar,
  visit,
  type YAMLMap,
  type YAMLSeq,
} from 'yaml';
import type { z } from 'zod';
import { nearestNames } from '../contracts/nearestNames';
import {
  perturbationSetSchema,
  perturbationStrengthSchema,
  ratedPerturbationSchema,
  strengthLevelSchema,
  type PerturbationSet,
  type RatedPerturbation,
} from '../contracts/perturbationSet';
import { expectationSchema, perturbationKindSchema } from '../contracts/runRecord';
import { UserError } from '../contracts/userError';
import { diffComment } from './diffComment';
import { relabelled } from './relabel';

/** As the contract, but a person may leave out what has a default, and gets no key past it unseen. */
const strengthInFile = perturbationStrengthSchema
  .extend({ relabel: strengthLevelSchema.nullable().default(null) })
  .strict();
const perturbationInFile = ratedPerturbationSchema
  .extend({
    kind: perturbationKindSchema.default('custom'),
    name: ratedPerturbationSchema.shape.name.optional(),
    expectation: expectationSchema.default('irrelevant'),
    strength: strengthInFile.prefault({ level: null, source: 'unrated' }),
  })
  .strict();
const setInFile = perturbationSetSchema.extend({ perturbations: perturbationInFile.array() }).strict();

const HEADER = `Perturbations of one prompt. Edit what you like, then feed the file back:
  evenkeel flips FILE --perturbations THIS_FILE
To relabel, write 0, 1, 2 or 3 after \`relabel\` (also where you agree: agreement is measured on what you label):
  0 negligible   same information, the reasoning path is intact
  1 weak         small interference, the original answer is still clearly supported
  2 moderate     real interference, support is weakened or split
  3 strong       the original answer is no longer supported, or support moves to another one
To reject one, write \`use: false\`. To add one, give it an id of its own, its text and \`strength: 2\`.
Comments are for reading; - and + lines show what differs from the prompt.`;

/**
 * @param notes sentences that a person must read first, e.g. that nobody judged; they are comments, not data
 * @returns YAML with comments that tell how to edit it and what each perturbation changed. `parsePerturbationSet` reads it back
 * to the same set.
 */
export function formatPerturbationSet(set: PerturbationSet, notes: readonly string[] = []): string {
  const doc = new Document({
    // In the order of the contract, however the set was put together.
    ...perturbationSetSchema.parse(set),
    perturbations: set.perturbations.map((one) => ({
      ...one,
      strength: { ...one.strength, relabel: null },
    })),
  });
  doc.commentBefore = [HEADER, ...notes.map((note) => `! ${oneLine(note)}`)].join('\n').replace(/^/gm, ' ');
  set.perturbations.forEach((one, i) => {
    const node = doc.getIn(['perturbations', i], true) as YAMLMap;
    const original = one.kind === 'cot' ? (set.reasoning ?? '') : set.prompt;
    node.commentBefore = diffComment(
      original,
      one.systemLine === undefined ? one.text : `(system) ${one.systemLine}\n${one.text}`,
    ).replace(/^/gm, ' ');
    node.spaceBefore = i > 0;
    (node.getIn(['strength', 'ratings'], true) as YAMLSeq).flow = true;
  });
  visit(doc, {
    Scalar(_key, node) {
      if (typeof node.value !== 'string') return;
      if (!survivesBlock(node.value)) node.type = Scalar.QUOTE_DOUBLE;
      else if (node.value.includes('\n')) node.type = Scalar.BLOCK_LITERAL;
    },
  });
  const yaml = doc.toString({ lineWidth: 0, nullStr: '', doubleQuotedAsJSON: true });
  return yaml.replace(HIDDEN, escaped);
}

const oneLine = (text: string) => text.replace(/\s+/g, ' ');

/**
 * Characters that move a cursor, reorder a line, vanish, or that YAML would change outside double quotes. Joiners
 * stay: emoji and many scripts need them.
 */
const HIDDEN =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufffe\uffff\ud800-\udfff]|[\u{e0000}-\u{e007f}]/gu;

/** Editors take white space off line ends when they save, and YAML makes one line break of every kind. */
const survivesBlock = (text: string) => text.search(HIDDEN) < 0 && !/[ \t]$/m.test(text);

function escaped(char: string): string {
  const code = char.codePointAt(0)!;
  return code > 0xffff
    ? `\\U${code.toString(16).padStart(8, '0')}`
    : `\\u${code.toString(16).padStart(4, '0')}`;
}

/**
 * Reads what `formatPerturbationSet` wrote and a person edited. `relabel` (or a changed level) becomes the level, with
 * source `user`, and the judge's own is kept in `judged`.
 * @throws UserError `invalidFile` naming line and column, and for an unknown key the nearest that exists
 */
export function parsePerturbationSet(yamlText: string): PerturbationSet {
  const lines = new LineCounter();
  const doc = parseDocument(yamlText, { lineCounter: lines });
  const fault = doc.errors[0];
  if (fault !== undefined) {
    const at = fault.linePos?.[0] ?? { line: 1, col: 1 };
    throw invalid(at, `this is not YAML: ${fault.message.split('\n')[0]!.replace(/ at line \d+.*$/, '')}`);
  }
  const placeOf = (path: readonly PropertyKey[], key?: string) => lines.linePos(offsetOf(doc, path, key));
  const raw: unknown = toPlain(doc);
  const parsed = setInFile.safeParse(withShortStrengths(raw));
  if (!parsed.success) {
    const { issues } = parsed.error;
    // A misspelt key is why another is missing.
    const issue = issues.find(({ code }) => code === 'unrecognized_keys') ?? issues[0]!;
    const key = issue.code === 'unrecognized_keys' ? issue.keys[0] : undefined;
    throw invalid(placeOf(issue.path, key), describe(issue));
  }
  const seen = new Set<string>();
  parsed.data.perturbations.forEach(({ id }, i) => {
    if (seen.has(id)) {
      throw invalid(placeOf(['perturbations', i, 'id']), `there are two perturbations with the id '${id}'`);
    }
    seen.add(id);
  });
  return {
    ...parsed.data,
    perturbations: parsed.data.perturbations.map(({ strength, ...one }): RatedPerturbation => {
      const { relabel, ...kept } = strength;
      return { ...one, name: one.name ?? one.id, strength: relabelled(kept, relabel) };
    }),
  };
}

/** `strength: 2` is what a person writes who adds a text. */
function withShortStrengths(raw: unknown): unknown {
  if (!isRecord(raw) || !Array.isArray(raw['perturbations'])) return raw;
  return {
    ...raw,
    perturbations: raw['perturbations'].map((one: unknown) =>
      isRecord(one) && typeof one['strength'] === 'number'
        ? { ...one, strength: { level: one['strength'], source: 'user' } }
        : one,
    ),
  };
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function toPlain(doc: ReturnType<typeof parseDocument>): unknown {
  try {
    return doc.toJS();
  } catch (error) {
    // Too many aliases: a file that would grow without end.
    throw invalid({ line: 1, col: 1 }, (error as Error).message);
  }
}

/** Where the value of a path stands, or the nearest thing above it that does; with `key`, where that key stands. */
function offsetOf(doc: ReturnType<typeof parseDocument>, path: readonly PropertyKey[], key?: string): number {
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

const KEYS = {
  set: Object.keys(setInFile.shape),
  perturbation: Object.keys(perturbationInFile.shape),
  strength: Object.keys(strengthInFile.shape),
  rejected: ['name', 'reason'],
};

function describe(issue: z.core.$ZodIssue): string {
  const where = issue.path.length === 0 ? '' : `${pathText(issue.path)}: `;
  if (issue.code === 'unrecognized_keys') {
    const known =
      issue.path.length === 0
        ? KEYS.set
        : issue.path.at(-1) === 'strength'
          ? KEYS.strength
          : KEYS.perturbation;
    return `${where}there is no key '${issue.keys[0]}'; the nearest is '${nearestNames(issue.keys[0]!, known, 1)[0]}'`;
  }
  if (issue.code === 'invalid_value') {
    return `${where}must be ${issue.values
      .map(String)
      .join(', ')
      .replace(/, ([^,]*)$/, ' or $1')}`;
  }
  if (issue.code === 'invalid_type' && issue.message.endsWith('received undefined'))
    return `${where}is missing`;
  return `${where}${issue.message.replace(/^./, (first) => first.toLowerCase())}`;
}

/** `perturbations[3].strength.level` */
const pathText = (path: readonly PropertyKey[]) =>
  path
    .map((part, i) => (typeof part === 'number' ? `[${part}]` : `${i > 0 ? '.' : ''}${String(part)}`))
    .join('');

/** Where in the file a fault is, counted from 1; `what` is wrong there, as a sentence without its place. */
export interface SetFault {
  line: number;
  col: number;
  what: string;
}

/** The place in the file of an error that `parsePerturbationSet` threw; null of any other. */
export function setFaultOf(error: unknown): SetFault | null {
  return (error instanceof UserError && faults.get(error)) || null;
}

const faults = new WeakMap<UserError, SetFault>();

function invalid(at: { line: number; col: number }, what: string): UserError {
  const error = new UserError(
    'invalidFile',
    `The perturbation set is not right at line ${at.line}, column ${at.col}: ${what}.`,
    'Correct that place, or make the set anew with `evenkeel perturb FILE`.',
  );
  faults.set(error, { line: at.line, col: at.col, what });
  return error;
}
