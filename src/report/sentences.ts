/**
 * Every sentence that states a verdict. The page, the terminal, the editor's diagnostics and the exports say
 * exactly these, so that they can be reviewed together and never contradict each other.
 */
import type { HeadlineState } from '../contracts/reportView';
import type {
  Comparison,
  NoiseFloor,
  Outcome,
  Perturbation,
  RunRecord,
  Verdict,
} from '../contracts/runRecord';
import { editHeadline } from './editSentences';
import { sizeOf, sizeOfAll } from './sizes';
import {
  countOf,
  formatCount,
  formatEffect,
  formatNumber,
  formatP,
  formatPClause,
  formatPercent,
} from './format';

interface Headline {
  state: HeadlineState;
  /** `Steady`, `Wobbles`, … */
  word: string;
  /** The whole sentence; begins with the word. */
  sentence: string;
}

export const verdictWords: Record<Verdict, string> = {
  noChangeDetected: 'No change detected',
  equivalent: 'Equivalent',
  changedWithinRewordingNoise: 'Changed within rewording noise',
  changed: 'Changed',
  undecided: 'Undecided',
};

export const outcomeWords: Record<Outcome, string> = {
  ok: 'answered',
  refused: 'refused',
  empty: 'empty',
  thinkingOnly: 'thought, but did not answer',
  truncated: 'cut off by the token limit',
  timeout: 'timed out',
  rateLimited: 'turned away by a rate limit',
  unavailable: 'model unavailable',
  malformed: 'malformed reply',
  cancelled: 'cancelled',
};

const headlineWords: Record<HeadlineState, string> = {
  steady: 'Steady',
  wobbles: 'Wobbles',
  undecided: 'Undecided',
  cancelled: 'Cancelled',
  failed: 'Failed',
};

/** `local:qwen2.5-coder-0.5b` → `qwen2.5-coder-0.5b`. */
export function modelName(record: RunRecord): string {
  const { id } = record.model;
  return id.slice(id.indexOf(':') + 1);
}

const lowerFirst = (name: string) =>
  // Acronyms and quoted names keep their case.
  /^[A-Z][a-z]/.test(name) ? name.charAt(0).toLowerCase() + name.slice(1) : name;

/** At most `most` names in words: `trailing space, contraction (2 places) and 3 more`. */
function listNames(all: string[], most = 4): string {
  const counts = new Map<string, number>();
  for (const name of all) counts.set(name, (counts.get(name) ?? 0) + 1);
  const names = [...counts].map(([name, count]) => (count === 1 ? name : `${name} (${count} places)`));
  if (names.length <= most) return names.join(', ');
  return `${names.slice(0, most - 1).join(', ')} and ${names.length - most + 1} more`;
}

const answersEach = ({ options, sequential }: RunRecord) =>
  `${sequential === undefined ? '' : 'at most '}${countOf(options.samples, 'answer')} each`;

/**
 * What would have been caught, as an inset of a sentence; empty where it is not known. The simulated change is into
 * answers that have nothing in common with the others; a milder one needs a larger share, and the words say so.
 */
function caughtClause(record: RunRecord): string {
  const { mde } = record;
  if (!mde) return '';
  if (mde.share === null) return 'too few to catch a change of any size reliably';
  return mde.share >= 1
    ? 'would have noticed only if all of them had become unrelated'
    : `would have noticed if ${formatPercent(mde.share)} of them had become unrelated`;
}

/** The check as a whole, in one sentence. */
export function headline(record: RunRecord): Headline {
  const make = (state: HeadlineState, rest: string, size = ''): Headline => {
    const word = `${headlineWords[state]}${size === '' ? '' : ` ${size}`}`;
    return { state, word, sentence: `${word}: ${rest}` };
  };
  const usable = record.samples.filter((sample) => sample.outcome !== 'cancelled').length;
  if (record.state === 'failed') {
    return make('failed', record.error?.message ?? 'the run ended before anything could be measured.');
  }
  if (record.kind === 'edit') return headlineOfEdit(record);
  const judged = judgedComparisons(record);
  const moved = judged.filter(({ comparison }) => comparison.verdict === 'changed');
  const undecided = judged.filter(({ comparison }) => comparison.verdict === 'undecided');
  const total = judged.length;
  const changes = total === 1 ? 'harmless change' : 'harmless changes';
  if (record.state === 'cancelled') {
    const why = record.error?.code === 'budgetReached' ? `${record.error.message} ` : '';
    const tested = total - undecided.length;
    const found =
      tested === 0
        ? 'No change was tested yet.'
        : `${tested} of ${total} ${changes} were tested; ${moved.length === 0 ? 'none of them was seen to move' : `${moved.length} of them moved`} the answers.`;
    return make(
      'cancelled',
      `${why}${formatCount(usable)} of ${countOf(record.plan.calls, 'answer')} had arrived and are kept. ${found}`,
    );
  }
  if (total === 0) return make('undecided', 'there was nothing to compare.');
  const model = modelName(record);
  const rest = undecided.length === 0 ? '' : ` ${undecided.length} could not be decided.`;
  if (moved.length > 0) {
    const names = listNames(moved.map(({ perturbation }) => lowerFirst(perturbation.name)));
    return make(
      'wobbles',
      `${moved.length} of ${total} ${changes} moved ${model}’s answers: ${names} (${answersEach(record)}).${rest}`,
      sizeOfAll(moved.map(({ comparison }) => comparison)) ?? '',
    );
  }
  if (record.conclusion.state === 'undecided') {
    if (undecided.length === 0) {
      return make('undecided', record.conclusion.warnings[0] ?? 'the measurement was compromised.');
    }
    const why = undecided[0]?.comparison.undecided?.explanation;
    const others =
      undecided.length === total ? '' : `; none of the others was seen to move ${model}’s answers`;
    const reason = why ? ` (${withoutStop(why)})` : '';
    return make(
      'undecided',
      `${undecided.length} of ${total} ${changes} could not be judged${reason}${others}.`,
    );
  }
  const caught = caughtClause(record);
  return make(
    'steady',
    `none of ${total} ${changes} was seen to move ${model}’s answers (${answersEach(record)}${caught === '' ? '' : `; ${caught}`}).${rest}`,
  );
}

/** Stands at the top of every report and export whose figures are not what was planned; null where they are. */
export function cautionSentence(record: RunRecord): string | null {
  const arrived = `${formatCount(record.samples.length)} of ${countOf(record.plan.calls, 'planned answer')}`;
  if (record.state === 'cancelled') {
    return `This run was stopped early: every figure is of ${arrived}.`;
  }
  if (record.state === 'failed') return `This run broke off: every figure is of ${arrived}.`;
  const compromised = record.comparisons.filter(
    ({ undecided }) => undecided?.reason === 'compromised',
  ).length;
  if (compromised === 0) return null;
  return `The measurement was compromised: too many answers failed for ${compromised === record.comparisons.length ? 'every change' : `${compromised} of ${countOf(record.comparisons.length, 'change')}`}, and nothing is claimed there.`;
}

/** One run held against another: how many verdicts are others, in words that claim no test between the two. */
export function againstSentence(
  now: RunRecord,
  before: RunRecord,
  rows: readonly { now: unknown; before: unknown; flipped: boolean }[],
): string {
  const both = rows.filter((row) => row.now !== null && row.before !== null);
  const flipped = both.filter((row) => row.flipped).length;
  const only = rows.length - both.length;
  const verdicts =
    both.length === 0
      ? 'no change of the prompt was tried in both'
      : flipped === 0
        ? `all ${both.length} changes that both tried moved, or did not move, the answers alike`
        : `${flipped} of ${both.length} changes that both tried moved the answers in one run only`;
  const rest = only === 0 ? '' : ` ${countOf(only, 'change')} stood in one run only.`;
  return `Against run ${before.id} (${headlineWords[headline(before).state].toLowerCase()}; this one ${headlineWords[headline(now).state].toLowerCase()}): ${verdicts}.${rest} The two runs are not tested against each other; compare the intervals.`;
}

function headlineOfEdit(record: RunRecord): Headline {
  const words = { model: modelName(record), caught: caughtClause(record) };
  const { state, word, rest } = editHeadline(record, record.comparisons[0], words);
  const stopped = record.state === 'cancelled';
  const shown = stopped ? headlineWords.cancelled : word;
  return { state: stopped ? 'cancelled' : state, word: shown, sentence: `${shown}: ${rest}` };
}

/** Comparisons that count for the verdict: those of changes that should not matter. */
function judgedComparisons(record: RunRecord): { comparison: Comparison; perturbation: Perturbation }[] {
  return record.comparisons.flatMap((comparison) => {
    const perturbation = record.perturbations.find(({ id }) => id === comparison.perturbationId);
    return perturbation?.expectation === 'irrelevant' ? [{ comparison, perturbation }] : [];
  });
}

const withoutStop = (text: string) => text.replace(/\.$/, '');

/** One comparison: model, n, effect with interval, adjusted p, and what would have been caught. */
export function comparisonSentence(
  comparison: Comparison,
  perturbation: Perturbation,
  record: RunRecord,
): string {
  const { name } = perturbation;
  const model = modelName(record);
  if (comparison.verdict === 'undecided') {
    return `${name}: undecided. ${comparison.undecided?.explanation ?? 'Too little could be measured.'}`;
  }
  if (comparison.deterministic) {
    const claim =
      comparison.adjustedP === null
        ? 'No p-value is claimed where answers do not vary; add cases instead of samples.'
        : `${formatPClause('Adjusted p', comparison.adjustedP)}.`;
    return `${name} changed ${model}’s answer: all ${comparison.n0} answers to the prompt are alike, all ${comparison.n1} to the changed prompt are alike, and the two differ. ${claim}`;
  }
  const figures = figuresClause(comparison);
  const expected = perturbation.expectation === 'meaningful';
  switch (comparison.verdict) {
    case 'changed':
      return `${name} moved ${model}’s answers${sizeClause(comparison)}${expected ? ', as it should' : ''}: ${figures}.${openSizeClause(comparison)}`;
    case 'changedWithinRewordingNoise':
      return `${name} moved ${model}’s answers, but no further than harmless rewordings do: ${figures}.`;
    case 'equivalent':
      return `${name} left ${model}’s answers the same for practical purposes; the whole interval lies inside the margin: ${figures}.`;
    case 'noChangeDetected':
      return `${name}: no change detected in ${model}’s answers${expected ? ', although one was expected' : ''}; ${figures}. ${mdeSentence(record)}${fewerClause(comparison)}`;
  }
}

const sizeClause = (comparison: Comparison) => {
  const size = sizeOf(comparison);
  return size === null ? '' : ` ${size}`;
};

/** The verdict rests on the whole family, the interval on one measure: they may disagree, and readers ask why. */
function openSizeClause({ effect, members }: Comparison): string {
  if (effect === null || effect.interval.low > 0) return '';
  const clearest = members.reduce((best, member) => (member.z > best.z ? member : best), members[0]!);
  return ` That they moved is clear, how far is not (the interval reaches 0); it shows best in: ${memberName(clearest.id)}.`;
}

/** The simulation gives both arms as many answers as the baseline has. */
const fewerClause = ({ n0, n1 }: Comparison) =>
  n1 < n0
    ? ` That holds for ${countOf(n0, 'answer')} in both arms; with ${n1} it takes a larger change.`
    : '';

function figuresClause(comparison: Comparison): string {
  const parts = [
    comparison.effect ? `effect ${formatEffect(comparison.effect)}` : '',
    comparison.adjustedP === null ? '' : formatPClause('adjusted p', comparison.adjustedP),
    `${comparison.n0} against ${countOf(comparison.n1, 'answer')}`,
  ];
  return parts.filter((part) => part !== '').join(', ');
}

/** What this check would have caught. */
export function mdeSentence(record: RunRecord): string {
  const { mde } = record;
  if (!mde) return 'How small a change would have been noticed was not computed.';
  const power = `${formatPercent(mde.power)} power`;
  if (mde.share === null) {
    return `With so few answers, no change of any size would have been noticed with ${power}.`;
  }
  return `Had ${formatPercent(mde.share)} of the answers become unrelated to the others, it would have been noticed with ${power}; a milder change takes more of them.`;
}

/** What the check that is planned could catch at best. */
export function detectableSentence({ detectableAtBest }: RunRecord['plan']): string {
  if (detectableAtBest === undefined || detectableAtBest === null)
    return 'So few answers cannot show a change of any size reliably.';
  return `Where answers never vary by themselves, a change of about ${formatPercent(detectableAtBest)} of them would be noticed with 80% power; where they do, it takes more.`;
}

/** What the noise floor is. */
export function noiseFloorSentence(floor: NoiseFloor): string {
  const how =
    floor.source === 'halfSplits'
      ? `${countOf(floor.draws, 'random split')} of the unchanged prompt’s answers`
      : 'a second sample of the unchanged prompt';
  return `With nothing changed, 95% of effects are at most ${formatNumber(floor.q95)} (median ${formatNumber(floor.median)}; ${how}).`;
}

/** How many of the statistics find the change on their own; corrected over the family, not over the changes. */
export function agreementSentence(comparison: Comparison): string {
  const speaking = comparison.members.filter((member) => member.dropped === null).length;
  if (speaking === 0) return 'No statistic could be computed.';
  return `${comparison.membersAgreeing} of ${countOf(speaking, 'statistic')} ${comparison.membersAgreeing === 1 ? 'finds' : 'find'} a change on ${comparison.membersAgreeing === 1 ? 'its' : 'their'} own, before the correction over all changes.`;
}

/** How the p-value came about, and the smallest that it could have been. */
export function permutationSentence(comparison: Comparison, { sequential }: Partial<RunRecord> = {}): string {
  if (comparison.p === null) return 'No permutation test was made.';
  if (comparison.deterministic) {
    return `${formatPClause('p', comparison.p)}: the share of splits that part the answers as cleanly.`;
  }
  const how = comparison.exact
    ? `all ${formatCount(comparison.permutations)} splits`
    : countOf(comparison.permutations, 'random permutation');
  const floor =
    comparison.pFloor === null ? '' : `; it cannot be smaller than ${formatFloor(comparison.pFloor)}`;
  const made = sequential?.looks.filter(({ tests }) =>
    tests.some(({ perturbationId }) => perturbationId === comparison.perturbationId),
  ).length;
  const looked =
    made === undefined ? '' : `, adjusted for ${countOf(made, 'look')} of ${sequential!.sizes.length}`;
  return `${formatPClause('p', comparison.p)} from ${how}${looked}${floor}.`;
}

const formatFloor = (floor: number) =>
  floor < 0.001 ? String(Number(floor.toPrecision(1))) : formatP(floor);

export const kindWords: Record<Perturbation['kind'], string> = {
  surface: 'surface',
  rewording: 'rewording',
  mistake: 'mistake',
  persona: 'persona',
  length: 'length',
  cot: 'reasoning',
  custom: 'your own',
  edit: 'edit',
  model: 'model swap',
};

export const expectationWords: Record<Perturbation['expectation'], string> = {
  irrelevant: 'should not matter',
  meaningful: 'should matter',
};

/** `0 negligible (by construction)`, `not rated`. */
export function strengthText({ strength }: Perturbation): string {
  const level = strength.level === null ? undefined : strengthWords[strength.level];
  if (level === undefined) return 'not rated';
  return `${strength.level} ${level} (${strengthSources[strength.source]})`;
}

const strengthWords = ['negligible', 'weak', 'moderate', 'strong'];
const strengthSources: Record<Perturbation['strength']['source'], string> = {
  byConstruction: 'by construction',
  judge: 'judged by a model',
  user: 'rated by you',
  unrated: 'not rated',
};

/** Kernel widths as multiples of the median distance, as the ids spell them. */
const widths: Record<string, string> = { '0.25': '¼', '0.5': '½' };

/** `minilm/jsd` → `JS distance (minilm)`; an id that is not known is its own name. */
export function memberName(id: string): string {
  const slash = id.lastIndexOf('/');
  const statistic = id.slice(slash + 1);
  const embedder = slash < 0 ? '' : ` (${id.slice(0, slash)})`;
  const width = /^mmd(\d+(?:\.\d+)?)$/.exec(statistic)?.[1];
  if (width !== undefined) return `MMD, width ${widths[width] ?? width}${embedder}`;
  const names: Record<string, string> = {
    jsd: 'JS distance',
    energy: 'Energy distance',
    label: 'Extracted answers',
    string: 'Letter by letter',
    'published-jsd': 'JS distance, as published',
    'published-energy-cosine': 'Energy distance with 1 − cosine, as published',
    'published-energy-euclidean': 'Euclidean energy distance, as published',
    'published-energy-l1': 'L1 energy distance, as published',
  };
  return `${names[statistic] ?? statistic}${embedder}`;
}
