/** What a writer model replied, less what it put around it. Model output is hostile text: nothing in it is trusted. */

const LABEL =
  /^(?:\*\*|__)?(?:(?:the |my |a )?(?:re-?written|rewrite|rephrased|re-?worded|reworded|paraphrased?|modified|changed|edited|new|corrected|incorrect|perturbed|revised|altered|updated) ?(?:version|sentence|text|question|instruction|step|prompt|one)?|paraphrase|rewrite|answer|output|result|sentence|text|question|instruction|step)(?: is| would be)?(?:\*\*|__)?\s*[:：](?:\*\*|__)?\s*/i;
const CHATTER =
  /^(?:sure|certainly|of course|okay|ok|absolutely|here(?: is|'s|’s| are)|below is|this is|i(?:'ve| have) (?:re|add|chang|made))\b[^\n]{0,200}?[:：!.](?=\s)\s*/i;
const THINKING = /^\s*<(think|thinking|thought|reasoning)>[\s\S]*?(?:<\/\1>|$)/i;
const QUOTES: [string, string][] = [
  ['"', '"'],
  ['“', '”'],
  ["'", "'"],
  ['‘', '’'],
  ['「', '」'],
  ['«', '»'],
  ['**', '**'],
  ['`', '`'],
];

/**
 * The rewritten text in a reply: thinking blocks, a code fence, `<sentence>` tags, phrases such as “Sure, here is the
 * rewritten sentence:”, labels and quotation marks are taken off, unless the original has them too. Empty when
 * nothing is left. Remarks after a blank line are cut off where the original is one paragraph.
 */
export function readRewrite(reply: string, original: string): string {
  let text = reply.replace(THINKING, '');
  const lone = /<\/(?:think|thinking|thought|reasoning)>/i.exec(text);
  if (lone) text = text.slice(lone.index + lone[0].length);
  text = text.trim();
  const tagged =
    /<(?:sentence|rewritten|text|step)>([\s\S]*?)(?:<\/(?:sentence|rewritten|text|step)>|$)/i.exec(text);
  if (tagged && !original.includes('<sentence>')) text = tagged[1]!.trim();
  const fence = /```[\w-]*\n([\s\S]*?)(?:\n```|$)/.exec(text);
  if (fence && !original.includes('```')) text = fence[1]!.trim();
  for (let before = ''; before !== text;) {
    before = text;
    if (!CHATTER.test(original)) text = text.replace(CHATTER, '');
    if (!LABEL.test(original)) text = text.replace(LABEL, '');
    text = withoutQuotes(text.trim(), original);
  }
  if (!/\n\s*\n/.test(original)) text = text.split(/\n\s*\n/)[0]!.trim();
  return text;
}

/** Takes off a pair that embraces the whole text, in which it occurs no further. */
function withoutQuotes(text: string, original: string): string {
  for (const [open, close] of QUOTES) {
    if (text.length <= open.length + close.length || !text.startsWith(open) || !text.endsWith(close))
      continue;
    const inner = text.slice(open.length, text.length - close.length);
    if (original.startsWith(open) || inner.includes(open) || inner.includes(close)) continue;
    return inner.trim();
  }
  return text;
}

/** Steps of a numbered reply, in order; null unless they count up from 1 to `count`. */
export function readNumbered(reply: string, count: number): string[] | null {
  const steps: string[] = [];
  for (const line of reply.replace(THINKING, '').split('\n')) {
    const item = /^\s*(?:\*\*)?(?:step )?(\d{1,3})[.):](?:\*\*)?\s+(\S.*)$/i.exec(line);
    if (item && Number(item[1]) === steps.length + 1) steps.push(item[2]!.trim());
  }
  return steps.length === count ? steps : null;
}
