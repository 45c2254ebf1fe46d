import type { ModelMatrix } from './compareView';
import { htmlText } from './htmlText';

const LABEL = 150;
const CELL = { width: 150, height: 44 };
const HEAD = 34;

/** The matrix as a drawing: letters for the columns, names for the rows, each cell with its words; colour only repeats them. */
export function modelMatrixSvg({ title, models, cells }: ModelMatrix): string {
  const width = LABEL + models.length * CELL.width;
  const height = HEAD + models.length * CELL.height;
  const x = (column: number) => LABEL + column * CELL.width;
  const y = (row: number) => HEAD + row * CELL.height;
  const heads = models.map(
    (_, i) =>
      `<text class="name" text-anchor="middle" x="${x(i) + CELL.width / 2}" y="${HEAD - 12}">${letterOf(i)}</text>`,
  );
  const rows = models.map(
    (model, i) =>
      `<text class="name" x="0" y="${y(i) + CELL.height / 2 + 5}">${letterOf(i)} ${htmlText(shortened(model, 17))}</text>`,
  );
  const boxes = cells.flatMap((row, r) =>
    row.map((cell, c) => {
      const box = `x="${x(c) + 2}" y="${y(r) + 2}" width="${CELL.width - 4}" height="${CELL.height - 4}" rx="4"`;
      if (cell === null) return `<rect class="self" ${box}/>`;
      return `<rect class="${cell.tone}" ${box}/><text class="cell" text-anchor="middle" x="${x(c) + CELL.width / 2}" y="${y(r) + CELL.height / 2 + 4}">${htmlText(cell.text)}</text>`;
    }),
  );
  return `<svg class="matrix" role="img" aria-label="${htmlText(title)}" viewBox="0 0 ${width} ${height}">${[...heads, ...rows, ...boxes].join('')}</svg>`;
}

/** A, B, … Z, A1, … */
export const letterOf = (index: number): string =>
  String.fromCharCode(65 + (index % 26)) + (index < 26 ? '' : String(Math.floor(index / 26)));

/** The beginning and the end of a name: both tell models apart. */
export function shortened(name: string, width: number): string {
  if (name.length <= width) return name;
  const tail = Math.ceil((width - 1) / 2);
  return `${name.slice(0, width - 1 - tail)}…${name.slice(-tail)}`;
}
