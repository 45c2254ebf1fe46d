/** The family of statistics for a set of pooled outputs: per embedder jsd, energy and MMD at five bandwidths. */
import { hammingKernel } from './hamming';
import { binPairs, type BinnedPairs } from './jsd';
import { labelCodes } from './labels';
import type { PairMatrices } from './matrices';
import { BANDWIDTH_MULTIPLIERS, gaussianKernel, medianDistance } from './mmd';
import type { Member } from './permutationEngine';

/** A member that cannot say anything about these outputs, and why. */
export interface DroppedMember {
  id: string;
  reason: string;
}

export interface EmbedderFamily {
  members: Member[];
  dropped: DroppedMember[];
  binned: BinnedPairs;
  medianDistance: number;
}

/**
 * Members of one embedder: `<name>/jsd`, `<name>/energy`, `<name>/mmd0.25` … `<name>/mmd4`. Where the median distance is
 * 0 (more than half of the pairs are equal) no bandwidth exists and the five MMDs are dropped. Cost 5·n² exponentials.
 * @throws RangeError for bins outside 2 … 256.
 */
export function embedderFamily(name: string, matrices: PairMatrices, binCount: number): EmbedderFamily {
  const { n, similarity, distance } = matrices;
  const binned = binPairs(similarity, n, binCount);
  const median = medianDistance(distance, n);
  const members: Member[] = [
    { id: `${name}/jsd`, kind: 'jsd', bins: binned.bins, binCount },
    { id: `${name}/energy`, kind: 'energy', matrix: distance },
  ];
  const dropped: DroppedMember[] = [];
  for (const multiplier of BANDWIDTH_MULTIPLIERS) {
    const id = `${name}/mmd${multiplier}`;
    if (median > 0) members.push({ id, kind: 'mmd', matrix: gaussianKernel(distance, multiplier * median) });
    else dropped.push({ id, reason: 'More than half of all pairs of answers are the same: no bandwidth.' });
  }
  return { members, dropped, binned, medianDistance: median };
}

/** Total variation of extracted answers. Cost: n. */
export function labelMember(labels: readonly string[]): Member {
  return { id: 'label', kind: 'label', ...labelCodes(labels) };
}

/** MMD of texts with a character-level kernel; needs no embedder. Cost as `hammingKernel`. */
export function stringMember(strings: readonly string[]): Member {
  return { id: 'string', kind: 'mmd', matrix: hammingKernel(strings).kernel };
}
