import type { PreparedEdit } from '../compose/edits';
import { countOf, formatCount, formatDuration } from '../report/format';
import { toPrintable } from '../report/visibleText';
import type { Terminal } from './terminal';
import { keptClause, wrap } from './words';

/** What a check of an edit will do, before it is done. */
export function renderEditPlan(prepared: PreparedEdit, terminal: Terminal, full: boolean): string {
  const { plan, options, request, rewordings } = prepared;
  const least = plan.callsAtLeast ?? plan.calls;
  const cost =
    plan.priceUsd === null
      ? 'price unknown'
      : plan.priceUsd === 0
        ? 'no cost'
        : `at most $${plan.priceUsd.toFixed(2)}`;
  const time =
    options.execution === 'batch'
      ? 'in batches, which may take a day each'
      : plan.seconds === null
        ? 'time unknown until it is measured'
        : `at most ${formatDuration(plan.seconds)}`;
  const line = `${countOf(least, 'answer')} of up to ${options.answerTokens} tokens from ${toPrintable(request.modelId)}; ${formatCount(plan.calls - least)} more, to ${countOf(rewordings.length, 'harmless rewording')} of the old prompt, only if they differ${keptClause(plan)}; ${time}, ${cost}`;
  if (!full) return terminal.colors.dim(wrap(`Plan: ${line}`, terminal.columns, '      '));
  const { bold, dim } = terminal.colors;
  return [
    bold(wrap(line, terminal.columns)),
    '',
    ...rewordings.map(({ name }) => dim(wrap(`  ${toPrintable(name)}`, terminal.columns, '    '))),
  ].join('\n');
}
