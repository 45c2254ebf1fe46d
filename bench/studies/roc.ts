/** DBPA (arXiv 2506.07947), section 4.2 and table 3: does the test find what should matter, and spare what should not? */
import path from 'node:path';
import { formatInterval, formatNumber, formatPercent } from '../../src/report/format';
import { differenceTest } from '../../src/stats/differenceTest';
import { publishedTest } from '../../src/stats/publishedTest';
import { createRng } from '../../src/stats/rng';
import { auc, rocBootstrap, rocCurve, tprAtFprStep } from '../../src/stats/roc';
import { createEmbedder } from '../../src/workers/embedder';
import { answersOf } from './ask';
import { changesOf, describePatient, drawPatient } from './patients';
import { seedsFor, table, type Study, type StudyResult } from './study';

const root = path.resolve(import.meta.dirname, '..', '..');
const FALSE_ALARMS = [0.01, 0.02, 0.05, 0.1, 0.2];
const TESTS = ['published', 'omnibus'] as const;

interface Item {
  model: string;
  patient: number;
  change: string;
  meaningful: boolean;
  published: number;
  omnibus: number;
}

interface RocResult extends StudyResult {
  samples: number;
  answerTokens: number;
  items: Item[];
}

export const roc: Study<RocResult> = {
  name: 'roc',
  async run({ quick, models, seeds, openModel, say }) {
    const startedMs = Date.now();
    const samples = quick ? 6 : 12;
    const answerTokens = 24;
    const own = quick ? 1 : 6;
    const encoder = createEmbedder({
      workerPath: path.join(root, 'dist', 'embedWorker.cjs'),
      modelDir: path.join(root, 'media', 'models'),
      ortDir: path.join(root, 'dist', 'ort'),
    });
    const items: Item[] = [];
    const identities: StudyResult['models'] = [];
    try {
      for (const [m, id] of models.entries()) {
        const model = await openModel(id);
        try {
          identities.push({ id, digest: (await model.open(new AbortController().signal)).digest });
          for (const number of seedsFor(seeds, m, own)) {
            const rng = createRng(number, 'patients');
            const patient = drawPatient(rng);
            const answers = (name: string, prompt: string) =>
              answersOf(model, { prompt, name, seed: number, samples }, answerTokens);
            const baseline = await answers('baseline', describePatient(patient));
            for (const { id: change, meaningful, patient: changed } of changesOf(patient, rng)) {
              const pooled = [...baseline, ...(await answers(change, describePatient(changed)))];
              const [n0, n1] = [baseline.length, pooled.length - baseline.length];
              const { dim, vectors } = await encoder.embed(pooled, { signal: new AbortController().signal });
              const published = publishedTest({
                n0,
                n1,
                dim,
                vectors,
                statistic: 'published-jsd',
                seed: number,
              });
              const omnibus = differenceTest({
                n0,
                n1,
                embeddings: [{ embedder: 'minilm', dim, vectors }],
                strings: pooled,
                permutations: 1_999,
                bins: 30,
                bootstrapDraws: 0,
                confidence: 0.95,
                seed: number,
              });
              items.push({
                model: id,
                patient: number,
                change,
                meaningful,
                published: published.p,
                omnibus: omnibus.p ?? 1,
              });
            }
            say(`${id}, patient ${number}`);
          }
        } finally {
          await model.close();
        }
      }
    } finally {
      await encoder.close();
    }
    const counts = models.map((_, m) => seedsFor(seeds, m, own).length);
    return {
      study: 'roc',
      quick,
      command: `npm run study -- roc --models ${models.join(',')} --seeds ${counts.join(',')}${quick ? ' --quick' : ''}`,
      models: identities,
      seconds: (Date.now() - startedMs) / 1000,
      samples,
      answerTokens,
      items,
    };
  },
  report: reportOf,
};

function reportOf({ items, models, samples, answerTokens, command, seconds }: RocResult): string {
  const rows = models.flatMap(({ id }) =>
    TESTS.map((test) => {
      const own = items.filter(({ model }) => model === id);
      const labels = own.map(({ meaningful }) => Number(meaningful));
      const scores = own.map((item) => 1 - item[test]);
      const curve = rocCurve(labels, scores);
      const { percentile } = rocBootstrap(labels, scores, auc, { draws: 2_000, rng: createRng(1, 'roc') });
      return [
        id,
        test === 'published' ? 'published, jsd' : 'omnibus',
        `${formatNumber(auc(labels, scores))}${percentile === null ? '' : ` (${formatInterval(percentile)})`}`,
        ...FALSE_ALARMS.map((rate) => formatNumber(tprAtFprStep(curve, rate))),
      ];
    }),
  );
  const changes = [...new Set(items.map(({ change }) => change))];
  const patients = models.map(
    ({ id }) => new Set(items.filter(({ model }) => model === id).map(({ patient }) => patient)).size,
  );
  const controls = items.filter(({ meaningful }) => !meaningful).length;
  return `# ROC: what should matter against what should not

**Question.** Does the test tell changes of a patient that should alter the advice from changes that should not (DBPA, table 3)?

**Design.** The paper's patient set made anew by a seeded generator (\`bench/studies/patients.ts\`): five controls (name; age, systolic, diastolic
and cholesterol within a risk band) and five targets (diabetes, smoking; age, cholesterol and systolic in another band) per patient.
Patients: ${models.map(({ id }, m) => `${patients[m]} for \`${id}\``).join(', ')}. ${samples} answers per arm, at most ${answerTokens} tokens, temperature 1; embedder: the shipped encoder. Published: jsd, B = 1,000.
Omnibus: jsd, energy, five MMDs and exact text. Score: 1 − p. Intervals: bootstrap over changes, each class within itself.

${table(['model', 'test', 'AUC (95% CI)', ...FALSE_ALARMS.map((rate) => `hits at ${formatPercent(rate)}`)], rows)}

With ${controls} controls in all, the lower rates of false alarms mean "none": a step curve cannot say more.

Rejected at p ≤ .05, by change:

${table(
  ['change', 'should matter', 'published, jsd', 'omnibus'],
  changes.map((change) => {
    const own = items.filter((item) => item.change === change);
    const of = (test: (typeof TESTS)[number]) =>
      `${own.filter((item) => item[test] <= 0.05).length} of ${own.length}`;
    return [change, own[0]!.meaningful ? 'yes' : 'no', of('published'), of('omnibus')];
  }),
)}

## What it cannot show

Small models hardly know the bands; a low AUC here says that the model does not answer otherwise, not that the test misses it. The paper's models
were not asked, so its table is not reproduced number by number. Changes of one patient share a baseline, so the intervals are too narrow.

**Command.** \`${command}\`; ${Math.round(seconds)} s of wall time in its last run on a shared machine.
`;
}
