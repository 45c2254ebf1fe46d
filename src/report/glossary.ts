/** Every term that the report uses, in one line each. The page and docs/ both take it from here. */
import type { GlossaryEntry } from '../contracts/reportView';

export const glossary: readonly GlossaryEntry[] = [
  {
    id: 'baseline',
    term: 'Baseline',
    meaning: 'The prompt as it stands, asked several times. Everything else is compared with these answers.',
    formula: null,
  },
  {
    id: 'perturbation',
    term: 'Perturbation',
    meaning:
      'A small change of the prompt, such as a trailing space or a contraction, that should not change the answers.',
    formula: null,
  },
  {
    id: 'verdict',
    term: 'Verdict',
    meaning:
      'Changed: adjusted p at or below the level. No change detected: not so, and what would have been caught is stated. Undecided: too little or compromised data.',
    formula: null,
  },
  {
    id: 'effect',
    term: 'Effect H',
    meaning:
      'How far the answers moved: 0 is not at all, 1 is nothing in common. Corrected for chance: what shuffling the answers produces on average counts as 0, so small negative values are normal.',
    formula:
      'H = (2·mean d(Y,Y′) − mean d(Y,Y) − mean d(Y′,Y′)) / (2·mean d(Y,Y′));  shown: (H − mean) / (1 − mean), the mean that of H over permutations',
  },
  {
    id: 'size',
    term: 'A little, strongly',
    meaning:
      'How far answers moved that were seen to move. A little: the whole interval of the effect lies under 0.15. Strongly: all of it lies at or above 0.30. Neither word: the interval does not say it.',
    formula: null,
  },
  {
    id: 'interval',
    term: 'Confidence interval (CI)',
    meaning:
      'The range of effects that agree with the answers seen: about 95 of 100 such ranges hold the true effect, more than that where little moved. It is not corrected for having tried several changes and decides nothing: beside a small adjusted p it may well hold 0.',
    formula: 'Bootstrap over answers within each arm, bias-corrected percentiles',
  },
  {
    id: 'noise-floor',
    term: 'Noise floor',
    meaning:
      'Effects that appear when nothing was changed. The verdict does not rest on it: a change that the test finds can be small enough to lie inside this band.',
    formula:
      'Effect between random halves of the baseline, scaled to arms of full size; the band ends at its 95th percentile',
  },
  {
    id: 'p',
    term: 'p-value',
    meaning:
      'How often shuffling which answer belongs to which prompt gives a difference at least as large as the one seen.',
    formula: 'p = (1 + #{Tπ ≥ T}) / (1 + B), over B permutations of the pooled answers',
  },
  {
    id: 'adjusted-p',
    term: 'Adjusted p',
    meaning:
      'The p-value after paying for having asked several questions at once. Verdicts use this one only.',
    formula:
      'Holm, unless another method was chosen: pᵢ in increasing order times (m − i + 1), kept monotone, at most 1; m counts the changes that could be tested',
  },
  {
    id: 'mde',
    term: 'Minimum detectable effect (MDE)',
    meaning:
      'The smallest share of answers that would have to turn into unrelated ones to be found with the stated power. A milder change needs a larger share.',
    formula: 'By simulation from the baseline answers at this number of samples and level',
  },
  {
    id: 'omnibus',
    term: 'Omnibus test',
    meaning:
      'All statistics tested together with one p-value, so that no choice of distance or embedder can flip the verdict.',
    formula: 'T = max over statistics f of (T_f − mean_π) / sd_π, from one common set of permutations',
  },
  {
    id: 'step-down',
    term: 'Step-down p',
    meaning: 'The p-value of one statistic, adjusted for all of the family (Westfall–Young).',
    formula: null,
  },
  {
    id: 'p0-p1',
    term: 'P0 and P1',
    meaning:
      'Similarities of the baseline’s answers among each other (P0), and of the baseline’s answers to the perturbed ones (P1). Where both agree, nothing moved.',
    formula: 'P0 = {s(yᵢ, yⱼ) : i < j},  P1 = {s(yᵢ, y′ⱼ)}',
  },
  {
    id: 'jsd',
    term: 'JS distance',
    meaning: 'Jensen–Shannon distance between the histograms of P0 and P1.',
    formula: '√(½ KL(P0‖M) + ½ KL(P1‖M)), M = ½(P0 + P1), at most √ln 2 = 0.833',
  },
  {
    id: 'energy',
    term: 'Energy distance',
    meaning: 'Distance between two sets of answers that is zero only where they are distributed alike.',
    formula: '2·mean d(Y,Y′) − mean d(Y,Y) − mean d(Y′,Y′)',
  },
  {
    id: 'mmd',
    term: 'MMD',
    meaning: 'Maximum mean discrepancy with a Gaussian kernel, at five widths from fine to coarse.',
    formula: 'unbiased MMD², kernel exp(−d²/2σ²), σ = ¼, ½, 1, 2, 4 × median distance',
  },
  {
    id: 'label',
    term: 'Label statistic',
    meaning: 'Compares the extracted answers (yes or no, an option, a field) themselves.',
    formula: 'Total variation: ½ Σ |share − share′|',
  },
  {
    id: 'string',
    term: 'String statistic',
    meaning: 'Compares the answers letter by letter. It sees what a sentence encoder is blind to.',
    formula: 'MMD with the share of equal characters as kernel, texts padded to the longest one',
  },
  {
    id: 'strength',
    term: 'Strength',
    meaning:
      'How much a change interferes with the task: 0 negligible, 1 weak, 2 moderate, 3 strong. By construction, judged by a model, or rated by you.',
    formula: null,
  },
  {
    id: 'looks',
    term: 'Looks and their boundary',
    meaning:
      'A check may test the answers while they come in, at numbers of answers that were fixed before. Each look has a level of its own, small at first; they add up to the level of the check, so that looking often does not make false alarms likelier. A change that crosses is decided and asked no more.',
    formula:
      'level of look i: α(tᵢ) − α(tᵢ₋₁), α(t) = 2 − 2Φ(z_{α/2}/√t);  p = min over the looks of pᵢ·α/levelᵢ',
  },
  {
    id: 'composite',
    term: 'Among rewordings',
    meaning:
      'Any edit moves the answers a little. So harmless rewordings of the prompt before it are asked too, and each is scored by how far its answers lie from those of all others. An edit counts as changed only if it stands further out than they do.',
    formula: 'p = (1 + number of rewordings at least as far out) / (rewordings + 1)',
  },
  {
    id: 'roc',
    term: 'ROC and AUC',
    meaning:
      'How well p tells changes that should matter from those that should not, over all thresholds. 1: perfectly, 0.5: as well as a coin.',
    formula:
      'TPR(t) = share of meaningful changes with p ≤ t, FPR(t) = the same of harmless ones; AUC = P(p of a meaningful < p of a harmless), ties counted half',
  },
  {
    id: 'map',
    term: 'Map of answers',
    meaning:
      'Answers drawn in the two directions in which their embeddings vary most. A sketch: most of what varies may lie in other directions, and no verdict rests on it.',
    formula:
      'First two principal components of the embeddings (the same as classical MDS of their distances)',
  },
  {
    id: 'density',
    term: 'Smoothed line',
    meaning: 'The histogram with its steps smoothed away, for the eye only.',
    formula: 'Gaussian kernel over the bins, width 1.06 · sd · n^(−1/5), folded back at both ends',
  },
  {
    id: 'flip-rate',
    term: 'Flip rate',
    meaning:
      'The share of changes of one strength that change the answer. Figures from fewer than 10 changes are greyed: they claim nothing.',
    formula: 'FR(s) = flips / n among changes of strength s, with Wilson’s 95% interval',
  },
  {
    id: 'equivalent',
    term: 'Equivalent',
    meaning:
      'The whole interval of the effect lies under the margin that you chose: whatever moved is too small to matter to you.',
    formula: 'CI high < margin',
  },
];
