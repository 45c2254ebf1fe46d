import type { Expectation } from '../contracts/runRecord';
import { UserError } from '../contracts/userError';
import type { PromptGenerator } from './generator';
import { editsAround } from './protectedRewrite';

interface CustomBase {
  /** Short name that people read; default `Own text` or `Own pattern`. */
  name?: string;
  /** Default `irrelevant`. */
  expectation?: Expectation;
  /** Strength where the person declares it; unrated otherwise. */
  level?: 0 | 1 | 2 | 3;
  /** It is about protected parts (a variable, a label) and may change them. Default false. */
  mayTouchProtected?: boolean;
}

/**
 * A perturbation of the user's own: the whole perturbed prompt, several of them, or a regular expression (JavaScript,
 * flags `g` and `u` are added) whose every match is replaced; `$1` and `$<name>` stand for groups.
 */
export type CustomRule = CustomBase &
  (
    { text: string } | { texts: readonly string[] } | { pattern: string; flags?: string; replacement: string }
  );

/**
 * Generators for the user's own rules, `custom.1`, `custom.2`, … in order; a list counts one by one. Their texts are
 * checked like any other: what damages a protected part without being meant to is rejected with the reason. A pattern
 * leaves matches that touch a protected part as they are.
 * @throws UserError `invalidOption` for a pattern that is no regular expression
 */
export function customGenerators(rules: readonly CustomRule[]): PromptGenerator[] {
  const generators: PromptGenerator[] = [];
  for (const rule of rules) {
    const texts = 'texts' in rule ? rule.texts : 'text' in rule ? [rule.text] : null;
    if (texts === null && 'pattern' in rule) {
      generators.push(generatorOf(rule, 'Own pattern', generators.length, byPattern(rule)));
    }
    for (const text of texts ?? []) {
      generators.push(generatorOf(rule, 'Own text', generators.length, byText(text, rule)));
    }
  }
  return generators;
}

function generatorOf(
  { name, expectation, level }: CustomBase,
  defaultName: string,
  index: number,
  propose: PromptGenerator['propose'],
): PromptGenerator {
  return {
    id: `custom.${index + 1}`,
    kind: 'custom',
    name: name ?? defaultName,
    expectation: expectation ?? 'irrelevant',
    level: level ?? null,
    scope: 'prompt',
    onRequest: true,
    preserves: 'what its author left',
    propose,
  };
}

function byText(text: string, { mayTouchProtected = false }: CustomBase): PromptGenerator['propose'] {
  return (parts) => {
    const whole = { start: 0, end: parts.text.length };
    const edits = mayTouchProtected ? [{ ...whole, text }] : editsAround(parts, whole, text);
    return 'reason' in edits ? edits : { edits, mayTouchProtected, description: 'Text of your own.' };
  };
}

function byPattern(
  rule: CustomBase & { pattern: string; flags?: string; replacement: string },
): PromptGenerator['propose'] {
  const pattern = compiled(rule.pattern, rule.flags ?? '');
  const { mayTouchProtected = false } = rule;
  return (parts) => {
    const { text, guard } = parts;
    const touches = (start: number, end: number) =>
      guard.some((part) => part.start < end && start < part.end);
    const edits = [...text.matchAll(pattern)]
      .map((match) => ({
        start: match.index,
        end: match.index + match[0].length,
        text: expanded(rule.replacement, match),
      }))
      .filter((edit) => text.slice(edit.start, edit.end) !== edit.text)
      .filter(({ start, end }) => mayTouchProtected || !touches(start, end));
    if (edits.length === 0) return { reason: 'the pattern matches nothing that may be changed' };
    const places = edits.length === 1 ? 'one place' : `${edits.length} places`;
    return { edits, mayTouchProtected, description: `A pattern of your own was replaced in ${places}.` };
  };
}

function compiled(pattern: string, flags: string): RegExp {
  try {
    return new RegExp(pattern, [...new Set(`${flags.replace('y', '')}gu`)].join(''));
  } catch (cause) {
    throw new UserError(
      'invalidOption',
      `This pattern is no regular expression: ${pattern}`,
      `Correct it: ${cause instanceof Error ? cause.message : String(cause)}`,
      { cause },
    );
  }
}

/** `$$`, `$&`, `$1` … `$99` and `$<name>`, as String.replace reads them. */
function expanded(replacement: string, match: RegExpExecArray): string {
  return replacement.replace(/\$(?:\$|&|(\d{1,2})|<([^>]+)>)/g, (whole, digits?: string, name?: string) => {
    if (whole === '$$') return '$';
    if (whole === '$&') return match[0];
    if (name !== undefined) return match.groups?.[name] ?? '';
    return digits !== undefined && Number(digits) < match.length ? (match[Number(digits)] ?? '') : whole;
  });
}
