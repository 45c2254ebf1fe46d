/** Context of a change, in characters on either side. */
const CONTEXT_CHARS = 600;

/**
 * The part of both texts that differs, with its surroundings: a long prompt would hide one changed word from a judge.
 * What differs is never cut, however long.
 */
export function changedPassage(original: string, perturbed: string): [original: string, perturbed: string] {
  const shortest = Math.min(original.length, perturbed.length);
  let before = 0;
  while (before < shortest && original[before] === perturbed[before]) before++;
  let after = 0;
  while (after < shortest - before && original.at(-1 - after) === perturbed.at(-1 - after)) after++;
  const from = wholeCharacter(original, Math.max(0, before - CONTEXT_CHARS));
  const toEnd = Math.max(0, after - CONTEXT_CHARS);
  const part = (text: string) => {
    const to = wholeCharacter(text, text.length - toEnd);
    return `${from > 0 ? '[…] ' : ''}${text.slice(from, to)}${to < text.length ? ' […]' : ''}`;
  };
  return [part(original), part(perturbed)];
}

/** At most `maxChars` of a text, from its beginning and its end. */
export function cutMiddle(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text;
  const head = wholeCharacter(text, Math.ceil(maxChars / 2));
  const tail = wholeCharacter(text, text.length - Math.floor(maxChars / 2));
  return `${text.slice(0, head)} [… ${tail - head} characters …] ${text.slice(tail)}`;
}

/** An index that splits no surrogate pair. */
const wholeCharacter = (text: string, index: number): number => {
  const code = text.charCodeAt(index);
  return index > 0 && code >= 0xdc00 && code <= 0xdfff ? index - 1 : index;
};
