"""The published single statistic in plain NumPy, as a person would write it: the yardstick of `npm run bench -- permutation`.

usage: published.py FILE K DIM BINS B
FILE holds 2K x DIM float64 unit embeddings, row-major. Prints one JSON line: seconds, statistic, p.
"""
import json
import sys
import time

import numpy as np


def js_distance(counts0, counts1):
    p = counts0 / counts0.sum()
    q = counts1 / counts1.sum()
    m = (p + q) / 2
    left = np.where(p > 0, p * np.log(np.where(p > 0, p, 1) / np.where(m > 0, m, 1)), 0).sum()
    right = np.where(q > 0, q * np.log(np.where(q > 0, q, 1) / np.where(m > 0, m, 1)), 0).sum()
    return np.sqrt(max(0.0, (left + right) / 2))


def statistic(similarity, arm0, arm1, edges, upper):
    p0 = similarity[np.ix_(arm0, arm0)][upper]
    p1 = similarity[np.ix_(arm0, arm1)].ravel()
    return js_distance(np.histogram(p0, bins=edges)[0], np.histogram(p1, bins=edges)[0])


def main():
    path, k, dim, bins, permutations = sys.argv[1], *map(int, sys.argv[2:6])
    embeddings = np.fromfile(path).reshape(2 * k, dim)
    rng = np.random.default_rng(1)
    start = time.perf_counter()
    similarity = embeddings @ embeddings.T
    pairs = similarity[np.triu_indices(2 * k, 1)]
    edges = np.linspace(pairs.min(), pairs.max(), bins + 1)
    upper = np.triu_indices(k, 1)
    everyone = np.arange(2 * k)
    observed = statistic(similarity, everyone[:k], everyone[k:], edges, upper)
    count = 0
    for _ in range(permutations):
        order = rng.permutation(2 * k)
        if statistic(similarity, order[:k], order[k:], edges, upper) >= observed - 1e-12:
            count += 1
    seconds = time.perf_counter() - start
    print(json.dumps({"seconds": seconds, "statistic": observed, "p": (1 + count) / (1 + permutations)}))


main()
