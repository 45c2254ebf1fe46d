/** What a server that is added by hand may be called, and where it may stand. No import of `vscode`. */

/** These mean something else already. */
const TAKEN = /^(?:local|ollama|vscode)$/i;

/** What is wrong with a name of an endpoint; null when it can be used. */
export function nameFault(name: string): string | null {
  if (!/^[A-Za-z0-9][A-Za-z0-9._-]*$/.test(name)) {
    return 'Letters, digits, dots, dashes and underscores; it begins with a letter or a digit.';
  }
  return TAKEN.test(name) ? `“${name}” is a name of Evenkeel’s own. Choose another one.` : null;
}

/** What is wrong with the address of a server; null when it can be used. */
export function addressFault(address: string): string | null {
  if (!URL.canParse(address)) return 'An address such as http://127.0.0.1:8000/v1';
  const { protocol, username, password, search, hash } = new URL(address);
  if (!/^https?:$/.test(protocol)) return 'It begins with http:// or https://';
  return username || password || search || hash
    ? 'Without user, password, ? or #: a key is kept in the secret storage.'
    : null;
}
