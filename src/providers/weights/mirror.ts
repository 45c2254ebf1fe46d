import { UserError } from '../../contracts/userError';
import { isLoopback } from '../serverAddress';
import type { WeightSource } from './catalogue';

/**
 * A place of one's own that has the weights under their file names, for networks that reach no other. Tried before all others; the
 * SHA-256 decides as always.
 * @param address e.g. `https://models.example.org/evenkeel/`; unencrypted only on this machine
 * @throws UserError `invalidOption` for what is no such address
 */
export function mirrorSource(address: string, fileName: string): WeightSource {
  const url = URL.canParse(address) ? new URL(address) : null;
  if (url === null || !(url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url)))) {
    throw new UserError(
      'invalidOption',
      'EVENKEEL_MODEL_MIRROR is not an address that weights can be fetched from.',
      'Give an https address of a folder that holds the weights under their file names.',
    );
  }
  if (!url.pathname.endsWith('/')) url.pathname += '/';
  return { kind: 'https', label: 'your mirror', url: new URL(encodeURIComponent(fileName), url).href };
}
