/** Two runs of one prompt beside each other. No test is made between them: each has its own, and both are shown. */
import type { AgainstView } from '../contracts/reportView';
import type { Comparison, Perturbation, RunRecord } from '../contracts/runRecord';
import { formatEffect } from './format';
import { toPrintable } from './visibleText';
import { againstSentence, verdictWords } from './sentences';

type Side = AgainstView['rows'][number]['now'];

/** @param before the run that `now` is held against; changes are matched by what they make of the prompt, else by id. */
export function againstView(now: RunRecord, before: RunRecord): AgainstView {
  const left = new Map(before.perturbations.map((perturbation) => [perturbation.id, perturbation]));
  const rows: AgainstView['rows'] = [];
  const samePrompt = now.prompt.text === before.prompt.text;
  for (const perturbation of now.perturbations) {
    const match = samePrompt
      ? [...left.values()].find(
          ({ text, systemLine }) => text === perturbation.text && systemLine === perturbation.systemLine,
        )
      : left.get(perturbation.id);
    if (match) left.delete(match.id);
    rows.push(row(perturbation, comparisonOf(now, perturbation), match && comparisonOf(before, match)));
  }
  for (const perturbation of left.values()) {
    rows.push(row(perturbation, undefined, comparisonOf(before, perturbation)));
  }
  return {
    runId: before.id,
    sentence: againstSentence(now, before, rows),
    differences: differencesOf(now, before),
    rows: rows.sort((a, b) => Number(b.flipped) - Number(a.flipped)),
  };
}

const comparisonOf = ({ comparisons }: RunRecord, { id }: Perturbation) =>
  comparisons.find(({ perturbationId }) => perturbationId === id);

function row(
  { id, name }: Perturbation,
  now: Comparison | undefined,
  before: Comparison | undefined,
): AgainstView['rows'][number] {
  return {
    perturbationId: id,
    name: toPrintable(name),
    now: sideOf(now),
    before: sideOf(before),
    flipped: now !== undefined && before !== undefined && moved(now) !== moved(before),
  };
}

const moved = ({ verdict }: Comparison) => verdict === 'changed';

function sideOf(comparison: Comparison | undefined): Side {
  if (comparison === undefined) return null;
  const { verdict, effect } = comparison;
  return {
    verdictText: verdictWords[verdict],
    effectText: effect === null ? 'not measured' : formatEffect(effect),
    effect: effect?.debiased ?? null,
  };
}

function differencesOf(now: RunRecord, before: RunRecord): string[] {
  const pairs: [string, unknown, unknown][] = [
    ['Prompt', now.prompt.text, before.prompt.text],
    ['Model', now.model.id, before.model.id],
    ['Weights', now.model.digest, before.model.digest],
    ['Seed', now.seed, before.seed],
    ['Answers per prompt', now.options.samples, before.options.samples],
    ['Temperature', now.options.temperature, before.options.temperature],
    ['Answer window', now.options.answerTokens, before.options.answerTokens],
    ['Level', now.options.alpha, before.options.alpha],
    ['System prompt', now.options.system, before.options.system],
    ['Variables', JSON.stringify(now.prompt.variables), JSON.stringify(before.prompt.variables)],
  ];
  const told = new Set(['Model', 'Seed', 'Answers per prompt', 'Temperature', 'Answer window', 'Level']);
  return pairs
    .filter(([, a, b]) => a !== b)
    .map(([name, a, b]) =>
      told.has(name) ? `${name}: ${String(a)} here, ${String(b)} there` : `${name} differs`,
    );
}
