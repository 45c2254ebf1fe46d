import type { Perturbation, Plan, RunOptions, RunRecord, Sample } from '../contracts/runRecord';
import type { Budget } from './budget';
import type { Clock, Embedder, Model, RunStore, Tester } from './ports';

export interface RobustnessDeps {
  model: Model;
  embedders: Embedder[];
  tester: Tester;
  store: RunStore;
  clock: Clock;
}

export interface RobustnessRequest {
  runId: string;
  prompt: RunRecord['prompt'];
  commit?: RunRecord['commit'];
  perturbations: Perturbation[];
  options: RunOptions;
  plan: Plan;
  seed: number;
  versions: Record<string, string>;
  reproduce: string;
  /** Of an earlier part of the same run, which goes on. */
  kept?: readonly Sample[];
  /** Where this is a part of a larger run; made from the options otherwise. */
  budget?: Budget;
}
