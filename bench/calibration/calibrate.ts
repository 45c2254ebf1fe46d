/** All studies in one run. */
import { compositeCells, gridClaims } from './composite';
import { countCells } from './counts';
import { editCells } from './edits';
import { differenceCells, powerCells, sequentialStudy } from './difference';
import type { Calibration } from './report';
import { runCell, type Row } from './study';

export interface CalibrationOptions {
  replicates: number;
  seed: number;
  /** Samples per arm of the difference test under H0. */
  sizes: readonly number[];
  /** Only studies whose name holds this text. */
  only?: string;
  onCell?: (name: string, seconds: number, rows: Row[]) => void;
  /** Milliseconds; only for telling how long it took. */
  now: () => number;
}

export function calibrate({
  replicates,
  seed,
  sizes,
  only = '',
  onCell,
  now,
}: CalibrationOptions): Calibration {
  const start = now();
  const sequential = sequentialStudy();
  const cells = [
    ...differenceCells(sizes),
    ...powerCells(),
    ...sequential.cells,
    ...compositeCells(),
    ...editCells(),
    ...countCells(),
  ].filter((cell) => cell.study.includes(only));
  const rows = cells.flatMap((cell) => {
    const before = now();
    const result = runCell(cell, replicates, seed);
    onCell?.(`${cell.study}: ${cell.shape}, ${cell.size}`, (now() - before) / 1000, result);
    return result;
  });
  const claims = only === '' ? [...sequential.claims(), ...gridClaims(replicates, seed)] : [];
  return { replicates, seed, seconds: (now() - start) / 1000, rows, claims };
}
