const THINKING_TAG = 'think|thinking|thought|reasoning';
const OPEN_AT_START = new RegExp(String.raw`^\s*<(${THINKING_TAG})>`, 'i');
const ANY_OPEN = new RegExp(`<(?:${THINKING_TAG})>`, 'i');
const FIRST_CLOSE = new RegExp(`</(?:${THINKING_TAG})>`, 'i');

/**
 * Parts a reply that begins with a thinking block. An unclosed block is thinking to its end; a lone closing tag ends a
 * block that the model's template opened in the prompt. Tags further on are the model's own words and stay.
 * `thinking` is empty where there is none.
 */
export function splitThinking(reply: string): { text: string; thinking: string } {
  const open = OPEN_AT_START.exec(reply);
  if (open) {
    const body = reply.slice(open[0].length);
    const end = body.search(new RegExp(`</${open[1]!}>`, 'i'));
    if (end < 0) return { text: '', thinking: body.trim() };
    return { text: body.slice(body.indexOf('>', end) + 1).trimStart(), thinking: body.slice(0, end).trim() };
  }
  const close = FIRST_CLOSE.exec(reply);
  if (close && !ANY_OPEN.test(reply.slice(0, close.index)))
    return {
      text: reply.slice(close.index + close[0].length).trimStart(),
      thinking: reply.slice(0, close.index).trim(),
    };
  return { text: reply, thinking: '' };
}
