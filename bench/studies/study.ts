import type { Model } from '../../src/engine/ports';

/** What a study is given; `openModel` keeps every answer, so that a study that stopped goes on where it was. */
export interface StudyTools {
  quick: boolean;
  models: string[];
  /** How many seeds, per model, the last number for the rest; null: the study's own. */
  seeds: number[] | null;
  openModel(id: string): Promise<Model>;
  say(line: string): void;
}

/** The result is JSON, and the report is made of nothing else: a test makes it again. */
export interface Study<Result extends StudyResult = StudyResult> {
  name: string;
  run(tools: StudyTools): Promise<Result>;
  report(result: Result): string;
}

export interface StudyResult {
  study: string;
  quick: boolean;
  /** Which command, on what. */
  command: string;
  models: { id: string; digest: string | null }[];
  /** Wall time of this run; answers that were kept cost none. */
  seconds: number;
}

export const table = (head: string[], rows: (string | number)[][]): string =>
  [
    `| ${head.join(' | ')} |`,
    `|${head.map(() => ' --- |').join('')}`,
    ...rows.map((row) => `| ${row.join(' | ')} |`),
  ].join('\n');

/** How often the model at `index` is asked everything anew. */
export const seedsFor = (seeds: number[] | null, index: number, own: number): number[] =>
  Array.from({ length: seeds?.[index] ?? seeds?.at(-1) ?? own }, (_, i) => i + 1);
