import type { ModelListing } from '../../compose/evenkeel';
import type { CliContext } from '../context';
import { EXIT } from '../exitCodes';
import { openEvenkeel } from '../openEvenkeel';
import type { ServerFlags } from '../serverFlags';
import { toPrintable, toPrintableJson } from '../../report/visibleText';
import { bytes } from '../words';

/** `evenkeel models`: what can be asked from here. */
export async function models(context: CliContext, flags: { json?: boolean } & ServerFlags): Promise<number> {
  const evenkeel = openEvenkeel(context, flags);
  try {
    const listings = await evenkeel.models(context.signal);
    context.terminal.out(
      flags.json === true ? toPrintableJson({ models: listings }) : render(listings, context),
    );
    return EXIT.policyMet;
  } finally {
    await evenkeel.close();
  }
}

const STATE_WORDS: Record<ModelListing['state'], string> = {
  ready: 'ready',
  download: 'to fetch',
  unavailable: 'not here',
};

function render(listings: ModelListing[], { terminal }: CliContext): string {
  const idWidth = Math.max(5, ...listings.map((entry) => entry.id.length));
  const paint = {
    ready: terminal.colors.green,
    download: terminal.colors.yellow,
    unavailable: terminal.colors.dim,
  };
  return listings
    .map((entry) =>
      [
        toPrintable(entry.id).padEnd(idWidth),
        paint[entry.state](STATE_WORDS[entry.state].padEnd(8)),
        (entry.sizeBytes === null ? '' : bytes(entry.sizeBytes)).padStart(7),
        toPrintable(entry.detail),
      ]
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
