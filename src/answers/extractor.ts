import { UserError } from '../contracts/userError';
import { jsonFieldOf, numberOf } from './extractedValues';
import { extractLabel, inferAnswerFormat, type AnswerFormat } from './labels';
import { stripThinking } from './outcome';

/** How the answer is read out of a reply; `evidence` says why it is read so. */
export type Extractor =
  | AnswerFormat
  | { kind: 'number'; evidence: string }
  /** `field`: name, or names with dots between; null takes the whole object. */
  | { kind: 'jsonField'; field: string | null; evidence: string }
  /** The first group of the first match, or the whole match. */
  | { kind: 'regex'; pattern: string; flags: string; evidence: string };

const MAX_READ_CHARS = 20_000;

/**
 * How to read the answers to a prompt, from its own words (English): `Return JSON with …`, then what
 * `inferAnswerFormat` finds, then `answer with a number`. `freeText` when it does not say.
 */
export function inferExtractor(prompt: string): Extractor {
  const json = inferJson(prompt);
  if (json !== null) return json;
  const format = inferAnswerFormat(prompt);
  if (format.kind === 'yesNo' || format.kind === 'options') return format;
  const number = NUMBER.exec(prompt);
  return number === null ? format : { kind: 'number', evidence: number[0] };
}

/**
 * An extractor that the user gave as `/pattern/flags` or as a bare pattern.
 * @throws UserError invalidOption if it is no regular expression
 */
export function regexExtractor(source: string): Extractor {
  const parts = /^\/(.+)\/([a-z]*)$/s.exec(source);
  const pattern = parts?.[1] ?? source;
  // One match is read: `g` and `y` would only keep a position from one answer to the next.
  const flags = (parts?.[2] ?? '').replace(/[gy]/g, '');
  try {
    new RegExp(pattern, flags);
  } catch (error) {
    throw new UserError(
      'invalidOption',
      `'${source}' is not a regular expression: ${(error as Error).message}`,
      'Write it as JavaScript does, e.g. /answer: (\\w+)/i; the first group is the answer.',
      { cause: error },
    );
  }
  return { kind: 'regex', pattern, flags, evidence: 'given by the user' };
}

/**
 * The answer in a form that can be compared: labels as the prompt spells them, numbers as JavaScript prints them,
 * strings of JSON and of a regular expression trimmed, in small letters. Null when the reply does not say exactly one.
 */
export function extractAnswer(reply: string, extractor: Extractor): string | null {
  const text = stripThinking(reply).text.slice(0, MAX_READ_CHARS);
  switch (extractor.kind) {
    case 'number':
      return numberOf(text);
    case 'jsonField':
      return jsonFieldOf(text, extractor.field);
    case 'regex': {
      const match = new RegExp(extractor.pattern, extractor.flags).exec(text);
      const said = (match?.[1] ?? match?.[0])?.trim().toLowerCase();
      return said === undefined || said === '' ? null : said;
    }
    default:
      return extractLabel(text, extractor);
  }
}

/** The extractor in words, for the plan and the report. */
export function describeExtractor(extractor: Extractor): string {
  const because = extractor.evidence === '' ? '' : ` (“${extractor.evidence}”)`;
  switch (extractor.kind) {
    case 'yesNo':
    case 'options':
      return `one of ${(extractor.options ?? []).join(', ')}${because}`;
    case 'oneWord':
      return `one word${because}`;
    case 'number':
      return `a number${because}`;
    case 'jsonField':
      return `${extractor.field === null ? 'the whole JSON object' : `the JSON field ${extractor.field}`}${because}`;
    case 'regex':
      return `what /${extractor.pattern}/${extractor.flags} matches`;
    case 'freeText':
      return 'free text: the prompt does not say what form the answer has';
  }
}

const NUMBER =
  /\b(?:(?:answer|reply|respond|output|return|print|say|give|write|end)\b[^.!?\n]{0,60}?\b(?:with|as|in|only|just|back|me|the)\b[^.!?\n]{0,30}?\b(?:number|integer|digits?|numeral|numeric value)\b(?! of\b|ed\b)|(?:as|only|just|exactly|single) (?:an? |the |one )?(?:single |whole )?(?:number|integer|numeric (?:answer|value))\b(?! of\b)|on a scale (?:of|from) \d+ (?:to|-|–) ?\d+|how many\b[^.!?\n]*\?)/i;

const JSON_ASKED =
  /\b(?:answer|reply|respond|return|output|produce|print|give|write|format)\b[^.!?\n]{0,80}?\bJSON\b[^.!?\n]*/i;
const FIELD = String.raw`["'\x60“‘]?[A-Za-z_][\w.-]{0,40}["'\x60”’]?`;
const NAMED_FIELDS = new RegExp(
  String.raw`\b(?:keys?|fields?|propert(?:y|ies)|attributes?|with|containing|having)\b:?\s+(?:the |a |an |one |two |three |only |exactly )*(?:keys?|fields?|propert(?:y|ies))?\s*(?:named|called)?:?\s*(${FIELD}(?:\s*(?:,|and|,\s*and)\s*${FIELD})*)`,
  'i',
);
/** Of several fields, the one that holds the answer. */
const ANSWER_FIELD =
  /^(?:final_?)?(?:answer|label|category|class|classification|verdict|decision|sentiment|result|prediction|output|choice|intent)$/i;
const NO_FIELD =
  /^(?:a|an|the|and|no|nothing|only|following|schema|format|structure|keys?|fields?|this|these)$/i;

function inferJson(prompt: string): Extractor | null {
  const asked = JSON_ASKED.exec(prompt);
  if (asked === null) return null;
  const named = NAMED_FIELDS.exec(asked[0].slice(asked[0].search(/\bJSON\b/i)));
  const listed = (named?.[1] ?? '')
    .split(/\s*(?:,|\band\b)\s*/)
    .map((name) => name.replace(/^["'`“‘]|["'`”’]$/g, ''))
    .filter((name) => name !== '' && !NO_FIELD.test(name));
  // `{"label": …}` shown after the request; its values are no JSON as a rule.
  const shape = /\{[^{}]*\}/.exec(prompt.slice(asked.index));
  const shown = [...(shape?.[0] ?? '').matchAll(/["']([A-Za-z_][\w-]*)["']\s*:/g)].map(([, name]) => name!);
  const fields = listed.length > 0 ? listed : shown;
  const field = fields.length === 1 ? fields[0]! : (fields.find((name) => ANSWER_FIELD.test(name)) ?? null);
  return { kind: 'jsonField', field, evidence: asked[0].trim() };
}
