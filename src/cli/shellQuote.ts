const PLAIN = /^[\w@%+:,./-][\w@%+=:,./-]*$/;
/** What a terminal would act on when it is pasted, or would not show; line breaks and tabs are neither. */
const HIDDEN =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/g;

/** One word of a command line for bash and zsh, whatever it holds; characters that cannot be seen are spelled out. */
export function shellQuote(word: string): string {
  if (PLAIN.test(word)) return word;
  if (word.search(HIDDEN) < 0) return `'${word.replaceAll("'", String.raw`'\''`)}'`;
  const spelled = word
    .replace(/[\\']/g, String.raw`\$&`)
    .replace(HIDDEN, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`);
  return `$'${spelled}'`;
}
