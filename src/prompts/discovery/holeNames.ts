import type { FoundVariableSyntax } from '../../contracts/foundPrompt';
import type { Hole } from './mappedText';

const DOTTED = /^[\p{L}_$][\p{L}\p{M}\p{N}_$]*(?:\.[\p{L}_$][\p{L}\p{M}\p{N}_$]*)*$/u;
const LONGEST = 40;

/**
 * The name that a variable's value is given by. An expression that is a name keeps it; of others the words are joined by `_`:
 * `items.map((x) => x.id)` becomes `items_map_x_x_id`.
 */
export function holeOf(expression: string, syntax: FoundVariableSyntax): Omit<Hole, 'start' | 'end'> {
  const compact = expression.trim();
  if (DOTTED.test(compact) && !compact.includes('$')) return { name: compact, expression: compact, syntax };
  const words = compact.match(/[\p{L}\p{N}_]+/gu)?.join('_') ?? 'value';
  const name = words.slice(0, LONGEST).replace(/_+$/, '') || 'value';
  return { name: /^\p{N}/u.test(name) ? `_${name}` : name, expression: compact, syntax };
}
