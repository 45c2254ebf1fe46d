/** What became of an answer, read from its text alone. */
import { splitThinking } from './thinking';

/** Refusals are short; a long answer that opens with an apology usually goes on to help. */
const REFUSAL_CHARACTERS = 600;
const UNABLE = String.raw`(?:can ?not|can't|could not|couldn't|won't|will not|am unable to|'m unable to|am not able to|'m not able to|am not allowed to|'m not allowed to|must decline)`;
const HELP = String.raw`(?:assist|help|provide|answer|comply|fulfil|fulfill|generate|create|engage|support|offer|give|discuss|write|continue|respond|do that|do this|participate|share|recommend|advise|diagnose|translate)`;
const REFUSALS = [
  new RegExp(
    String.raw`^(?:I'm|I am) (?:very |truly |really |so )?sorry[,.]? (?:but )?(?:as an AI[^.]{0,60}?,? )?I ?${UNABLE}\b`,
    'i',
  ),
  new RegExp(String.raw`^(?:Sorry|Apologies|My apologies|I apologi[sz]e)[,.]? (?:but )?I ?${UNABLE}\b`, 'i'),
  new RegExp(String.raw`^(?:Unfortunately,? )?I ?${UNABLE} ${HELP}\b`, 'i'),
  new RegExp(
    String.raw`^As an? (?:AI|artificial intelligence)(?: language)?(?: model| assistant)?(?: developed by \w+)?,? I ?${UNABLE}\b`,
    'i',
  ),
];

/**
 * `thinkingOnly`: a reasoning block and no answer. `empty`: nothing but space. `refused`: a short answer that opens
 * with one of the usual English refusals. Conservative on purpose: “I cannot find it in the text” is an answer, and
 * a refusal in another language or wording counts as `ok`.
 */
export function classifyText(answer: string): 'ok' | 'refused' | 'empty' | 'thinkingOnly' {
  const { text, thinking } = splitThinking(answer);
  const trimmed = text
    .trim()
    .replace(/[’‘]/g, "'")
    .replace(/^["“*_]+/, '');
  if (trimmed === '') return thinking !== '' ? 'thinkingOnly' : 'empty';
  if (trimmed.length <= REFUSAL_CHARACTERS && REFUSALS.some((pattern) => pattern.test(trimmed)))
    return 'refused';
  return 'ok';
}
