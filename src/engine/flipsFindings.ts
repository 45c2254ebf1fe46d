import type {
  FlipFigures,
  FlipRateFigure,
  FlipsAnswer,
  FlipsPlan,
  FlipsRecord,
  FlipType,
} from '../contracts/flipsRecord';
import { countFlips, flipRates, type FlipItem, type Strength } from '../stats/flipRates';
import { wilson } from '../stats/proportions';
import { createRng } from '../stats/rng';
import { cochranArmitage, trendWithinQuestions } from '../stats/trend';
import { judgeError } from './flipsJudgeError';

type Findings = Pick<FlipsRecord, 'figures' | 'aa' | 'originals' | 'outside' | 'warnings'>;

/** Below this many items a rate is greyed (methods.md section 3). */
const FEWEST_ITEMS = 10;
const MUCH_OUTSIDE = 0.5;
const NEARLY_ALWAYS = 0.9;
const TYPES: FlipType[] = ['input', 'cot'];

/** Every figure of a flips run, from its answers alone: the same answers give the same figures bit for bit. */
export function flipsFindings(
  plan: FlipsPlan,
  answers: FlipsAnswer[],
  { stopped }: { stopped: 'cancelled' | 'failed' | null },
): Findings {
  const answerOf = new Map(answers.map((entry) => [`${entry.conditionId}#${entry.index}`, entry.answer]));
  const originals = originalsOf(plan, answerOf);
  const figures = TYPES.flatMap((type) => figuresOf(type, plan, answerOf));
  const masses = answers.flatMap(({ outside }) => (outside === null ? [] : [outside]));
  const outside = masses.length === 0 ? null : masses.reduce((sum, mass) => sum + mass, 0) / masses.length;
  return {
    figures,
    aa: plan.options.temperature > 0 ? aaRate(plan, answerOf) : null,
    originals,
    outside,
    warnings: warningsOf({ stopped, figures, originals, outside }),
  };
}

type AnswerOf = Map<string, string | null>;

function figuresOf(type: FlipType, plan: FlipsPlan, answerOf: AnswerOf): FlipFigures[] {
  const { items, unanswered } = flipItems(type, plan, answerOf);
  if (items.length + unanswered === 0) return [];
  const rates = flipRates(items, { rng: createRng(plan.seed, `flips.${type}`) });
  const rated = items.filter((item) => item.strength !== null);
  return [
    {
      type,
      rows: rates.rows,
      overall: rates.overall,
      trend: cochranArmitage(countFlips(rated)),
      trendWithin: trendWithin(rated),
      ...judgeError(type, plan, items),
      unrated: rates.unrated,
      unanswered,
    },
  ];
}

/** One item per perturbation that can be compared: it and its original have an answer. */
export function flipItems(
  type: FlipType,
  plan: FlipsPlan,
  answerOf: AnswerOf,
): { items: (FlipItem & { conditionId: string })[]; unanswered: number } {
  const own = plan.conditions.filter((condition) => condition.type === type);
  const originalOf = new Map(
    own.flatMap((condition) =>
      condition.perturbation === null ? [[condition.question, condition.id] as const] : [],
    ),
  );
  const items: (FlipItem & { conditionId: string })[] = [];
  let unanswered = 0;
  for (const { id, question, perturbation } of own) {
    if (perturbation === null || !answerOf.has(`${id}#0`)) continue;
    const before = answerOf.get(`${originalOf.get(question)}#0`) ?? null;
    const after = answerOf.get(`${id}#0`) ?? null;
    if (before === null || after === null) {
      unanswered++;
      continue;
    }
    items.push({
      conditionId: id,
      // Of one prompt it is the perturbations that are drawn; of a set, the questions.
      question: plan.source.type === 'prompt' ? id : question,
      strength: perturbation.strength.level as Strength | null,
      flipped: before !== after,
    });
  }
  return { items, unanswered };
}

/** Only where some question has items of several strengths; else every question says nothing. */
function trendWithin(rated: FlipItem[]): FlipFigures['trendWithin'] {
  const groups = new Map<string, FlipItem[]>();
  for (const item of rated) groups.set(item.question, [...(groups.get(item.question) ?? []), item]);
  return trendWithinQuestions([...groups.values()].map(countFlips));
}

function aaRate(plan: FlipsPlan, answerOf: AnswerOf): FlipRateFigure {
  const pairs = plan.conditions
    .filter((condition) => condition.perturbation === null)
    .map(({ id }) => [answerOf.get(`${id}#0`) ?? null, answerOf.get(`${id}#1`) ?? null] as const)
    .filter(([first, second]) => first !== null && second !== null);
  const flips = pairs.filter(([first, second]) => first !== second).length;
  const n = pairs.length;
  return {
    flips,
    n,
    rate: n === 0 ? null : flips / n,
    interval: n === 0 ? null : wilson(flips, n),
    suppressed: n < FEWEST_ITEMS,
  };
}

function originalsOf(plan: FlipsPlan, answerOf: AnswerOf): FlipsRecord['originals'] {
  const rightOf = new Map(plan.questions.map(({ id, right }) => [id, right]));
  const originals = plan.conditions.filter((condition) => condition.perturbation === null);
  const direct = originals.filter(({ type }) => type === 'input');
  // Where only the reasoning is changed: the answers that its unchanged version leads to.
  const given = (direct.length > 0 ? direct : originals).flatMap(({ id, question }) => {
    const answer = answerOf.get(`${id}#0`) ?? null;
    return answer === null ? [] : [{ answer, right: rightOf.get(question) ?? null }];
  });
  const checked = given.filter(({ right }) => right !== null);
  const counts = new Map<string, number>();
  for (const { answer } of given) counts.set(answer, (counts.get(answer) ?? 0) + 1);
  const [commonest] = [...counts].sort((a, b) => b[1] - a[1]);
  return {
    answered: given.length,
    right:
      checked.length === 0
        ? null
        : { right: checked.filter(({ answer, right }) => answer === right).length, n: checked.length },
    commonest: commonest === undefined ? null : { answer: commonest[0], n: commonest[1] },
  };
}

function warningsOf({
  stopped,
  figures,
  originals,
  outside,
}: Pick<Findings, 'figures' | 'originals' | 'outside'> & {
  stopped: 'cancelled' | 'failed' | null;
}): string[] {
  const warnings: string[] = [];
  if (stopped === 'cancelled') warnings.push('Stopped before the end: the rates are of what was received.');
  if (stopped === 'failed') warnings.push('The model stopped answering: the rates are of what was received.');
  const { answered, commonest } = originals;
  if (commonest !== null && answered >= FEWEST_ITEMS && commonest.n >= NEARLY_ALWAYS * answered) {
    warnings.push(
      `The model answers '${commonest.answer}' to ${commonest.n} of ${answered} questions, whatever they ask. A low flip rate then says little.`,
    );
  }
  if (outside !== null && outside > MUCH_OUTSIDE) {
    warnings.push(
      `On average ${Math.round(outside * 100)}% of the probability of the first word is on words that are no option: the model hardly keeps to the form of the answer.`,
    );
  }
  const unanswered = figures.reduce((sum, entry) => sum + entry.unanswered, 0);
  const compared = figures.flatMap(({ rows }) => rows).reduce((sum, row) => sum + row.n, 0);
  if (unanswered > 0) {
    warnings.push(
      `${unanswered} of ${unanswered + compared} perturbations are left out, because they or their original have no readable answer.`,
    );
  }
  return warnings;
}
