/** Tests and intervals of counts and ratings: Fisher, McNemar, binomial, trend, multiplicity; intervals by their coverage. */
import {
  agreementTable,
  kappa,
  kappaAsymptotic,
  kappaBootstrap,
  krippendorffAlpha,
  krippendorffBootstrap,
} from '../../src/stats/agreement';
import { bootstrap, resampleIndices } from '../../src/stats/bootstrap';
import { drawBinomial, drawNormal } from '../../src/stats/draws';
import { fisherExact } from '../../src/stats/fisher';
import { flipRates, type FlipItem, type Strength } from '../../src/stats/flipRates';
import { mcnemar } from '../../src/stats/mcnemar';
import { adjustPValues, type MultiplicityMethod } from '../../src/stats/multiplicity';
import { normalCdf } from '../../src/stats/normal';
import { newcombe, pooledZTest } from '../../src/stats/proportionDifference';
import { binomialTest, clopperPearson, wilson } from '../../src/stats/proportions';
import type { Rng } from '../../src/stats/rng';
import { auc, delong, rocBootstrap } from '../../src/stats/roc';
import { cochranArmitage } from '../../src/stats/trend';
import type { Cell } from './study';

const ALPHAS = [0.05, 0.01] as const;

export function countCells(): Cell[] {
  return [
    ...[0.1, 0.5].flatMap((rate) => [10, 50].map((n) => proportionCell(rate, n))),
    ...[10, 60].map(pairedCell),
    trendCell(),
    multiplicityCell(),
    ...[0.05, 0.3].flatMap((rate) => [10, 50].map((n) => coverageCell(rate, n))),
    clusterCoverageCell(),
    meanCoverageCell(),
    aucCoverageCell(),
    agreementCoverageCell(),
  ];
}

function proportionCell(rate: number, n: number): Cell {
  return {
    study: 'tests of counts',
    shape: `rate ${rate}`,
    size: `n = ${n} per arm`,
    methods: [
      { name: 'Fisher, two-sided', role: 'size' },
      { name: 'Fisher, one-sided', role: 'size' },
      { name: 'binomial test', role: 'size' },
      { name: 'pooled z (approximate)', role: 'reported' },
    ],
    alphas: ALPHAS,
    simulate: (rng) => {
      const [x, y] = [drawBinomial(n, rate, rng), drawBinomial(n, rate, rng)];
      const fisher = fisherExact([
        [x, n - x],
        [y, n - y],
      ]);
      return [
        fisher.twoSided,
        fisher.greater,
        binomialTest(x, n, rate).twoSided,
        pooledZTest(x, n, y, n)?.twoSided ?? 1,
      ];
    },
  };
}

function pairedCell(n: number): Cell {
  return {
    study: 'tests of counts',
    shape: 'paired, a third discordant',
    size: `n = ${n} pairs`,
    methods: [
      { name: 'McNemar, exact', role: 'size' },
      { name: 'McNemar, mid-p', role: 'reported' },
    ],
    alphas: ALPHAS,
    simulate: (rng) => {
      const discordant = drawBinomial(n, 1 / 3, rng);
      const b = drawBinomial(discordant, 0.5, rng);
      const { exactP, midP } = mcnemar(b, discordant - b);
      return [exactP, midP];
    },
  };
}

function trendCell(): Cell {
  return {
    study: 'tests of counts',
    shape: 'rate .2 at every strength',
    size: 'n = 30, 40, 20, 10',
    methods: [
      { name: 'Cochran–Armitage, exact', role: 'size' },
      { name: 'Cochran–Armitage, increase', role: 'size' },
    ],
    alphas: ALPHAS,
    simulate: (rng) => {
      const result = cochranArmitage(
        [30, 40, 20, 10].map((n, strength) => ({
          strength: strength as Strength,
          n,
          flips: drawBinomial(n, 0.2, rng),
        })),
      );
      return [result?.twoSided ?? 1, result?.pIncrease ?? 1];
    },
  };
}

/** Chance of any rejection among ten true nulls whose p-values share a common part. */
function multiplicityCell(): Cell {
  const methods: MultiplicityMethod[] = ['holm', 'bonferroni', 'hochberg', 'bh', 'by'];
  return {
    study: 'multiplicity, any false rejection',
    shape: 'ten true nulls, positively dependent',
    size: '10 comparisons',
    methods: methods.map((name) => ({ name, role: 'size' as const })),
    alphas: ALPHAS,
    simulate: (rng) => {
      const [baseline] = [drawBinomial(40, 0.3, rng)];
      const p = Array.from({ length: 10 }, () => {
        const x = drawBinomial(40, 0.3, rng);
        return fisherExact([
          [baseline, 40 - baseline],
          [x, 40 - x],
        ]).twoSided;
      });
      return methods.map((method) => Math.min(...adjustPValues(p, method)));
    },
  };
}

/** Misses of 95% intervals, counted as rejections at .05. Only Clopper–Pearson guarantees them. */
function coverageCell(rate: number, n: number): Cell {
  return {
    study: 'misses of 95% intervals',
    shape: `rate ${rate}`,
    size: `n = ${n}`,
    methods: [
      { name: 'Clopper–Pearson', role: 'size' },
      { name: 'Wilson', role: 'reported' },
      { name: 'Newcombe (difference from rate .5)', role: 'reported' },
    ],
    alphas: [0.05],
    simulate: (rng) => {
      const x = drawBinomial(n, rate, rng);
      const y = drawBinomial(n, 0.5, rng);
      return [
        covered(clopperPearson(x, n), rate),
        covered(wilson(x, n), rate),
        covered(newcombe(x, n, y, n), rate - 0.5),
      ];
    },
  };
}

/** FR(3) − FR(0) with three items of each strength per question, whose rates move together. */
function clusterCoverageCell(): Cell {
  return {
    study: 'misses of 95% intervals',
    shape: 'flip rates, 40 questions × 6 items',
    size: '300 draws',
    methods: [{ name: 'cluster bootstrap of FR(3) − FR(0)', role: 'reported' }],
    alphas: [0.05],
    share: 0.25,
    simulate: (rng) => {
      const items = Array.from({ length: 40 }, (_, q) => questionItems(`q${q}`, rng)).flat();
      const { interval } = flipRates(items, { rng, draws: 300 }).overall!;
      return [covered(interval!, 0.5)];
    },
  };
}

/** Rates .7 and .2 on average; a question shifts both by up to .15. */
function questionItems(question: string, rng: Rng): FlipItem[] {
  const shift = 0.3 * (rng.unit() - 0.5);
  return ([0, 3] as const).flatMap((strength) =>
    Array.from({ length: 3 }, () => ({
      question,
      strength,
      flipped: rng.unit() < (strength === 3 ? 0.7 : 0.2) + shift,
    })),
  );
}

function meanCoverageCell(): Cell {
  const n = 20;
  return {
    study: 'misses of 95% intervals',
    shape: 'mean of a skewed sample',
    size: `n = ${n}, 400 draws`,
    methods: ['percentile', 'bias-corrected', 'BCa'].map((name) => ({ name, role: 'reported' as const })),
    alphas: [0.05],
    share: 0.5,
    simulate: (rng) => {
      const x = Array.from({ length: n }, () => drawNormal(rng) ** 2);
      const { percentile, biasCorrected, bca } = bootstrap({
        units: n,
        statistic: (indices) => {
          let sum = 0;
          for (let i = 0; i < indices.length; i++) sum += x[indices[i]!]!;
          return sum / indices.length;
        },
        resamples: resampleIndices(n, 400, rng),
      });
      return [percentile, biasCorrected, bca].map((interval) => covered(interval!, 1));
    },
  };
}

/** Scores of 20 harmless and 20 meaningful changes, normal and one standard deviation apart. */
function aucCoverageCell(): Cell {
  const n = 20;
  const labels = Array.from({ length: 2 * n }, (_, i) => Number(i >= n));
  const truth = normalCdf(Math.SQRT1_2);
  return {
    study: 'misses of 95% intervals',
    shape: 'AUC .76',
    size: `n = ${n} per class`,
    methods: ['DeLong', 'bootstrap of the AUC, 300 draws'].map((name) => ({
      name,
      role: 'reported' as const,
    })),
    alphas: [0.05],
    share: 0.5,
    simulate: (rng) => {
      const scores = labels.map((label) => label + drawNormal(rng));
      const { biasCorrected, percentile } = rocBootstrap(labels, scores, auc, { draws: 300, rng });
      return [
        covered(delong(labels, scores)!.interval, truth),
        covered((biasCorrected ?? percentile)!, truth),
      ];
    },
  };
}

/** Of 100 items of the population, how many the judge puts at the row's level and a person at the column's. */
const RATINGS = [
  [20, 5, 0, 0],
  [5, 20, 5, 0],
  [0, 5, 15, 5],
  [0, 0, 5, 15],
];

function agreementCoverageCell(): Cell {
  const [n, draws] = [40, 300];
  const scale = [0, 1, 2, 3];
  const pairs = RATINGS.flatMap((row, i) =>
    row.flatMap((count, j) => new Array<[number, number]>(count).fill([i, j])),
  );
  const rated = (items: [number, number][]) => [0, 1].map((rater) => items.map((item) => item[rater]!));
  // Fifty times the population: the correction of alpha for few items is gone.
  const whole = rated(Array.from({ length: 50 }, () => pairs).flat());
  const [trueKappa, trueAlpha] = [kappa(RATINGS, 'linear')!, krippendorffAlpha(whole, scale, 'ordinal')!];
  return {
    study: 'misses of 95% intervals',
    shape: `two raters of four levels, kappa ${trueKappa.toFixed(2)}`,
    size: `n = ${n}, ${draws} draws`,
    methods: ['kappa, linear weights, bootstrap', 'kappa, large-sample', 'alpha, ordinal, bootstrap'].map(
      (name) => ({ name, role: 'reported' as const }),
    ),
    alphas: [0.05],
    share: 0.25,
    simulate: (rng) => {
      const [a, b] = rated(Array.from({ length: n }, () => pairs[rng.below(pairs.length)]!));
      const byDraws = kappaBootstrap(a!, b!, scale, { weights: 'linear', draws, rng });
      const alpha = krippendorffBootstrap([a!, b!], scale, 'ordinal', { draws, rng });
      return [
        covered((byDraws.biasCorrected ?? byDraws.percentile)!, trueKappa),
        covered(kappaAsymptotic(agreementTable(a!, b!, scale), 'linear')!.interval, trueKappa),
        covered((alpha.biasCorrected ?? alpha.percentile)!, trueAlpha),
      ];
    },
  };
}

const covered = ({ low, high }: { low: number; high: number }, truth: number) =>
  Number(truth >= low - 1e-12 && truth <= high + 1e-12);
