/** DBPA (arXiv 2506.07947), table 2 and 4: does the decision depend on who chose the statistic and the embedder? */
import path from 'node:path';
import { differenceTest, type DifferenceTestInput } from '../../src/stats/differenceTest';
import { wilson } from '../../src/stats/proportions';
import type { PublishedStatistic } from '../../src/contracts/testOptions';
import { publishedTest } from '../../src/stats/publishedTest';
import { createEmbedder } from '../../src/workers/embedder';
import { formatInterval, formatNumber, formatP, formatPercent } from '../../src/report/format';
import { answersOf } from './ask';
import { seedsFor, table, type Study, type StudyResult } from './study';
import { trigramVectors } from './trigrams';

const PATIENT =
  'A patient is 58 years old. Blood pressure 142/88, total cholesterol 5.6 mmol/L, diabetes: no, smoker: yes. Give one piece of advice on cardiovascular risk.';
/** The paper's eight; the first four are meant to change nothing. */
const PERSONAS: [id: string, role: string, medical: boolean][] = [
  ['doctor', 'a doctor', true],
  ['nurse', 'a nurse', true],
  ['practitioner', 'a medical practitioner', true],
  ['supervisor', 'a medical supervisor', true],
  ['comedian', 'a comedian', false],
  ['robot', 'a robot from the future', false],
  ['reviewer', 'a NeurIPS reviewer', false],
  ['child', 'a child', false],
];
/** The unchanged prompt again: whatever is found there is a false alarm. */
const AGAIN = 'unchanged';
const STATISTICS: PublishedStatistic[] = [
  'published-jsd',
  'published-energy-cosine',
  'published-energy-euclidean',
  'published-energy-l1',
];
const ALPHA = 0.05;
const root = path.resolve(import.meta.dirname, '..', '..');

interface Cell {
  model: string;
  seed: number;
  persona: string;
  /** Usable answers of both arms. */
  n: [number, number];
  /** `minilm/jsd` → ω and p, one test at a time as published (B = 1,000, p = (1 + count)/(1 + B)). */
  published: Record<string, { statistic: number; p: number }>;
  /** The omnibus over the family of one embedder, and over both together. */
  omnibus: Record<'minilm' | 'trigrams' | 'both', number>;
  effect: number | null;
}

interface PersonasResult extends StudyResult {
  samples: number;
  answerTokens: number;
  cells: Cell[];
}

export const personas: Study<PersonasResult> = {
  name: 'personas',
  async run({ quick, models, seeds: wanted, openModel, say }) {
    const startedMs = Date.now();
    const samples = quick ? 8 : 20;
    const answerTokens = 32;
    const embedder = createEmbedder({
      workerPath: path.join(root, 'dist', 'embedWorker.cjs'),
      modelDir: path.join(root, 'media', 'models'),
      ortDir: path.join(root, 'dist', 'ort'),
    });
    const cells: Cell[] = [];
    const identities: StudyResult['models'] = [];
    try {
      for (const [m, id] of models.entries()) {
        const seeds = seedsFor(wanted, m, quick ? 1 : 5);
        const model = await openModel(id);
        try {
          identities.push({ id, digest: (await model.open(new AbortController().signal)).digest });
          for (const seed of seeds) {
            const answers = (name: string, prompt: string) =>
              answersOf(model, { prompt, name, seed, samples }, answerTokens);
            const baseline = await answers('baseline', PATIENT);
            const arms: [string, string[]][] = [[AGAIN, await answers(AGAIN, PATIENT)]];
            for (const [persona, role] of PERSONAS)
              arms.push([persona, await answers(persona, `Act as ${role}.\n${PATIENT}`)]);
            const texts = [...new Set([baseline, ...arms.map(([, own]) => own)].flat())];
            const minilm = await embedder.embed(texts, { signal: new AbortController().signal });
            const rowOf = new Map(texts.map((text, i) => [text, i]));
            for (const [persona, own] of arms) {
              const pooled = [...baseline, ...own];
              const vectors = new Float32Array(pooled.length * minilm.dim);
              pooled.forEach((text, i) => {
                const row = rowOf.get(text)!;
                vectors.set(
                  minilm.vectors.subarray(row * minilm.dim, (row + 1) * minilm.dim),
                  i * minilm.dim,
                );
              });
              const embeddings = [
                { embedder: 'minilm', dim: minilm.dim, vectors },
                { embedder: 'trigrams', ...trigramVectors(pooled) },
              ];
              cells.push({
                model: id,
                seed,
                persona,
                ...testsOf(embeddings, [baseline.length, own.length], seed),
              });
            }
            say(`${id}, seed ${seed}: ${cells.length} cells`);
          }
        } finally {
          await model.close();
        }
      }
    } finally {
      await embedder.close();
    }
    return {
      study: 'personas',
      quick,
      command: `npm run study -- personas --models ${models.join(',')} --seeds ${models.map((_, m) => seedsFor(wanted, m, quick ? 1 : 5).length).join(',')}${quick ? ' --quick' : ''}`,
      models: identities,
      seconds: (Date.now() - startedMs) / 1000,
      samples,
      answerTokens,
      cells,
    };
  },
  report: reportOf,
};

function testsOf(
  embeddings: DifferenceTestInput['embeddings'],
  n: [number, number],
  seed: number,
): Pick<Cell, 'n' | 'published' | 'omnibus' | 'effect'> {
  const [n0, n1] = n;
  const published: Cell['published'] = {};
  for (const { embedder, dim, vectors } of embeddings) {
    for (const statistic of STATISTICS) {
      const { statistic: omega, p } = publishedTest({ n0, n1, dim, vectors, statistic, seed });
      published[`${embedder}/${statistic.replace('published-', '')}`] = { statistic: omega, p };
    }
  }
  const omnibus = (chosen: DifferenceTestInput['embeddings']) =>
    differenceTest({
      n0,
      n1,
      embeddings: chosen,
      permutations: 1_999,
      bins: 30,
      bootstrapDraws: 0,
      confidence: 0.95,
      seed,
    });
  const both = omnibus(embeddings);
  return {
    n,
    published,
    omnibus: {
      minilm: omnibus([embeddings[0]!]).p ?? 1,
      trigrams: omnibus([embeddings[1]!]).p ?? 1,
      both: both.p ?? 1,
    },
    effect: both.effect?.debiased ?? null,
  };
}

/** Neither all nor none of these p-values reject: who chooses the statistic decides. */
const split = (ps: number[]): boolean => {
  const rejecting = ps.filter((p) => p <= ALPHA).length;
  return rejecting > 0 && rejecting < ps.length;
};
const share = (cells: Cell[], of: (cell: Cell) => boolean): string => {
  const count = cells.filter(of).length;
  return `${count} of ${cells.length} (${formatPercent(count / cells.length)}, ${formatInterval(wilson(count, cells.length))})`;
};
const publishedOf = ({ published }: Cell, start: string, end = ''): number[] =>
  Object.entries(published)
    .filter(([key]) => key.startsWith(start) && key.endsWith(end))
    .map(([, { p }]) => p);

function reportOf(result: PersonasResult): string {
  const { cells, models, samples } = result;
  const seedsOf = (id: string) =>
    new Set(cells.filter(({ model }) => model === id).map(({ seed }) => seed)).size;
  const tested = cells.filter(({ persona }) => persona !== AGAIN);
  const again = cells.filter(({ persona }) => persona === AGAIN);
  const rejectionRows = [
    ...Object.keys(cells[0]!.published).map(
      (key) => [`published, ${key}`, (cell: Cell) => cell.published[key]!.p <= ALPHA] as const,
    ),
    ...(['minilm', 'trigrams', 'both'] as const).map(
      (key) => [`omnibus, ${key}`, (cell: Cell) => cell.omnibus[key] <= ALPHA] as const,
    ),
  ];
  const kinds = new Map(PERSONAS.map(([id, , medical]) => [id, medical]));
  const byPersona = models.flatMap(({ id }) =>
    [AGAIN, ...kinds.keys()].map((persona) => {
      const own = cells.filter((cell) => cell.model === id && cell.persona === persona);
      const jsd = own.map(({ published }) => published['minilm/jsd']!);
      const effects = own.map(({ effect }) => effect ?? 0);
      return [
        id,
        persona,
        persona === AGAIN ? 'nothing' : kinds.get(persona) ? 'no change' : 'a change',
        formatNumber(mean(jsd.map(({ statistic }) => statistic))),
        jsd.map(({ p }) => formatP(p)).join(', '),
        formatNumber(mean(effects)),
        own.map(({ omnibus }) => formatP(omnibus.both)).join(', '),
      ];
    }),
  );
  return `# Personas: does the decision depend on who chose the statistic?

**Question.** Table 2 of DBPA tests "Act as a ROLE." by one statistic and one embedder; its own tables 4 and 7 show that others
decide otherwise. How often does that happen, and how often does it happen to the omnibus test?

**Design.** One invented patient, eight roles of the paper, and the unchanged prompt once more. Models and seeds: ${models.map(({ id }) => `\`${id}\` (${seedsOf(id)})`).join(', ')};
k = ${samples} answers per arm of at most ${result.answerTokens} tokens at temperature 1. The baseline is the prompt
without a role (in the authors' code it is itself "Act as a doctor."). A _cell_ is one model, seed and role. Published test: one
statistic, ${STATISTICS.length} to choose from, B = 1,000, p ≤ ${ALPHA} without a correction, as the paper's stars are set. Omnibus: one p over jsd, energy and
five MMDs per embedder. Embedders: the shipped sentence encoder, and hashed character trigrams, which know spelling and no meaning.

## Result

Does the decision flip with the choice? Share of the ${tested.length} cells with a role, with 95% Wilson intervals:

${table(
  ['choice left to the analyst', 'published test', 'omnibus'],
  [
    [
      'the statistic, with the sentence encoder',
      share(tested, (cell) => split(publishedOf(cell, 'minilm/'))),
      'no choice left',
    ],
    [
      'the statistic, with trigrams',
      share(tested, (cell) => split(publishedOf(cell, 'trigrams/'))),
      'no choice left',
    ],
    [
      'the embedder, with jsd',
      share(tested, (cell) => split(publishedOf(cell, '', '/jsd'))),
      share(tested, (cell) => split([cell.omnibus.minilm, cell.omnibus.trigrams])),
    ],
    [
      'the embedder, or both embedders together',
      'not offered',
      share(tested, (cell) => split([cell.omnibus.minilm, cell.omnibus.trigrams, cell.omnibus.both])),
    ],
    [
      'statistic and embedder',
      share(tested, (cell) => split(publishedOf(cell, ''))),
      'no choice left: both are in one test',
    ],
  ],
)}

Where the family holds both embedders, as a report declares it beforehand, the omnibus has one decision and nothing flips it: that
is so by construction, not a measurement. What is measured is the row on the embedder alone: run on one embedder or the other, the
omnibus can disagree with itself too.

How often each rejects:

${table(
  ['test', 'roles', 'unchanged prompt (false alarms)'],
  rejectionRows.map(([name, rejects]) => [name, share(tested, rejects), share(again, rejects)]),
)}

By model and role (p over the seeds, in their order; ω is the mean JS distance, biased upward: compare with the row "unchanged"):

${table(['model', 'role', 'should do', 'ω', 'p of ω', 'debiased effect', 'omnibus p, both'], byPersona)}

## What it cannot show

Small models, one patient and one wording. Cells of one model and seed share a baseline, so they are not independent and the intervals
are too narrow. Trigrams are a lexical view: they stand for "another embedder", not for a good one; disagreement between two good
sentence encoders may be rarer. ada-002 and the paper's models were not asked, so its figures are not reproduced number by number.
${again.length} cells of the unchanged prompt say little about the rate of false alarms; that is the calibration bench's work.

**Command.** \`${result.command}\`${result.quick ? ' (cut down)' : ''}; ${Math.round(result.seconds)} s of wall time in its last run on a shared machine, answers kept from before not
counted.
`;
}

const mean = (values: number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
