/** A run without its texts: verdicts, numbers and places stay; no word of a prompt or an answer does. */
import type { Perturbation, RunRecord } from '../contracts/runRecord';

/** As long as before, so that spans and diffs still point to the same places. */
const blocks = (text: string) => text.replace(/[^\n]/g, '█');
const LEFT_OUT = '[left out]';

/** Equal answers stay equal (`[answer 1]`, numbered as they come); everything else is blocks of the same length. */
export function redactRun(record: RunRecord): RunRecord {
  const numbers = new Map<string, number>();
  const answer = (text: string) => {
    if (text === '') return '';
    const key = text.trim();
    if (!numbers.has(key)) numbers.set(key, numbers.size + 1);
    return `[answer ${numbers.get(key)}]`;
  };
  return {
    ...record,
    reproduce: LEFT_OUT,
    prompt: {
      source: record.prompt.source && { ...record.prompt.source, uri: null },
      text: blocks(record.prompt.text),
      variables: Object.fromEntries(
        Object.entries(record.prompt.variables).map(([name, value]) => [name, blocks(value)]),
      ),
    },
    options: { ...record.options, system: record.options.system && blocks(record.options.system) },
    perturbations: record.perturbations.map(redactPerturbation),
    conditions: record.conditions.map((condition) => ({
      ...condition,
      rendered: blocks(condition.rendered),
      ...(condition.systemLine === undefined ? {} : { systemLine: blocks(condition.systemLine) }),
    })),
    samples: record.samples.map(({ thinking: _thinking, firstToken: _firstToken, error, ...sample }) => ({
      ...sample,
      text: answer(sample.text),
      ...(error === undefined ? {} : { error: { code: error.code, message: LEFT_OUT } }),
    })),
    error: record.error && { ...record.error, message: `The run broke off (${record.error.code}).` },
  };
}

function redactPerturbation(perturbation: Perturbation): Perturbation {
  const { systemLine } = perturbation;
  return {
    ...perturbation,
    description: LEFT_OUT,
    edits: perturbation.edits.map((edit) => ({ ...edit, text: blocks(edit.text) })),
    text: blocks(perturbation.text),
    ...(systemLine === undefined ? {} : { systemLine: blocks(systemLine) }),
  };
}
