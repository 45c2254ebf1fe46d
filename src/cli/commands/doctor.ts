import type { DoctorLine } from '../../compose/evenkeel';
import type { CliContext } from '../context';
import { EXIT } from '../exitCodes';
import { openEvenkeel } from '../openEvenkeel';
import type { ServerFlags } from '../serverFlags';
import { toPrintable, toPrintableJson } from '../../report/visibleText';
import { hang } from '../words';

/** `evenkeel doctor`: what works here, what does not, and what to do about it. */
export async function doctor(context: CliContext, flags: { json?: boolean } & ServerFlags): Promise<number> {
  const evenkeel = openEvenkeel(context, flags);
  try {
    const lines = await evenkeel.doctor(context.signal);
    context.terminal.out(flags.json === true ? toPrintableJson({ checks: lines }) : render(lines, context));
    return lines.some((line) => line.status === 'problem') ? EXIT.provider : EXIT.policyMet;
  } finally {
    await evenkeel.close();
  }
}

function render(lines: DoctorLine[], { terminal }: CliContext): string {
  const { green, yellow, red } = terminal.colors;
  const mark = { ok: green('ok      '), warning: yellow('note    '), problem: red('problem ') };
  const nameWidth = Math.max(...lines.map((line) => line.name.length));
  const indent = ' '.repeat(8 + nameWidth + 2);
  return lines
    .map((line) => {
      const text = `${mark[line.status]}${line.name.padEnd(nameWidth)}  ${hang(toPrintable(line.detail), terminal.columns, indent)}`;
      return line.hint === null
        ? text
        : `${text}\n${indent}→ ${hang(toPrintable(line.hint), terminal.columns, `${indent}  `)}`;
    })
    .join('\n');
}
