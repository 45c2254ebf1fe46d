import type { Perturbation, RunRecord } from '../contracts/runRecord';
import { toPrintable } from './visibleText';

const MAX_CHARS = 28;

/** The name of every change; those that share one are told apart by what they replace, else by their place. */
export function changeNames({
  perturbations,
  prompt,
}: Pick<RunRecord, 'perturbations' | 'prompt'>): Map<string, string> {
  const namesakes = new Map<string, Perturbation[]>();
  for (const one of perturbations) namesakes.set(one.name, [...(namesakes.get(one.name) ?? []), one]);
  const names = new Map<string, string>();
  for (const [name, all] of namesakes) {
    const inOrder = [...all].sort((a, b) => a.span.start - b.span.start);
    const told = inOrder.map((one) => replaced(one, prompt.text));
    const distinct = told.every((text) => text !== null) && new Set(told).size === told.length;
    inOrder.forEach((one, i) => {
      const apart = all.length === 1 ? '' : distinct ? `: ${told[i]}` : `, place ${i + 1}`;
      names.set(one.id, `${toPrintable(name)}${apart}`);
    });
  }
  return names;
}

/** `patient → pateint`, where that is short and can be seen. */
function replaced({ edits }: Perturbation, text: string): string | null {
  const [edit] = edits;
  if (edit === undefined || edits.length > 1) return null;
  const [before, after] = [text.slice(edit.start, edit.end).trim(), edit.text.trim()];
  if (before === '' || after === '' || before.length + after.length > MAX_CHARS) return null;
  return toPrintable(`${before} → ${after}`);
}
