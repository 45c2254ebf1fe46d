import type { Span } from './runRecord';
import type { SourcePiece } from './sourceMap';

/** How a variable is written where it was found. `percent`: `%s` and `%(x)s`; `expression`: an operand of `+`. */
export type FoundVariableSyntax = 'mustache' | 'brace' | 'dollar' | 'percent' | 'expression';

export interface FoundVariable {
  /** What its value is given by: the expression itself where that is a (dotted) name, else a name made from it. */
  name: string;
  /** As the source has it, without braces: `items.join(", ")`, `price:.2f`. */
  expression: string;
  syntax: FoundVariableSyntax;
  /** Every place in the prompt's text, braces included, in order. */
  spans: Span[];
}

export type PromptHost = 'file' | 'promptFile' | 'promptfoo' | 'typescript' | 'python' | 'notebook';

/** Why a text counts as a prompt: the file is one or lists it, a model call takes it, its name says so, a comment marks it. */
export type FoundBecause = 'file' | 'call' | 'name' | 'comment';

/** A prompt that stands somewhere in a document. Offsets are UTF-16 code units. */
export interface FoundPrompt {
  /** `path#symbol`: the same as long as file and symbol are, whatever the text becomes. A whole file: its path. */
  id: string;
  path: string;
  /** Dotted names around and of it (`summarize.messages.system`), `~2` behind the second of the same; '' for a whole file. */
  symbol: string;
  /** What people see: the last part of the symbol, or the file's name. */
  name: string;
  host: PromptHost;
  because: FoundBecause;
  role: 'system' | 'user' | null;
  /** 1-based, of its first character, in the file. */
  line: number;
  /** 0-based cell of a notebook file; null elsewhere. */
  cell: number | null;
  text: string;
  variables: FoundVariable[];
  /** Values that the file itself gives for variables. */
  values: Record<string, string>;
  sourceMap: SourcePiece[];
  /** The whole expression in the document, quotes included. */
  span: Span;
}
