import type { CompositeResult } from '../contracts/runRecord';
import { requireInteger, requireOpenUnit, requireSameLength } from './argumentChecks';
import {
  conformalCategorical,
  conformalFreeText,
  conformalP,
  decideConformal,
  type Reading,
  type ScoredP,
} from './conformal';

export interface CompositeTestInput {
  /** How many outputs each query has; the m rewordings first, the edited prompt last. Each at least 1. */
  outputs: number[];
  /** Per embedder unit rows of all outputs, row-major, in the order of `outputs`. */
  embeddings: { embedder: string; dim: number; vectors: Float32Array }[];
  /** The outputs themselves, in the same order. */
  texts: string[];
  /** What an extractor read in each output; left out for free text. */
  labels?: string[];
  alpha: number;
  reading?: Reading;
}

/** Texts count as categories only where they repeat: with more kinds than this share of the outputs they say nothing. */
const MOST_KINDS = 0.5;

/**
 * Does the edited prompt belong to the family of harmless rewordings? Conformal p over m + 1 exchangeable queries
 * (methods.md 2.2). Each query is scored by how far its outputs lie from the pooled outputs of the others: energy distance
 * per embedder, total variation of the extracted labels, and of the texts themselves where these repeat. Every measure is
 * standardised over the m + 1 queries and a query's largest one counts. That is symmetric in the queries, so p is as exact
 * as with one measure. (The largest of ranks, as first specified, cannot reject with m = 19 and two measures unless the
 * edited prompt is the strangest in both: another query is on top of the second measure, and ties count against.)
 * Cost: (Σ outputs)²·dim per embedder.
 * @throws RangeError if sizes do not fit, a vector is not finite, or alpha lies outside (0, 1).
 */
export function compositeTest(input: CompositeTestInput): CompositeResult {
  const { outputs, texts, labels, alpha, reading = 'atypical' } = input;
  requireOpenUnit('alpha', alpha);
  if (outputs.length < 2) throw new RangeError('outputs must name at least one rewording and the edit');
  outputs.forEach((size, j) => requireInteger(`outputs[${j}]`, size, 1));
  const total = outputs.reduce((sum, size) => sum + size, 0);
  requireSameLength('texts', texts, 'outputs in all', { length: total });
  if (labels !== undefined) requireSameLength('labels', labels, 'texts', texts);

  const measures: { id: string; scores: number[] }[] = input.embeddings.map(({ embedder, ...embedding }) => ({
    id: `${embedder}/energy`,
    scores: allScores(conformalFreeText({ embeddings: [embedding], outputs }, reading)),
  }));
  if (labels !== undefined) measures.push({ id: 'label', scores: categoryScores(labels, outputs, reading) });
  const kinds = new Set(texts).size;
  if (kinds <= MOST_KINDS * total) {
    measures.push({ id: 'string', scores: categoryScores(texts, outputs, reading) });
  }
  const standardised = measures.flatMap(({ id, scores }) => {
    const z = zScores(scores);
    return z === null ? [] : [{ id, z }];
  });
  const combined = outputs.map((_, query) =>
    // All queries answer alike in every measure: none is stranger than another.
    standardised.length === 0 ? 0 : Math.max(...standardised.map(({ z }) => z[query]!)),
  );
  const scored: ScoredP = {
    ...conformalP(combined.slice(0, -1), combined.at(-1)!),
    scores: combined.slice(0, -1),
    testScore: combined.at(-1)!,
  };
  const decision = decideConformal(scored, alpha);
  return {
    state: decision.state,
    explanation: decision.state === 'undecided' ? decision.explanation : null,
    p: scored.p,
    rewordings: outputs.length - 1,
    reading,
    scores: scored.scores,
    testScore: scored.testScore,
    measures: standardised.map(({ id, z }) => ({ id, rank: 1 + z.filter((one) => one > z.at(-1)!).length })),
  };
}

const allScores = ({ scores, testScore }: ScoredP): number[] => [...scores, testScore];

function categoryScores(categories: string[], outputs: number[], reading: Reading): number[] {
  const column = new Map([...new Set(categories)].map((category, i) => [category, i]));
  let at = 0;
  const rows = outputs.map((size) => {
    const row = new Array<number>(column.size).fill(0);
    for (const category of categories.slice(at, at + size)) row[column.get(category)!]!++;
    at += size;
    return row;
  });
  return allScores(
    conformalCategorical({ nullCounts: rows.slice(0, -1), testCounts: rows.at(-1)! }, reading),
  );
}

/** Null where all queries score the same: such a measure says nothing. */
function zScores(scores: number[]): number[] | null {
  const mean = scores.reduce((sum, score) => sum + score, 0) / scores.length;
  const sd = Math.sqrt(scores.reduce((sum, score) => sum + (score - mean) ** 2, 0) / scores.length);
  return sd <= 1e-12 * Math.max(1, Math.abs(mean)) ? null : scores.map((score) => (score - mean) / sd);
}
