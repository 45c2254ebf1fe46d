import { asRecord, jsonObjectsIn } from '../answers/jsonObjects';
import { stripThinking } from '../answers/outcome';
import { LEVELS } from './rubric';

export interface Verdict {
  strength: number;
  /** Empty where the reply gives none. */
  justification: string;
}

const STRENGTH_KEYS = ['strength', 'rating', 'score', 'level'];
const JUSTIFICATION_KEYS = ['justification', 'reasoning', 'reason', 'explanation', 'rationale'];
const MAX_REPLY_CHARS = 20_000;

/**
 * Reads a judge's reply as models really write it: fenced, prefixed, after a thinking block, with `"2"` or
 * `"2 (moderate)"`, single quotes, trailing commas, text around it; also a plain `Strength: 2`.
 * Null when it names no level of the scale, or more than one: then nobody can know which one is meant.
 */
export function parseVerdict(reply: string): Verdict | null {
  const text = stripThinking(reply.slice(0, MAX_REPLY_CHARS)).text.trim();
  if (text === '') return null;
  const bare = levelOf(text);
  if (bare !== null) return { strength: bare, justification: '' };

  const objects = jsonObjectsIn(text);
  const verdicts = objects.flatMap((object) => {
    const found = verdictOf(object);
    return found === null ? [] : [found];
  });
  if (verdicts.length > 0) return onlyOne(verdicts);
  // Read as an object and still without a level: it says `null`, 5 or something else, and not what its words may hold.
  if (objects.some(namesStrength)) return null;
  return onlyOne(
    [...text.matchAll(SAID)].flatMap(({ 1: level }) => {
      const strength = levelOf(level!);
      return strength === null ? [] : [{ strength, justification: saidJustification(text) }];
    }),
  );
}

/** `"strength": 2`, `**Rating:** 2 (moderate)`, `The strength is 2.`; not `strength: 0-3`. */
const SAID =
  /(?<![\p{L}_])(?:strength|rating|score|level)["'*_` ]*(?:\s(?:rating|level|score))?["'*_`]*\s*(?::|=|\bis\b|\bwould be\b)[\s"'*_`]*(\d+(?![\d.]*\d|\s*(?:[-–|,/]|or\b|to\b)\s*\d)|negligible|weak|moderate|strong)(?![\p{L}\p{N}])/giu;

const saidJustification = (text: string): string =>
  /["']?justification["'*_`]*\s*[:=][\s*_]*(?:"((?:[^"\\]|\\.)*)"|([^\n{}]+))/i
    .exec(text)
    ?.slice(1)
    .find((part) => part !== undefined)
    ?.trim() ?? '';

function onlyOne(verdicts: Verdict[]): Verdict | null {
  const first = verdicts[0];
  if (first === undefined || verdicts.some(({ strength }) => strength !== first.strength)) return null;
  return verdicts.find(({ justification }) => justification !== '') ?? first;
}

function verdictOf(object: Record<string, unknown>): Verdict | null {
  const value = valueOf(object, STRENGTH_KEYS);
  // `{"verdict": {"justification": …, "strength": 2}}`
  if (value === undefined) {
    const inner = Object.values(object)
      .map(asRecord)
      .filter((one) => one !== null);
    return inner.length === 1 ? verdictOf(inner[0]!) : null;
  }
  const strength = levelOf(value);
  if (strength === null) return null;
  const justification = valueOf(object, JUSTIFICATION_KEYS);
  return { strength, justification: typeof justification === 'string' ? justification.trim() : '' };
}

const namesStrength = (object: Record<string, unknown>) => valueOf(object, STRENGTH_KEYS) !== undefined;

/** The value of the first of the keys that the object has, whatever their case. */
function valueOf(object: Record<string, unknown>, keys: string[]): unknown {
  const entries = Object.entries(object).map(([key, value]) => [key.trim().toLowerCase(), value] as const);
  return keys.map((key) => entries.find(([name]) => name === key)?.[1]).find((value) => value !== undefined);
}

/** 2, "2", "2.0", "Level 2", "2 (moderate)", "2/3", "moderate"; null for anything else, also for 2.5 and "2 (weak)". */
function levelOf(value: unknown): number | null {
  if (typeof value === 'number') return LEVELS[value] === undefined ? null : value;
  if (typeof value !== 'string') return null;
  const match =
    /^["'*_`\s]*(?:level\s*)?(?:(\d)(?:\.0+)?(?:\s*\/\s*3)?)?[\s(:–—=-]*(negligible|weak|moderate|strong)?[)."'*_`\s]*$/i.exec(
      value,
    );
  if (match === null) return null;
  const byNumber = match[1] === undefined ? null : Number(match[1]);
  const named = LEVELS.findIndex(({ name }) => name === match[2]?.toLowerCase());
  const byName = named < 0 ? null : named;
  if (byNumber !== null && byName !== null && byNumber !== byName) return null;
  const level = byNumber ?? byName;
  return level === null || LEVELS[level] === undefined ? null : level;
}
