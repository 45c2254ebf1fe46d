import { diffLines } from 'diff';

const CONTEXT_CHARS = 30;
const MAX_SIDE_CHARS = 160;
const MAX_PLACES = 4;
/** Beyond so many differing lines nobody reads the difference. */
const MAX_LINE_EDITS = 400;

/** What differs, as `- old` and `+ new` lines cut to the place that changed; each fits one comment line. */
export function diffComment(original: string, changed: string): string {
  const parts = diffLines(original, changed, { maxEditLength: MAX_LINE_EDITS });
  if (parts === undefined) return '(differs in most of its lines)';
  const places: string[] = [];
  for (let i = 0; i < parts.length; i++) {
    const part = parts[i]!;
    if (!part.added && !part.removed) continue;
    const next = parts[i + 1];
    const pairs = part.removed && next?.added === true;
    places.push(place(part.removed ? part.value : '', pairs ? next.value : part.added ? part.value : ''));
    if (pairs) i++;
  }
  const hidden = places.length - MAX_PLACES;
  return [...places.slice(0, MAX_PLACES), ...(hidden > 0 ? [`(and ${hidden} more places)`] : [])].join('\n');
}

function place(before: string, after: string): string {
  const shortest = Math.min(before.length, after.length);
  let start = 0;
  while (start < shortest && before[start] === after[start]) start++;
  let end = 0;
  while (end < shortest - start && before.at(-1 - end) === after.at(-1 - end)) end++;
  const from = Math.max(0, start - CONTEXT_CHARS);
  const side = (text: string) => {
    const to = Math.min(text.length, text.length - end + CONTEXT_CHARS);
    return `${from > 0 ? '…' : ''}${cut(text.slice(from, to))}${to < text.length ? '…' : ''}`;
  };
  // White space is shown only where nothing else differs.
  const spaces = before.replace(/\s/g, '') === after.replace(/\s/g, '');
  const show = (text: string) => visible(text, spaces);
  return [
    ...(before === '' ? [] : [`- ${show(side(before))}`]),
    ...(after === '' ? [] : [`+ ${show(side(after))}`]),
  ].join('\n');
}

const cut = (text: string) =>
  text.length <= MAX_SIDE_CHARS
    ? text
    : `${text.slice(0, MAX_SIDE_CHARS / 2)} … ${text.slice(-MAX_SIDE_CHARS / 2)}`;

/** One line that can neither end the comment nor move a cursor. */
function visible(text: string, spaces: boolean): string {
  return text
    .replace(/\r\n|\r/g, '⏎')
    .replace(/\n$/, spaces ? '⏎' : '')
    .replace(/\n/g, '⏎')
    .replace(/[ \u00a0]/g, (space) => (!spaces ? ' ' : space === ' ' ? '·' : '⍽'))
    .replace(/\t/g, '→')
    .replace(
      /(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Cn}]/gu,
      (char) => `⟨U+${char.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}⟩`,
    );
}
