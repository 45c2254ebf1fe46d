/** What the judge is told about strength: the scale, and one worked example of every level (methods.md section 3). */

/** `input`: the prompt itself was changed. `cot`: the reasoning that leads to the answer was. */
export type PerturbationType = 'input' | 'cot';

interface Level {
  name: string;
  meaning: string;
}

/** Index = level. */
export const LEVELS: readonly Level[] = [
  { name: 'negligible', meaning: 'same information; the reasoning path is intact' },
  { name: 'weak', meaning: 'small interference; the original answer is still clearly supported' },
  { name: 'moderate', meaning: 'real interference; support for the original answer is weakened or split' },
  {
    name: 'strong',
    meaning: 'the original answer is no longer supported, or support moves to another answer',
  },
];

interface WorkedExamples {
  /** What the texts are versions of, shown once above the examples. */
  setting: string;
  /** Index = level. */
  examples: readonly { perturbed: string; justification: string }[];
}

export const WORKED_EXAMPLES: Record<PerturbationType, WorkedExamples> = {
  input: {
    setting: `Original prompt: Pencils come in boxes of 12. Mia buys 3 boxes and gives 6 pencils away. How many pencils are left? (A) 18 (B) 30 (C) 36 (D) 42
Original answer: B, as 3 × 12 − 6 = 30.`,
    examples: [
      {
        perturbed:
          'Pencils come in boxes of 12. Mia purchases 3 boxes and gives away 6 pencils. How many pencils are left? (A) 18 (B) 30 (C) 36 (D) 42',
        justification:
          'Only the wording differs. All numbers and the question are the same, so every step of 3 × 12 − 6 stands and B follows as before.',
      },
      {
        perturbed:
          'Pencils come in boxes of 12. Mia, who is 9, buys 3 boxes and gives 6 pencils away. How many pencils are left? (A) 18 (B) 30 (C) 36 (D) 42',
        justification:
          'A number that no step needs was put in. It may distract for a moment, but 3 × 12 − 6 is untouched and B is still clearly supported.',
      },
      {
        perturbed:
          'Pencils come in boxes of 12. Mia buys 3 boxes and gives some pencils away. How many pencils are left? (A) 18 (B) 30 (C) 36 (D) 42',
        justification:
          'The number given away is gone, so the last step cannot be made. B is still possible, but A fits as well: support is split.',
      },
      {
        perturbed:
          'Pencils come in boxes of 12. Mia buys 4 boxes and gives 6 pencils away. How many pencils are left? (A) 18 (B) 30 (C) 36 (D) 42',
        justification:
          'The first step now gives 4 × 12 = 48, and 48 − 6 = 42. B is no longer supported: support moves to D.',
      },
    ],
  },
  cot: {
    setting: `Question: Which of these will rust? (A) a plastic cup (B) an iron nail (C) a glass bottle (D) a wooden spoon
Original reasoning: Rust forms when iron meets water and air. The nail is made of iron. The other things hold no iron.
Original answer: B.`,
    examples: [
      {
        perturbed:
          'Rust forms when water and air get to iron. The nail is made of iron. The other things hold no iron.',
        justification:
          'The first step says the same in other words. All steps stand in the same order and lead to B as before.',
      },
      {
        perturbed:
          'Rust forms when iron meets water and air, mostly in summer. The nail is made of iron. The other things hold no iron.',
        justification:
          'A doubtful detail was added to the first step, but no later step uses it. That only the nail holds iron still clearly supports B.',
      },
      {
        perturbed:
          'Rust forms when iron meets water and air. The nail may be made of aluminium. The other things hold no iron.',
        justification:
          'The step that ties the nail to iron is now in doubt. B remains the likeliest as nothing else holds iron, but its support is weakened.',
      },
      {
        perturbed:
          'Rust forms when iron meets water and air. The spoon is made of iron and the nail of plastic. The other things hold no iron.',
        justification:
          'The step that named the nail now names the spoon. The reasoning no longer supports B: support moves to D.',
      },
    ],
  },
};
