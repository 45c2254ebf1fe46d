import type { PreparedComparison } from '../compose/comparisons';
import type { CompareRecord } from '../contracts/compareRecord';
import { compareView } from '../report/compareView';
import { countOf, formatCount, formatDuration } from '../report/format';
import { toPrintable } from '../report/visibleText';
import type { Terminal } from './terminal';
import { hang, wrap } from './words';

const MOVEMENT_WIDTH = 21;
const MOVED_WIDTH = 10;
/** What a row holds beside the model's name. */
const BESIDE_NAME = 2 + MOVEMENT_WIDTH + 2 + MOVED_WIDTH + 2 + 13;

/** What will be asked, before it is. */
export function renderComparePlan(
  { request, plans, perturbations, total, options }: PreparedComparison,
  terminal: Terminal,
): string {
  const changes = perturbations.reduce((sum, { length }) => sum + length, 0);
  const cost =
    total.priceUsd === null
      ? 'price unknown'
      : total.priceUsd === 0
        ? 'no cost'
        : `at most $${total.priceUsd.toPrecision(2)}`;
  const time =
    total.seconds === null ? 'time unknown until it is measured' : `about ${formatDuration(total.seconds)}`;
  const lines = [
    `Plan: ${countOf(request.modelIds.length, 'model')}, ${countOf(request.prompts.length, 'prompt')}, ${countOf(changes, 'change')}, ${countOf(total.calls, 'answer')} of up to ${options.answerTokens} tokens, ${time}, ${cost}`,
    ...request.modelIds.map((id, i) => {
      const seconds = plans[i]!.reduce<number | null>(
        (sum, plan) => (sum === null || plan.seconds === null ? null : sum + plan.seconds),
        0,
      );
      const calls = plans[i]!.reduce((sum, plan) => sum + plan.calls, 0);
      return `      ${toPrintable(id)}: ${countOf(calls, 'answer')}${seconds === null ? '' : `, ${formatDuration(seconds)}`}`;
    }),
  ];
  return lines.map((line) => terminal.colors.dim(wrap(line, terminal.columns, '      '))).join('\n');
}

/** The comparison as it stands in a terminal, 80 columns wide. */
export function renderCompare(record: CompareRecord, terminal: Terminal): string {
  const { bold, dim, green, red, yellow } = terminal.colors;
  const view = compareView(record);
  const paint = { steady: green, wobbles: red, undecided: yellow, cancelled: yellow, failed: red }[
    view.headline.state
  ];
  const { word, sentence } = view.headline;
  const wrapped = wrap(sentence, terminal.columns);
  const nameWidth = Math.max(14, Math.min(30, terminal.columns - BESIDE_NAME));
  const clip = (text: string) => (text.length <= nameWidth ? text : `${text.slice(0, nameWidth - 1)}…`);
  const lines = [
    `${paint(bold(word))}${wrapped.slice(word.length)}`,
    '',
    dim(
      `${'model'.padEnd(nameWidth)}  ${'movement (95% CI)'.padEnd(MOVEMENT_WIDTH)}  ${'moved by'.padEnd(MOVED_WIDTH)}  speed`,
    ),
  ];
  for (const model of view.models) {
    const movement =
      model.movement === null ? 'not compared' : `${model.movement.text} (${model.movement.intervalText})`;
    const moved = model.movedText.replace(/ \(.*/, '');
    lines.push(
      `${clip(model.name).padEnd(nameWidth)}  ${movement.padEnd(MOVEMENT_WIDTH)}  ${moved.padEnd(MOVED_WIDTH)}  ${model.speedText.replace(' an answer', '/answer')}`,
    );
    if (/\D/.test(model.answersText.replaceAll(',', ''))) lines.push(dim(`  answers: ${model.answersText}`));
  }
  lines.push('');
  for (const { steadier, discordant, behaviour } of view.pairs) {
    lines.push(
      `● ${hang(steadier, terminal.columns, '  ')}`,
      dim(
        `  ${hang(behaviour === null ? discordant : `${discordant} ${behaviour}`, terminal.columns, '  ')}`,
      ),
    );
  }
  for (const note of view.notes) lines.push(yellow(wrap(`Note: ${note}`, terminal.columns, '      ')));
  lines.push(
    '',
    ...view.explained.map((line) => dim(wrap(line, terminal.columns))),
    '',
    dim(
      wrap(
        `${formatCount(record.actual.calls)} answers in ${formatDuration(record.actual.seconds)}, seed ${record.seed}, run ${record.id}`,
        terminal.columns,
      ),
    ),
  );
  return lines.join('\n');
}
