/** Levenshtein distance in UTF-16 code units; O(a·b). */
function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1)
      next.push(Math.min(row[j]! + 1, next[j - 1]! + 1, row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1)));
    row = next;
  }
  return row[b.length]!;
}

/** Up to `count` known names, most similar first; names that share a beginning come before equally distant ones. */
export function nearestNames(wanted: string, known: readonly string[], count = 3): string[] {
  const key = wanted.toLowerCase();
  const score = (name: string) => {
    const other = name.toLowerCase();
    return other.includes(key) || key.includes(other)
      ? 0
      : editDistance(key, other) / Math.max(key.length, other.length);
  };
  return known
    .map((name) => ({ name, score: score(name) }))
    .sort((a, b) => a.score - b.score || a.name.localeCompare(b.name))
    .slice(0, count)
    .map(({ name }) => name);
}
