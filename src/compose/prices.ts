import type { Price } from '../contracts/budget';
import type { RunOptions } from '../contracts/runRecord';
import { UserError } from '../contracts/userError';
import type { ModelTarget } from './modelId';

interface ListPrice {
  /** The model's name, or what its name begins with before a date: `gpt-4o-mini-2024-07-18`. */
  name: string;
  /** US dollars per million tokens. */
  inPerMillion: number;
  outPerMillion: number;
}

/** List prices change: they are for plans and caps, and are shown with their date. `--price-in` and `--price-out` override them. */
const AS_OF = '2025-04';
const SOURCE = 'OpenAI, API pricing page, standard tier';
const OPENAI: ListPrice[] = [
  { name: 'gpt-4.1-nano', inPerMillion: 0.1, outPerMillion: 0.4 },
  { name: 'gpt-4.1-mini', inPerMillion: 0.4, outPerMillion: 1.6 },
  { name: 'gpt-4.1', inPerMillion: 2, outPerMillion: 8 },
  { name: 'gpt-4o-mini', inPerMillion: 0.15, outPerMillion: 0.6 },
  { name: 'gpt-4o', inPerMillion: 2.5, outPerMillion: 10 },
  { name: 'o4-mini', inPerMillion: 1.1, outPerMillion: 4.4 },
  { name: 'gpt-3.5-turbo', inPerMillion: 0.5, outPerMillion: 1.5 },
];

/** OpenAI, Batch API guide: "50% cost discount compared to synchronous APIs". */
const BATCH_SHARE = 0.5;

/**
 * Price of a model, as it is asked; null where nobody knows it. What runs on this machine costs nothing.
 * @throws UserError `usage` for batches where there are none
 */
export function priceOf(target: ModelTarget, execution?: RunOptions['execution']): Price | null {
  if (execution !== 'batch') return listPrice(target);
  if (target.provider !== 'openai') {
    throw new UserError(
      'usage',
      'Only OpenAI and servers with its Batch API take batches.',
      'Leave --execution batch out, or choose a model of such a server.',
    );
  }
  const price = listPrice(target);
  return price === null
    ? null
    : {
        ...price,
        inPerMillion: price.inPerMillion * BATCH_SHARE,
        outPerMillion: price.outPerMillion * BATCH_SHARE,
        source: `${price.source}; half of it in a batch (OpenAI, Batch API guide)`,
      };
}

function listPrice(target: ModelTarget): Price | null {
  if (target.provider !== 'openai')
    return { inPerMillion: 0, outPerMillion: 0, asOf: null, source: 'runs on this machine' };
  const { endpoint, model } = target;
  if (endpoint.name !== 'openai') return null;
  const found = OPENAI.find(
    ({ name }) =>
      model === name || (model.startsWith(`${name}-`) && /^\d{4}/.test(model.slice(name.length + 1))),
  );
  if (found === undefined) return null;
  const { inPerMillion, outPerMillion } = found;
  return { inPerMillion, outPerMillion, asOf: AS_OF, source: SOURCE };
}
