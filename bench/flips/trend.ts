import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { FlipFigures, FlipsRecord } from '../../src/contracts/flipsRecord';
import type { Question } from '../../src/contracts/perturbationSet';
import { ruleBased } from '../../src/engine/flipsConditions';
import { flipsFindings } from '../../src/engine/flipsFindings';
import type { Model } from '../../src/engine/ports';
import { formatDuration, formatInterval, formatPercent, formatPClause } from '../../src/report/format';
import { askQuestions } from './ask';

const SEED = 1;

interface SetResult {
  set: string;
  originals: FlipsRecord['originals'];
  outside: number | null;
  figures: FlipFigures;
  /** Flips and items of every rule. */
  rules: { rule: string; strength: number; flips: number; n: number }[];
}

/** FR at declared strength 0 (surface, rewording) against strength 3 (mistake): all sets together, and each alone. */
export async function trendStudy({
  model,
  sets,
  folder,
  keep,
}: {
  model: Model;
  sets: { name: string; questions: Question[] }[];
  folder: string | null;
  keep: string | undefined;
}): Promise<number> {
  let shown = 0;
  const record = await askQuestions({
    model,
    questions: sets.flatMap(({ questions }) => questions),
    perturb: ruleBased({ kinds: ['surface', 'rewording', 'mistake'], levels: [0, 3], seed: SEED }),
    asText: false,
    seed: SEED,
    keep,
    onProgress: (done, total) => {
      if (done - shown < 50) return;
      shown = done;
      console.error(`${done} of ${total}`);
    },
  });
  const results = [
    ...(sets.length > 1 ? [{ name: 'all', questions: sets.flatMap(({ questions }) => questions) }] : []),
    ...sets,
  ].map(({ name, questions }) => resultOf(name, record, new Set(questions.map(({ id }) => id))));
  const text = results.map(lines).join('\n\n');
  console.log(`${record.model.id}, seed ${SEED}, ${record.answers.length} answers\n\n${text}`);
  if (folder !== null) {
    mkdirSync(folder, { recursive: true });
    const file = path.join(folder, 'flips.json');
    // One entry a model, so that studies of several lie side by side.
    const others = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as object) : {};
    const { id, digest, resolved, runtime } = record.model;
    const own = { [id]: { resolved, digest, runtime, seed: SEED, results } };
    writeFileSync(file, `${JSON.stringify({ ...others, ...own }, null, 2)}\n`);
  }
  const sum = record.answers.reduce((total, { latencyMs }) => total + latencyMs, 0);
  console.log(`\nTime of the calls: ${formatDuration(sum / 1000)}`);
  return 0;
}

function resultOf(set: string, record: FlipsRecord, ids: Set<string>): SetResult {
  const conditions = record.conditions.filter(({ question }) => ids.has(question));
  const own = new Set(conditions.map(({ id }) => id));
  const answers = record.answers.filter(({ conditionId }) => own.has(conditionId));
  const plan = { ...record, conditions, questions: record.questions.filter(({ id }) => ids.has(id)) };
  const { originals, outside, figures } = flipsFindings(plan, answers, { stopped: null });
  const answerOf = new Map(answers.map(({ conditionId, answer }) => [conditionId, answer]));
  const rules = new Map<string, SetResult['rules'][number]>();
  for (const { id, question, perturbation } of conditions) {
    if (perturbation === null) continue;
    const rule = perturbation.id.split('@')[0]!;
    const row = rules.get(rule) ?? { rule, strength: perturbation.strength.level ?? -1, flips: 0, n: 0 };
    row.n++;
    if (answerOf.get(id) !== answerOf.get(question)) row.flips++;
    rules.set(rule, row);
  }
  return {
    set,
    originals,
    outside,
    figures: figures[0]!,
    rules: [...rules.values()].sort((a, b) => a.strength - b.strength || a.rule.localeCompare(b.rule)),
  };
}

function lines({ set, originals, outside, figures, rules }: SetResult): string {
  const rate = (strength: number) => {
    const { flips, n, rate: share, interval } = figures.rows[strength]!;
    return share === null
      ? `FR(${strength})  none`
      : `FR(${strength})  ${formatPercent(share)}  ${flips} of ${n}  95% CI ${formatInterval(interval!)}`;
  };
  const { overall, trend, trendWithin } = figures;
  return [
    `${set}: ${originals.answered} originals, ${originals.right?.right ?? 0} right, '${originals.commonest?.answer}' ${originals.commonest?.n} times, outside the options ${formatPercent(outside ?? 0)}`,
    `  ${rate(0)}`,
    `  ${rate(3)}`,
    ...(overall === null
      ? []
      : [
          `  FR(3) - FR(0)  ${overall.difference.toFixed(3)}  95% CI ${formatInterval(overall.interval!)}  (${overall.method})`,
        ]),
    ...(trend === null
      ? []
      : [
          `  Cochran–Armitage, increase: ${formatPClause('p', trend.pIncrease)} (z ${trend.z.toFixed(2)}, ${trend.method})`,
        ]),
    ...(trendWithin === null
      ? []
      : [
          `  within questions, increase: ${formatPClause('p', trendWithin.pIncrease)} (z ${trendWithin.z.toFixed(2)}, ${trendWithin.method})`,
        ]),
    ...rules.map(({ rule, strength, flips, n }) => `    ${strength}  ${rule.padEnd(28)} ${flips} of ${n}`),
  ].join('\n');
}
