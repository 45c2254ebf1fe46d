/** What is said of a run that is tested while answers come in. */
import type { RunRecord } from '../contracts/runRecord';
import { countOf } from './format';

/** What looking at the answers while they came in has saved; null for a run that was tested once. */
export function looksSentence({ sequential, perturbations, state }: RunRecord): string | null {
  if (sequential === undefined) return null;
  const { sizes, looks, savedCalls } = sequential;
  const early = looks
    .slice(0, -1)
    .concat(looks.length < sizes.length ? looks.slice(-1) : [])
    .flatMap(({ tests }) => tests.filter(({ stopped }) => stopped)).length;
  const plan = `Tested while answers came in: ${sizes.length} looks were declared, at ${sizes.join(', ')} answers each, and ${looks.length === sizes.length ? 'all' : looks.length} were made`;
  const spared = savedCalls === 0 ? '' : `, which spared ${countOf(savedCalls, 'answer')}`;
  const found =
    early === 0
      ? 'no change was decided before the last'
      : `${early} of ${countOf(perturbations.length, 'change')} ${early === 1 ? 'was' : 'were'} decided early${spared}`;
  const leaning = early === 0 ? '' : ' Effects of changes that were decided early lean high.';
  return `${plan}; ${state === 'complete' ? found : `${found} so far`}.${leaning}`;
}

/** A look that was made while the run goes on. */
export function lookSentence(at: {
  look: number;
  looks: number;
  answers: number;
  decided: number;
  changes: number;
}): string {
  return `Look ${at.look} of ${at.looks}, at ${at.answers} answers each: ${at.decided} of ${countOf(at.changes, 'change')} decided${at.decided === 0 ? '' : ', and asked no more'}.`;
}
