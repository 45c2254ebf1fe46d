import { UserError } from '../contracts/userError';

/**
 * Base URLs worth trying, in order. `localhost` may resolve to ::1 where the server listens on 127.0.0.1 only;
 * 0.0.0.0 is an address to listen on, and not every system can call it.
 * Throws UserError invalidOption for what is not an http(s) URL or carries a password.
 */
export function serverAddresses(baseUrl: string): [string, ...string[]] {
  const withScheme = baseUrl.includes('://') ? baseUrl : `http://${baseUrl}`;
  const url = URL.canParse(withScheme) ? new URL(withScheme) : null;
  if (!url || !/^https?:$/.test(url.protocol))
    throw new UserError(
      'invalidOption',
      'The address of the server is not a web address.',
      'Write it like http://127.0.0.1:11434 or https://example.com/v1.',
    );
  if (url.username || url.password)
    throw new UserError(
      'invalidOption',
      'The address of the server holds a user name or password.',
      'Take it out of the address: addresses are stored in reports. Give the key by environment variable or `Evenkeel: Set or Clear API Key`.',
    );
  const plain = (of: URL) => `${of.origin}${of.pathname.replace(/\/+$/, '')}`;
  const loopback = new URL(url);
  loopback.hostname = '127.0.0.1';
  if (url.hostname === '0.0.0.0') return [plain(loopback)];
  return url.hostname === 'localhost' ? [plain(url), plain(loopback)] : [plain(url)];
}

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

/** The address is on this machine, whatever name servers say. */
export const isLoopback = ({ hostname }: URL): boolean => LOOPBACK.test(hostname);

/** What is sent there can be read on the way. */
export const wouldBeOverheard = (url: URL): boolean => url.protocol !== 'https:' && !isLoopback(url);
