/** Does an embedder tell what means another thing from what is only worded otherwise? (DBPA's reviewers: never validated.) */
import path from 'node:path';
import { formatInterval, formatNumber } from '../../src/report/format';
import { wilson } from '../../src/stats/proportions';
import { auc } from '../../src/stats/roc';
import { createEmbedder } from '../../src/workers/embedder';
import { changed, paraphrases } from './embedderPairs';
import { table, type Study, type StudyResult } from './study';
import { trigramVectors } from './trigrams';

const root = path.resolve(import.meta.dirname, '..', '..');

interface EmbeddersResult extends StudyResult {
  /** Cosine of every pair, in the order of the list. */
  embedders: { id: string; paraphrases: number[]; changed: number[] }[];
}

export const embedders: Study<EmbeddersResult> = {
  name: 'embedders',
  async run({ quick }) {
    const startedMs = Date.now();
    const texts = [...paraphrases, ...changed].flat();
    const encoder = createEmbedder({
      workerPath: path.join(root, 'dist', 'embedWorker.cjs'),
      modelDir: path.join(root, 'media', 'models'),
      ortDir: path.join(root, 'dist', 'ort'),
    });
    try {
      const minilm = await encoder.embed(texts, { signal: new AbortController().signal });
      return {
        study: 'embedders',
        quick,
        command: 'npm run study -- embedders',
        models: [{ id: encoder.id, digest: encoder.digest }],
        seconds: (Date.now() - startedMs) / 1000,
        embedders: [
          { id: encoder.id, ...cosines(minilm) },
          { id: 'trigrams', ...cosines(trigramVectors(texts)) },
        ],
      };
    } finally {
      await encoder.close();
    }
  },
  report: reportOf,
};

function cosines({ dim, vectors }: { dim: number; vectors: Float32Array }) {
  const of = (pair: number) => {
    let sum = 0;
    for (let d = 0; d < dim; d++) sum += vectors[2 * pair * dim + d]! * vectors[(2 * pair + 1) * dim + d]!;
    return sum;
  };
  return {
    paraphrases: paraphrases.map((_, i) => of(i)),
    changed: changed.map((_, i) => of(paraphrases.length + i)),
  };
}

/** Shares of paraphrases that are to be called different at most; the threshold that does so is read off these pairs. */
const CALLED_DIFFERENT = [0.05, 0.1, 0.25, 0.5];

function reportOf({ embedders: measured, command, seconds }: EmbeddersResult): string {
  const rows = measured.flatMap((one) =>
    CALLED_DIFFERENT.map((allowed) => {
      const sorted = [...one.paraphrases].sort((a, b) => a - b);
      const threshold = sorted[Math.floor(allowed * sorted.length)]!;
      const different = one.paraphrases.filter((cosine) => cosine < threshold).length;
      const missed = one.changed.filter((cosine) => cosine >= threshold).length;
      const share = (count: number, n: number) => `${count} of ${n} (${formatInterval(wilson(count, n))})`;
      return [
        one.id,
        formatNumber(threshold),
        share(different, one.paraphrases.length),
        share(missed, one.changed.length),
      ];
    }),
  );
  return `# Embedders: is what means another thing further away?

**Question.** Every statistic on embeddings assumes that answers which mean the same lie closer together than answers which do not. Do they?

**Design.** ${measured[0]!.paraphrases.length} pairs that say the same in other words, ${measured[0]!.changed.length} in which as few words as possible are changed and the meaning is (a negation, a
number, an opposite); English, own sentences, written before any embedder had seen them (\`bench/studies/embedderPairs.ts\`). The cosine of each
pair. Changed pairs share most of their words: a hard case on purpose, and the one that matters where answers are short.

## Result

${table(
  [
    'embedder',
    'mean cosine, same meaning',
    'mean cosine, changed meaning',
    'AUC (.5: blind, under it: the wrong way round)',
  ],
  measured.map((one) => [
    one.id,
    formatNumber(mean(one.paraphrases)),
    formatNumber(mean(one.changed)),
    formatNumber(
      auc(
        [...one.paraphrases.map(() => 1), ...one.changed.map(() => 0)],
        [...one.paraphrases, ...one.changed],
      ),
    ),
  ]),
)}

If "different" were everything under a threshold (which Evenkeel never says):

${table(['embedder', 'threshold', 'same meaning, called different', 'changed meaning, missed'], rows)}

## What follows

A cosine is no judge of a single pair of answers: see the AUC. A test on two _samples_ of answers does not need one: it asks whether the
two sets differ by more than answers to one and the same prompt do, and can find that though every pair across has a cosine of 0.9. What an
embedder cannot see at all it cannot test, so short answers are also compared by their label and their exact text, and a family
may hold several embedders.

## What it cannot show

Two embedders, one of which (trigrams) knows spelling only; 80 short English pairs by one author. Thresholds are chosen on the same pairs,
so the last table flatters both. Nothing is said of longer answers.

**Command.** \`${command}\`; no model is asked, ${Math.round(seconds)} s.
`;
}

const mean = (values: number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
