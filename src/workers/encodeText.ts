import { Tokenizer } from '@huggingface/tokenizers';

export interface EncodedText {
  /** Token ids, [CLS] and [SEP] included. */
  ids: number[];
  /** Something was cut. */
  truncated: boolean;
  /** Share of the kept tokens that are [UNK] (emoji, most CJK), in [0, 1]; 0 for an empty text. */
  unknown: number;
}

const CLS = 101;
const SEP = 102;
const UNK = 100;
/** sentence-transformers reads 256 tokens with this model, whatever tokenizer.json says (128). */
const MAX_TOKENS = 256;
/** A text longer than this is first tried by its beginning, so that a megabyte costs no more than a page. */
const LONG_TEXT_CHARS = 16_384;
/** The JS tokenizer reads UTF-16 units where the reference reads code points, and so does not split these CJK blocks. */
const CJK_SUPPLEMENT = /[\u{20000}-\u{2A6DF}\u{2A700}-\u{2B81F}\u{2B920}-\u{2CEAF}\u{2F800}-\u{2FA1F}]/gu;

/**
 * BERT word pieces as the Python reference makes them (ids compared in test/embedder/golden50.json).
 * @param tokenizer parsed tokenizer.json; its truncation and padding are ignored on purpose.
 * @param config parsed tokenizer_config.json
 * @returns text in, at most 256 token ids out. Linear in the text's length.
 */
export function createTextEncoder(tokenizer: object, config: object): (text: string) => EncodedText {
  const pieces = new Tokenizer(tokenizer, config);
  const room = MAX_TOKENS - 2;

  // JS lower-cases a capital sigma by its place in the word, the reference does not.
  const idsOf = (text: string) =>
    pieces.encode(text.replace(CJK_SUPPLEMENT, ' $& ').replaceAll('Σ', 'σ'), { add_special_tokens: false })
      .ids;

  const idsOfBeginning = (text: string) => {
    // A beginning that ends at white space has a beginning of the tokens.
    const end = text.slice(0, LONG_TEXT_CHARS).search(/\s\S*$/);
    const ids = end > 0 ? idsOf(text.slice(0, end)) : [];
    return ids.length > room ? ids : null;
  };

  return (text) => {
    const ids = (text.length > LONG_TEXT_CHARS ? idsOfBeginning(text) : null) ?? idsOf(text);
    const kept = ids.slice(0, room);
    return {
      ids: [CLS, ...kept, SEP],
      truncated: ids.length > room,
      unknown: kept.length === 0 ? 0 : kept.filter((id) => id === UNK).length / kept.length,
    };
  };
}
