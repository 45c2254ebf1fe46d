/** Values read out of replies, in a form in which equal answers are equal strings. */
import { asRecord, jsonObjectsIn } from './jsonObjects';

const NUMBER = String.raw`[-−+]?(?:\d{1,3}(?:[,   ]\d{3})+(?!\d)|\d+)(?:\.\d+)?(?:e[-+]?\d+)?`;
const CONCLUDED = new RegExp(
  String.raw`(?:\b(?:answer|result|total|score|rating)\b(?:\s+is|\s*[:=])+|####|\\boxed\{|=)[\s*_$€£"'(]*(${NUMBER})(?![\p{L}\d])`,
  'giu',
);
const ANY = new RegExp(String.raw`(?<![\p{L}\d.,])${NUMBER}(?![\d]|[.,]\d)`, 'giu');
const WORDS = [
  ...['zero', 'one', 'two', 'three', 'four', 'five', 'six'],
  ...['seven', 'eight', 'nine', 'ten', 'eleven', 'twelve'],
];

/**
 * The number that a reply gives: the last one after `answer is`, `####` or `=`, else the only one in it, else the only
 * one on its last line. Thousands separators and units do not matter. Null when it gives none or several.
 */
export function numberOf(reply: string): string | null {
  const text = reply.trim();
  const word = WORDS.indexOf(text.toLowerCase().replace(/^\W+|\W+$/g, ''));
  if (word >= 0) return String(word);
  const concluded = [...text.matchAll(CONCLUDED)].at(-1)?.[1];
  if (concluded !== undefined) return normalNumber(concluded);
  return onlyNumber(text) ?? onlyNumber(text.slice(text.lastIndexOf('\n') + 1));
}

function onlyNumber(text: string): string | null {
  const found = new Set([...text.matchAll(ANY)].map(([number]) => normalNumber(number)));
  return found.size === 1 ? [...found][0]! : null;
}

const normalNumber = (text: string): string => {
  const value = Number(text.replace(/[,   ]/g, '').replace('−', '-'));
  return String(value === 0 ? 0 : value);
};

/**
 * A field of the JSON object in a reply; of several objects the last that has it. Strings are trimmed and in small
 * letters; objects are written with sorted keys. Null when there is no object or no such field.
 */
export function jsonFieldOf(reply: string, field: string | null): string | null {
  const values = jsonObjectsIn(reply)
    .map((object) => (field === null ? object : valueAt(object, field)))
    .filter((value) => value !== undefined);
  return values.length === 0 ? null : normalValue(values.at(-1));
}

/** A key with dots in its name wins over a path. */
function valueAt(object: Record<string, unknown>, field: string): unknown {
  if (Object.hasOwn(object, field)) return object[field];
  const key = Object.keys(object).find((name) => name.toLowerCase() === field.toLowerCase());
  if (key !== undefined) return object[key];
  const at = field.indexOf('.');
  if (at < 0) return undefined;
  const inner = asRecord(valueAt(object, field.slice(0, at)));
  return inner === null ? undefined : valueAt(inner, field.slice(at + 1));
}

function normalValue(value: unknown): string {
  return typeof value === 'string' ? value.trim().toLowerCase() : JSON.stringify(sorted(value));
}

function sorted(value: unknown): unknown {
  if (typeof value === 'string') return value.trim().toLowerCase();
  if (Array.isArray(value)) return value.map(sorted);
  const record = asRecord(value);
  if (record === null) return value;
  return Object.fromEntries(
    Object.entries(record)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, inner]) => [key, sorted(inner)]),
  );
}
