/** What the statistics worker can be asked, and what it says. */
import { compositeTest } from '../stats/compositeTest';
import { differenceTest } from '../stats/differenceTest';
import { driftTest } from '../stats/driftTest';
import { minimumDetectable } from '../stats/minimumDetectable';
import { noiseFloor } from '../stats/noiseFloor';

export const statsTasks = { differenceTest, noiseFloor, minimumDetectable, compositeTest, driftTest };
export type StatsTasks = typeof statsTasks;
export type StatsTaskName = keyof StatsTasks;

export interface StatsRequest {
  id: number;
  task: StatsTaskName;
  input: Parameters<StatsTasks[StatsTaskName]>[0];
}

export type StatsMessage =
  | { id: number; type: 'progress'; share: number }
  | { id: number; type: 'result'; result: unknown }
  | { id: number; type: 'failure'; name: string; message: string };
