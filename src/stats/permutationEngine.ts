/**
 * The hot loop: every statistic of a family for one split after another, from matrices computed once.
 *
 * How it is fast. Row totals are constant, so the sums within one arm decide all others: with S the smaller arm,
 * Σ within S and the row totals of S give the cross sum and the sum within the other arm. A quadratic statistic is then
 * one sum over the pairs within S of a kernel into which the row totals are folded; such kernels lie side by side in
 * memory, so one pass over the pairs serves energy and five MMDs. The JSD counts bins in the same pass and takes the
 * cross counts from per-row histograms. Nothing is allocated per split. Cost per split: min(n0, n1)² / 2 pairs.
 */
import { checkArms } from './arms';
import { createPairKernel, type PairKernel } from './pairKernel';
import type { Splits } from './splits';

export type Member =
  /** JS distance of the binned similarities within arm 0 and across arms; `bins` full n × n, values below binCount. */
  | { id: string; kind: 'jsd'; bins: Uint8Array; binCount: number }
  /** Energy V-statistic of a full n × n distance matrix. */
  | { id: string; kind: 'energy'; matrix: Float64Array }
  /** Unbiased MMD² of a full n × n kernel matrix. */
  | { id: string; kind: 'mmd'; matrix: Float64Array }
  /** Coefficient of inhomogeneity of a distance matrix, E / (2·mean cross distance). */
  | { id: string; kind: 'inhomogeneity'; matrix: Float64Array }
  /** Total variation of labels; `codes` n long, values below `categories`. */
  | { id: string; kind: 'label'; codes: Int32Array; categories: number };

/** Writes the statistics of rows `from` … `to` − 1 into `out`, row-major, one column per member. */
type RowStatistics = (from: number, to: number, out: Float64Array) => void;

/** Kernels per pair that lie side by side, at most. */
const LANES = 8;

/** Everything one pass over the pairs serves: up to eight quadratic members and one JSD. */
interface Group {
  quadratic: { column: number; matrix: Float64Array; kind: 'energy' | 'mmd' }[];
  jsd: { column: number; bins: Uint8Array; binCount: number } | null;
}

/** Reads the smaller arm's members and writes one row of statistics from `out[at]` on. */
type Part = (small: Int32Array, out: Float64Array, at: number) => void;

/**
 * Prepares a family for repeated evaluation. Both arms hold at least 2 outputs (1 where labels alone are compared).
 * Cost: n² per member here, min(n0, n1)² / 2 pairs per row afterwards.
 * @param kernel loops and memory; a prepared family owns it until the next one is prepared with it.
 * @throws RangeError for wrong sizes or an empty family. Memory: about 4·n² bytes per quadratic member.
 */
export function prepareFamily(
  members: readonly Member[],
  splits: Splits,
  kernel: PairKernel = createPairKernel(),
): RowStatistics {
  const { n0, n1 } = splits;
  checkArms(n0, n1, undefined, members.every(({ kind }) => kind === 'label') ? 1 : 2);
  if (members.length === 0) throw new RangeError('members is empty');
  for (const member of members) checkMember(member, n0 + n1);
  const width = members.length;
  const size = Math.min(n0, n1);
  const groups = groupMembers(members);
  const layout = layOut(groups, n0, n1);
  const memory = kernel.reserve(layout.bytes);
  // One slot more: the branchless gather below writes once past the last member.
  const small = new Int32Array(memory, layout.small, size + 1);
  const parts = [
    ...groups.map((group, i) => groupPart(group, layout.groups[i]!, layout, memory, kernel, n0, n1)),
    ...members.flatMap((member, column) => singlePart(member, column, members, n0, n1)),
  ];
  const inArm0 = new Uint8Array(n0 + n1);
  return (from, to, out) => {
    splits.seek(from);
    for (let row = from, at = 0; row < to; row++, at += width) {
      splits.next(inArm0);
      gather(inArm0, n0 <= n1 ? 0 : 1, small);
      for (let part = 0; part < parts.length; part++) parts[part]!(small, out, at);
    }
  };
}

function gather(inArm0: Uint8Array, flip: number, small: Int32Array): void {
  for (let i = 0, count = 0; i < inArm0.length; i++) {
    small[count] = i;
    count += inArm0[i]! ^ flip;
  }
}

function checkMember(member: Member, n: number): void {
  const [length, wanted] =
    member.kind === 'label'
      ? [member.codes.length, n]
      : [member.kind === 'jsd' ? member.bins.length : member.matrix.length, n * n];
  if (length !== wanted)
    throw new RangeError(`member ${member.id} holds ${length} values, ${wanted} were expected`);
}

function groupMembers(members: readonly Member[]): Group[] {
  const groups: Group[] = [];
  const place = (fits: (group: Group) => boolean): Group => {
    let group = groups.find(fits);
    if (group === undefined) {
      group = { quadratic: [], jsd: null };
      groups.push(group);
    }
    return group;
  };
  members.forEach((member, column) => {
    if (member.kind === 'jsd') place((group) => group.jsd === null).jsd = { ...member, column };
    if (member.kind === 'energy' || member.kind === 'mmd')
      place((group) => group.quadratic.length < LANES).quadratic.push({ ...member, column });
  });
  return groups;
}

/** Byte offsets in the kernel's memory. */
interface GroupLayout {
  kernel: number;
  bins: number;
  rows: number;
  all: number;
  term0: number;
  term1: number;
  vectors: number;
  rowBytes: number;
}

function layOut(groups: Group[], n0: number, n1: number) {
  const n = n0 + n1;
  let bytes = 0;
  const take = (length: number) => {
    const at = bytes;
    bytes += Math.ceil(length / 64) * 64;
    return at;
  };
  // The kernel counts bins at the start of its memory.
  const counts = take(2 * 256 * 4);
  const small = take((Math.min(n0, n1) + 1) * 4);
  const sums = take(LANES * 2 * 8);
  const rowSums = take(256 * 4);
  const pairs = (n * (n - 1)) / 2;
  const ofGroups = groups.map(({ quadratic, jsd }): GroupLayout => {
    const vectors = Math.ceil(quadratic.length / 2);
    const rowBytes = jsd === null ? 0 : Math.ceil(jsd.binCount / 16) * 64;
    return {
      vectors,
      rowBytes,
      kernel: take(pairs * vectors * 16),
      bins: take(jsd === null ? 0 : pairs),
      rows: take(n * rowBytes),
      all: take((256 + 1) * 4),
      term0: take(jsd === null ? 0 : ((n0 * (n0 - 1)) / 2 + 1) * 8),
      term1: take(jsd === null ? 0 : (n0 * n1 + 1) * 8),
    };
  });
  return { small, sums, counts, rowSums, bytes, groups: ofGroups };
}

function groupPart(
  group: Group,
  at: GroupLayout,
  layout: ReturnType<typeof layOut>,
  memory: ArrayBuffer,
  kernel: PairKernel,
  n0: number,
  n1: number,
): Part {
  const n = n0 + n1;
  const size = Math.min(n0, n1);
  const lanes = at.vectors * 2;
  const interleaved = new Float64Array(memory, at.kernel, ((n * (n - 1)) / 2) * lanes);
  // An odd number of members leaves a lane over: what lay there before could be slow to add.
  interleaved.fill(0);
  const constants = group.quadratic.map(({ matrix, kind }, lane) =>
    foldKernel(matrix, kind, n0, n1, interleaved, lane, lanes),
  );
  const columns = group.quadratic.map(({ column }) => column);
  const sums = new Float64Array(memory, layout.sums, 2 * lanes);
  const finishJsd =
    group.jsd === null ? null : prepareJsd(group.jsd, at, layout.rowSums, memory, kernel, n0, n1);
  const jsdColumn = group.jsd?.column ?? 0;
  const counts = new Int32Array(memory, layout.counts, 512);
  const pairs = kernel.pairs(at.vectors, group.jsd !== null);
  const rows = kernel.rows();
  return (_small, out, row) => {
    if (finishJsd !== null) counts.fill(0);
    pairs(layout.small, size, at.kernel, at.bins, layout.sums);
    for (let lane = 0; lane < columns.length; lane++) {
      out[row + columns[lane]!] = constants[lane]! + (sums[lane]! + sums[lanes + lane]!);
    }
    if (finishJsd !== null) {
      rows(layout.small, size, at.rows, at.rowBytes, layout.rowSums);
      out[row + jsdColumn] = finishJsd();
    }
  };
}

/**
 * Turns a quadratic statistic into constant + Σ of one kernel over the pairs within the smaller arm, writes that kernel
 * into its lane and returns the constant. With W = Σ pairs within S, R = Σ row totals of S (diagonal left out), s = |S|,
 * t = the other size, A = Σ all pairs: cross C = R − 2W, within the other arm V = A − C − W. T = a·W + b·V + c·C is
 * linear in W and R, and R = Σ over pairs within S of (r_i + r_j) / (s − 1).
 */
function foldKernel(
  matrix: Float64Array,
  kind: 'energy' | 'mmd',
  n0: number,
  n1: number,
  out: Float64Array,
  lane: number,
  lanes: number,
): number {
  const n = n0 + n1;
  const { rowTotals, allPairs } = totals(matrix, n);
  const { ofW, ofR, constant } = foldWeights(kind, n0, n1, allPairs);
  for (let i = 0, at = lane; i < n; i++) {
    for (let j = 0; j < i; j++, at += lanes) {
      out[at] = ofW * matrix[i * n + j]! + ofR * (rowTotals[i]! + rowTotals[j]!);
    }
  }
  return constant;
}

function foldWeights(kind: 'energy' | 'mmd', n0: number, n1: number, allPairs: number) {
  const s = Math.min(n0, n1);
  const t = Math.max(n0, n1);
  const [a, b, c] =
    kind === 'energy'
      ? [-2 / (s * s), -2 / (t * t), 2 / (s * t)]
      : [2 / (s * (s - 1)), 2 / (t * (t - 1)), -2 / (s * t)];
  return { ofW: a + b - 2 * c, ofR: (c - b) / (s - 1), constant: b * allPairs };
}

/** Sums off the diagonal: per row, and over i < j. */
function totals(matrix: Float64Array, n: number) {
  const rowTotals = new Float64Array(n);
  let ordered = 0;
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < n; j++) if (j !== i) rowTotals[i]! += matrix[i * n + j]!;
    ordered += rowTotals[i]!;
  }
  return { rowTotals, allPairs: ordered / 2 };
}

/** Members that need no pass over the pairs of their own. */
function singlePart(
  member: Member,
  column: number,
  members: readonly Member[],
  n0: number,
  n1: number,
): Part[] {
  if (member.kind === 'label') return [labelPart(member.codes, member.categories, n0, n1, column)];
  if (member.kind === 'inhomogeneity') {
    const energy = members.findIndex((other) => other.kind === 'energy' && other.matrix === member.matrix);
    if (energy < 0) throw new RangeError(`member ${member.id} needs the energy member of the same matrix`);
    return [inhomogeneityPart(member.matrix, n0, n1, energy, column)];
  }
  return [];
}

/** H = E / (2·mean cross distance); the cross sum follows from E and the row totals, without another pass. */
function inhomogeneityPart(
  matrix: Float64Array,
  n0: number,
  n1: number,
  energyColumn: number,
  column: number,
): Part {
  const size = Math.min(n0, n1);
  const { rowTotals, allPairs } = totals(matrix, n0 + n1);
  const { ofW, ofR, constant } = foldWeights('energy', n0, n1, allPairs);
  return (small, out, at) => {
    const energy = out[at + energyColumn]!;
    let rows = 0;
    for (let a = 0; a < size; a++) rows += rowTotals[small[a]!]!;
    const within = (energy - constant - ofR * (size - 1) * rows) / ofW;
    const cross = rows - 2 * within;
    out[at + column] = cross > 0 ? (energy * n0 * n1) / (2 * cross) : 0;
  };
}

function labelPart(codes: Int32Array, categories: number, n0: number, n1: number, column: number): Part {
  const size = Math.min(n0, n1);
  const other = Math.max(n0, n1);
  const all = new Int32Array(categories);
  for (const code of codes) all[code]!++;
  const counts = new Int32Array(categories);
  return (small, out, at) => {
    counts.fill(0);
    for (let a = 0; a < size; a++) counts[codes[small[a]!]!]!++;
    let sum = 0;
    for (let code = 0; code < categories; code++) {
      sum += Math.abs(counts[code]! / size - (all[code]! - counts[code]!) / other);
    }
    out[at + column] = sum / 2;
  };
}

/** Writes bins and per-row histograms into memory; the result reads the counts of a split and gives its JS distance. */
function prepareJsd(
  { bins, binCount }: { bins: Uint8Array; binCount: number },
  at: GroupLayout,
  rowSums: number,
  memory: ArrayBuffer,
  kernel: PairKernel,
  n0: number,
  n1: number,
): () => number {
  const n = n0 + n1;
  const pairs0 = (n0 * (n0 - 1)) / 2;
  const crossPairs = n0 * n1;
  const stride = at.rowBytes / 4;
  const triangle = new Uint8Array(memory, at.bins, (n * (n - 1)) / 2);
  const perRow = new Int32Array(memory, at.rows, n * stride).fill(0);
  const all = new Int32Array(memory, at.all, binCount + 1).fill(0);
  for (let i = 0, pair = 0; i < n; i++) {
    for (let j = 0; j < i; j++, pair++) {
      const bin = bins[i * n + j]!;
      triangle[pair] = bin;
      perRow[i * stride + bin]!++;
      perRow[j * stride + bin]!++;
      all[bin]!++;
    }
  }
  // p·ln p / 2 for every count that can occur.
  const fillTerms = (at: number, total: number) => {
    const terms = new Float64Array(memory, at, total + 1);
    for (let count = 0; count <= total; count++) terms[count] = xlogx(count / total) / 2;
  };
  fillTerms(at.term0, pairs0);
  fillTerms(at.term1, crossPairs);
  const divergence = kernel.divergence(n0 <= n1);
  const bytes = Math.ceil(binCount / 2) * 8;
  return () => {
    const value = divergence(bytes, rowSums, at.all, at.term0, at.term1, pairs0, crossPairs);
    return value > 0 ? Math.sqrt(value) : 0;
  };
}

const xlogx = (x: number) => (x > 0 ? x * Math.log(x) : 0);
