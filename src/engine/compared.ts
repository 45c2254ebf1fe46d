import type { CompareRecord } from '../contracts/compareRecord';
import type {
  ModelIdentity,
  Perturbation,
  Plan,
  RunOptions,
  RunRecord,
  Sample,
} from '../contracts/runRecord';
import type { Budget } from './budget';
import { usable } from './judgeArms';
import type { Clock, Embedder, Model, RunStore, Tester } from './ports';

export interface CompareDeps {
  openModel: (id: string, signal: AbortSignal) => Promise<Model>;
  embedders: Embedder[];
  tester: Tester;
  store: RunStore;
  clock: Clock;
}

export interface CompareRequest {
  id: string;
  modelIds: string[];
  /** Index into `modelIds`: the others are tested against it; null: every pair is tested for its behaviour. */
  reference: number | null;
  prompts: { prompt: RunRecord['prompt']; perturbations: Perturbation[] }[];
  /** `plans[model][prompt]`. */
  plans: Plan[][];
  options: RunOptions;
  margin: number;
  seed: number;
  versions: Record<string, string>;
  reproduce: string;
  /** One for all models. */
  budget: Budget;
}

/** What one model gave. */
export interface Asked {
  runs: RunRecord[];
  identity: ModelIdentity | null;
  problem: string | null;
}

/** Changes that every model without a problem could be judged on: models are compared on the same ones or not at all. */
export function commonItems(items: CompareRecord['items'], asked: Asked[]): CompareRecord['items'] {
  return items.filter(({ cells }) =>
    cells.every(
      (cell, model) => asked[model]!.problem !== null || (cell !== null && cell.verdict !== 'undecided'),
    ),
  );
}

/** Usable answers of one condition, by index. */
export const samplesOf = (run: RunRecord, condition: string): Sample[] =>
  usable(run.samples.filter(({ conditionId }) => conditionId === condition)).sort(
    (a, b) => a.index - b.index,
  );
