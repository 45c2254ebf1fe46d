import { protectedAt, pick, type PromptGenerator, type PromptParts } from './generator';

interface Item {
  start: number;
  end: number;
  text: string;
}

/** Words that tie an item to its place. */
const ORDER =
  /\b(?:first|second|third|then|next|last|lastly|finally|after|afterwards|before|above|below|previous|preceding|following|former|latter|also|otherwise|else|step|begin|start with|instead|same)\b|[:：]$/i;
const ORDERED_LIST =
  /\b(?:in (?:this|the following|that) order|order|steps?|sequence|rank(?:ed|ing)?|priorit(?:y|ies)|respectively|workflow)\b/i;

/**
 * Two neighbouring items of an unordered list change places. Only where order carries nothing: plain items of one
 * line, no nested items, no protected parts, no word of order in any item or in the line before the list.
 */
const listOrder: PromptGenerator = {
  id: 'rewording.list-order',
  kind: 'rewording',
  name: 'Order of list items',
  expectation: 'irrelevant',
  level: 0,
  scope: 'prompt',
  preserves: 'every item, word for word',
  propose(parts, rng) {
    const pairs = plainLists(parts).flatMap((items) =>
      items.slice(1).map((item, i) => [items[i]!, item] as const),
    );
    const pair = pick(pairs, rng);
    if (!pair) return null;
    const [upper, lower] = pair;
    return {
      edits: [
        { start: upper.start, end: upper.end, text: lower.text },
        { start: lower.start, end: lower.end, text: upper.text },
      ],
      description: 'Two items of a list changed places.',
    };
  },
};

export const listGenerators: PromptGenerator[] = [listOrder];

function plainLists(parts: PromptParts): Item[][] {
  const lists: Item[][] = [];
  let items: Item[] = [];
  let marker = '';
  let before = '';
  let plain = true;
  const close = () => {
    if (items.length >= 2 && plain) lists.push(items);
    items = [];
    plain = true;
  };
  let offset = 0;
  for (const line of parts.text.split('\n')) {
    const item = /^([ \t]*[-*+] +)(\S.*?)[ \t\r]*$/.exec(line);
    if (item) {
      if (items.length > 0 && item[1] !== marker) plain = false;
      if (items.length === 0) {
        marker = item[1]!;
        plain = !ORDERED_LIST.test(before);
      }
      const start = offset + item[1]!.length;
      const text = item[2]!;
      if (ORDER.test(text) || protectedAt(parts, offset, start + text.length)) plain = false;
      items.push({ start, end: start + text.length, text });
    } else {
      // An indented or lower-case line goes on with the item above it.
      if (/^[ \t]+\S|^\p{Ll}/u.test(line)) plain = false;
      close();
    }
    if (!item && line.trim() !== '') before = line;
    offset += line.length + 1;
  }
  close();
  return lists;
}
