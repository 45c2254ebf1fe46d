import { wouldBeOverheard } from '../providers/serverAddress';

/** Where a kept key might go. */
export interface KeyDestination {
  baseUrl: string;
  /** The address comes from the settings of the workspace, not from the person's own. */
  fromWorkspace: boolean;
}

/** The origin that a key is bound to. */
export const originOf = (baseUrl: string): string => new URL(baseUrl).origin;

/**
 * Whether a kept key may be used there: `give`, `withhold`, or the question to ask first. A workspace that is not
 * trusted gets no key; one that is must be allowed each address, once, and so must an address that is not encrypted.
 */
export function keyUse(
  { baseUrl, fromWorkspace }: KeyDestination,
  known: { trusted: boolean; allowedOrigins: readonly string[] },
): 'give' | 'withhold' | { ask: string } {
  if (fromWorkspace && !known.trusted) return 'withhold';
  const url = new URL(baseUrl);
  const overheard = wouldBeOverheard(url);
  if ((!fromWorkspace && !overheard) || known.allowedOrigins.includes(url.origin)) return 'give';
  const reasons = [
    fromWorkspace ? 'The settings of this workspace name this address.' : '',
    overheard ? 'It is not encrypted (http): anybody on the way can read the key.' : '',
  ];
  return { ask: [...reasons, 'Your answer is remembered for this address.'].filter(Boolean).join(' ') };
}
