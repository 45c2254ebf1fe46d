/** Turns messages into the tokens that the model was trained to answer. Child process only. */
import type { ChatHistoryItem, ChatWrapper, LlamaModel, LlamaText, Token } from 'node-llama-cpp';
import type { Message } from '../../engine/ports';
import type { NativeModule } from './nativePart';

/** Where an answer ends besides the end-of-generation tokens that the library knows. */
export interface StopRules {
  texts: string[];
  tokens: Token[][];
}

export interface Conversation {
  tokens: Token[];
  /** So many tokens come before the last message of the user, whatever it says. */
  headTokens: number;
  stop: StopRules;
}

/**
 * The weights' own chat template comes first: the library's wrappers drop default system texts
 * and double SmolLM2's first token. They serve weights whose template is missing or cannot be run.
 */
function chatWrapperOf(library: NativeModule, model: LlamaModel): ChatWrapper {
  const template = model.fileInfo.metadata.tokenizer?.chat_template;
  if (typeof template === 'string' && template !== '') {
    try {
      return new library.JinjaTemplateChatWrapper({ template, tokenizer: model.tokenizer });
    } catch {
      // Falls through to the library's choice.
    }
  }
  return library.resolveChatWrapper(model);
}

const isPlainText = (trigger: LlamaText) => trigger.values.every((value) => typeof value === 'string');

/** Returns a renderer; special tokens that a person writes in a message stay plain text. */
export function createRenderer(library: NativeModule, model: LlamaModel) {
  const wrapper = chatWrapperOf(library, model);
  const stateOf = (messages: Message[]) =>
    wrapper.generateContextState({
      chatHistory: [
        ...messages.map((message): ChatHistoryItem => {
          if (message.role === 'assistant') return { type: 'model', response: [message.content] };
          return { type: message.role, text: message.content };
        }),
        { type: 'model', response: [] },
      ],
    });
  const tokensOf = (messages: Message[]) => stateOf(messages).contextText.tokenize(model.tokenizer);
  return (messages: Message[]): Conversation => {
    const state = stateOf(messages);
    const triggers = state.stopGenerationTriggers;
    const tokens = state.contextText.tokenize(model.tokenizer);
    return {
      tokens,
      headTokens: headOf(tokens, messages, tokensOf),
      stop: {
        texts: triggers.filter(isPlainText).map(String),
        tokens: triggers
          .filter((trigger) => !isPlainText(trigger))
          .map((trigger) => trigger.tokenize(model.tokenizer))
          .filter((tokens) => tokens.length > 0),
      },
    };
  };
}

/** Two texts that begin differently: what comes before them in both is not theirs. */
const OTHER_TEXTS = ['0', 'a'];

function headOf(
  tokens: readonly Token[],
  messages: Message[],
  tokensOf: (messages: Message[]) => Token[],
): number {
  const last = messages.findLastIndex(({ role }) => role === 'user');
  if (last < 0) return 0;
  return Math.min(
    ...OTHER_TEXTS.map((content) => {
      const other = tokensOf(messages.map((message, i) => (i === last ? { ...message, content } : message)));
      const end = other.findIndex((token, i) => token !== tokens[i]);
      return end < 0 ? other.length : end;
    }),
  );
}
