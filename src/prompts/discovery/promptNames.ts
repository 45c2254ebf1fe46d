/** What a name and a text say about being a prompt. The rules of docs/prompts.md. */

/** Words that may stand behind `prompt`, `instruction` or `system` in the name of a prompt. */
const TAIL =
  /^(?:template|templates|text|texts|message|messages|msg|string|str|content|body|tmpl|base|default|format|prefix|suffix|header|intro|preamble|part|section|v|en|\d+|v\d+)$/;
const PROMPT = /^(?:prompts?|instructions?)$/;

export type NameStrength = 'strong' | 'weak' | null;

/**
 * `strong`: a name of a prompt for a model and hardly of anything else (systemPrompt, SUMMARY_PROMPT, promptTemplate). `weak`: one
 * that texts for people have as well (prompt, instructions, system). Null: no name of a prompt (promptColor, systemPath).
 */
export function nameStrength(name: string): NameStrength {
  const words = wordsOf(name);
  while (words.length > 1 && TAIL.test(words.at(-1)!)) words.pop();
  const last = words.at(-1);
  if (last === undefined) return null;
  const whole = wordsOf(name);
  const isTexted = whole.length > words.length;
  if (last === 'system' || last === 'developer') {
    // `system`, `system_message`, `systemText`; not `file_system`, `fileSystemMessage`.
    if (words.length > 1) return null;
    return isTexted ? 'strong' : last === 'system' ? 'weak' : null;
  }
  if (!PROMPT.test(last)) return null;
  if (words.length === 1) {
    return isTexted && /^(?:template|templates|tmpl|base|prefix|suffix|preamble)$/.test(whole.at(-1)!)
      ? 'strong'
      : 'weak';
  }
  const before = words.at(-2)!;
  if (HUMAN.test(before)) return null;
  return last.startsWith('instruction') &&
    !/^(?:system|agent|model|assistant|llm|ai|base|default)$/.test(before)
    ? 'weak'
    : 'strong';
}

/** Prompts and instructions for people: a shell's, a dialog's, an assembly guide's. */
const HUMAN =
  /^(?:shell|command|cmd|login|password|install|installation|confirm|confirmation|delete|save|input|cookie|update|upgrade|permission|cpu|machine|ps|bash|cli|setup|build|permit|show|hide|has|is|no|should|enable|disable|before|after|on|delivery|shipping|cooking|assembly|signup|signin|auth)$/;

function wordsOf(name: string): string[] {
  return (
    name
      .replace(/([\p{Ll}\d])(\p{Lu})/gu, '$1 $2')
      .replace(/(\p{Lu}+)(\p{Lu}\p{Ll})/gu, '$1 $2')
      .match(/[\p{L}\p{N}]+/gu) ?? []
  ).map((word) => word.toLowerCase());
}

const DENSE = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/gu;
const denseWords = (text: string) => Math.ceil((text.match(DENSE)?.length ?? 0) / 2);

/** Words, as a reader counts them; of scripts without spaces two characters count as one. */
export const countWords = (text: string): number =>
  denseWords(text) + (text.replace(DENSE, ' ').match(/[\p{L}\p{N}][\p{L}\p{M}\p{N}'’_-]*/gu)?.length ?? 0);

/** Words to a model rather than to a person in front of a screen. */
const TO_A_MODEL =
  /\b(?:you are (?:an?|the|now|acting)|you're an?|your (?:task|job|role|goal|purpose) (?:is|:)|act as|respond|repl(?:y|ies)|summari[sz]e|translate|classify|categori[sz]e|extract|rewrite|paraphrase|generate|assistant|answer (?:the|this|in|with|only|as|briefly|concisely|questions?)|given (?:the|an?|this)|based on the|(?:output|return) (?:only|an?|the|json|valid|in)|as json|in json|step by step|the (?:following|user)\b|do not (?:include|make|add|explain|use)|write an?|be concise|concise|politely)/i;
/** What a person in front of a screen is told or asked. */
const TO_A_PERSON =
  /^\s*(?:please\s+)?(?:enter|type|press|click|tap|drag|drop|select|choose|pick|upload|sign in|log in|are you sure|do you (?:want|wish|really)|would you like|confirm|what(?:'s| is) your|what would you|which \w+ (?:do|would|should) you|how many|where (?:do|should|would)|password|username|continue\?)/i;
const CODE_LIKE =
  /^(?:\s*(?:SELECT|INSERT|UPDATE|DELETE|CREATE)\s.+\b(?:FROM|INTO|SET|TABLE)\b|https?:\/\/\S+$|[\w.-]+(?:\/[\w.-]+)+$|[#.]?[\w-]+(?:\s*[{:;,]\s*[\w#%-]+)+\s*}?$)/;

/** How sure the place is that a text is a prompt: what a model call takes, less sure by name. */
type Trust = 'marked' | 'call' | NonNullable<NameStrength>;

/** Whether a text reads as a prompt, given what its place says. `known`: the file uses a library for models. */
export function readsAsPrompt(
  text: string,
  { trust, variables, known }: { trust: Trust; variables: number; known: boolean },
): boolean {
  if (text.trim() === '') return false;
  if (trust === 'marked') return true;
  // Words of prose stand apart: a path or a pattern of many names is one.
  const words = Math.min(countWords(text), text.trim().split(/\s+/).length + denseWords(text));
  if (CODE_LIKE.test(text) || words === 0) return false;
  if (trust === 'call') return words + variables >= 2;
  const toPerson = TO_A_PERSON.test(text) && words < 25;
  if (toPerson) return false;
  const toModel = TO_A_MODEL.test(text);
  if (trust === 'strong') return words >= 5 || (words >= 3 && (toModel || variables > 0));
  if (known) return words >= 6 || (words >= 3 && toModel);
  return (words >= 5 && toModel) || (words >= 25 && variables > 0) || words >= 60;
}

/** The file uses a library that asks models. */
export const usesModels = (source: string) => MODEL_LIBRARIES.test(source);

const MODEL_LIBRARIES =
  /(?:from|import|require\()\s*[\s{}\w,*]*?["'\s(]?(?:@?(?:openai|anthropic|langchain|litellm|ollama|groq|mistralai|cohere|google-generativeai|llama_?index|llamaindex|genkit|ai-sdk|dspy|instructor|guidance|promptfoo|pydantic_ai|crewai|autogen|haystack|transformers|huggingface|semantic_kernel|agents)\b|["']ai["']|google\.(?:genai|generativeai)|@google\/gen(?:ai|erative-ai)|@anthropic-ai|@ai-sdk|@langchain|@mastra|@openai)/;

export function roleByName(name: string): 'system' | 'user' | null {
  if (/system|developer|instruction/i.test(name)) return 'system';
  return /user|human/i.test(name) ? 'user' : null;
}
