/** Calls that take prompts, by the names of libraries' functions and of the arguments that hold text for a model. */

export type Role = 'system' | 'user';

/** Roles of chat messages. What the assistant said is an example, not a prompt. */
export function roleOf(name: string): Role | null {
  if (/^(?:system|developer)$/i.test(name)) return 'system';
  return /^(?:user|human)$/i.test(name) ? 'user' : null;
}

/** Named arguments that hold a prompt, where the call is one to a model. */
const ARGUMENT_ROLES: Record<string, Role | null> = {
  system: 'system',
  systemprompt: 'system',
  systeminstruction: 'system',
  systemmessage: 'system',
  instructions: 'system',
  instruction: 'system',
  preamble: 'system',
  prompt: 'user',
  input: 'user',
  contents: 'user',
  template: null,
  prefix: null,
  suffix: null,
  basesystemprompt: 'system',
  backstory: 'system',
  goal: 'system',
};

/** Undefined where the argument holds no prompt. */
export const argumentRole = (name: string): Role | null | undefined =>
  ARGUMENT_ROLES[name.replaceAll('_', '').toLowerCase()];

/** Whole names of callees, without spaces. `client.chat.completions.create`, `generateText`, `Agent`. */
const MODEL_CALL = new RegExp(
  [
    String.raw`\b(?:completions|responses|messages|threads|runs|assistants)\.(?:create|parse|stream|with_raw_response\.create|createAndPoll|create_and_poll)$`,
    String.raw`\bChatCompletion\.a?create$`,
    String.raw`(?:^|\.)(?:generateText|streamText|generateObject|streamObject|generateContent|generateContentStream|generate_content|generate_content_async|generate_content_stream|countTokens)$`,
    String.raw`(?:^|\.)(?:a?completion|a?text_completion|chat_completion|text_generation|chatCompletion|textGeneration)$`,
    String.raw`(?:^|\.)(?:definePrompt|define_prompt|createAgent|create_agent|createReactAgent|create_react_agent|getGenerativeModel|createPrompt)$`,
    String.raw`(?:^|[._])(?:ollama|ai|llm|model|gemini|genai|claude|gpt|chat|cohere|mistral|groq|openai|anthropic)(?:Client|Model|_client|_model)?(?:\.chat)?\.(?:chat|generate|complete|stream|invoke|predict|ask|prompt|run|call|send_message|sendMessage)$`,
    String.raw`(?:^|\.)client\.(?:chat|generate)$`,
    String.raw`(?:^|\.)(?:Agent|AssistantAgent|GenerativeModel|PromptTemplate|PromptRegistry|ChatPromptTemplate|SystemMessagePromptTemplate|HumanMessagePromptTemplate|FewShotPromptTemplate|LlmAgent|LLMAgent|ConversableAgent|ChatAgent|ReActAgent|OpenAIAgent)$`,
  ].join('|'),
);

export const isModelCall = (callee: string) => MODEL_CALL.test(callee.replace(/<[^<>]*>$/, ''));

interface TextArgument {
  role: Role | null;
  /** `{x}` takes a value, `{{` is a brace. */
  braces: boolean;
}

/** Callees whose first unnamed argument is the prompt. Null for others. */
export function firstArgument(callee: string): TextArgument | null {
  const name = callee.replace(/<[^<>]*>$/, '');
  if (/(?:^|\.)(?:fromTemplate|from_template)$/.test(name)) {
    return {
      role: /System/.test(name) ? 'system' : /Human|User/.test(name) ? 'user' : null,
      braces: true,
    };
  }
  if (/(?:^|\.)SystemMessage$/.test(name)) return { role: 'system', braces: false };
  if (/(?:^|\.)(?:HumanMessage|UserMessage|ChatMessage\.User|LanguageModelChatMessage\.User)$/.test(name)) {
    return { role: 'user', braces: false };
  }
  if (
    /(?:^|\.)(?:generateContent|generateContentStream|generate_content|generate_content_async)$/.test(name)
  ) {
    return { role: 'user', braces: false };
  }
  const asks =
    /^(?:.*\.)?(\w+)\.(?:invoke|ainvoke|predict|apredict|call|stream|complete|acomplete|generate|prompt|ask|run)$/.exec(
      name,
    );
  return asks !== null &&
    /^(?:llm|chat_?model|model|chat|claude|gpt\w*|chat_?llm|openai|agent)$/i.test(asks[1]!)
    ? { role: 'user', braces: false }
    : null;
}

/** `ChatPromptTemplate.from_messages([("system", "…")])`. */
export const takesRolePairs = (callee: string) =>
  /(?:^|\.)(?:fromMessages|from_messages|ChatPromptTemplate)$/.test(callee);

/** LangChain's templates: `{x}` takes a value. */
export const readsBraces = (callee: string) =>
  /PromptTemplate(?:\.\w+)?$/.test(callee.replace(/<[^<>]*>$/, ''));
