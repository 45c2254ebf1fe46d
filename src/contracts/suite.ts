/**
 * The suite file `evenkeel.yaml`: which prompts of a repository are checked, with what, and what makes a check fail. Every
 * key has its description and default here; the JSON schema and docs/suite-file.md are made from them (`npm run generate`).
 */
import { z } from 'zod';

export const SUITE_VERSION = 1;

const values = z.record(z.string(), z.union([z.string(), z.number(), z.boolean()]).transform(String));

const policySchema = z
  .strictObject({
    fail: z
      .array(
        z
          .string()
          .regex(
            /^(changed|wobbles|(effect|moved)\s*>=?\s*(0(\.\d+)?|1(\.0+)?|\.\d+))$/,
            'write changed, wobbles, or a bound such as effect > 0.2 or moved > 0.3',
          ),
      )
      .default(['changed', 'wobbles'])
      .describe(
        'What makes a command fail (exit code 1). `changed`: an edit moved the answers by more than harmless rewordings do. `wobbles`: a harmless change moved them. Or a bound: `effect > 0.2` (largest effect of a harmless change that moved the answers, or of the edit), `moved > 0.3` (share of changes that moved the answers).',
      ),
    undecided: z
      .enum(['pass', 'warn', 'fail'])
      .default('warn')
      .describe(
        'What an undecided check does: `pass` and `warn` end with exit code 0 (the second says so), `fail` with 3.',
      ),
  })
  .describe('What makes a command fail.');

export const suiteSchema = z.strictObject({
  version: z.literal(SUITE_VERSION).describe('Version of this file’s form.'),
  prompts: z
    .array(z.string().min(1))
    .min(1)
    .describe(
      'Prompt files: paths or globs from the folder of this file; `FILE:LINE` takes the part around a line.',
    ),
  cases: z
    .union([z.string().min(1), z.array(values).min(1)])
    .optional()
    .describe(
      'Values of variables, one check per case: a list, or the path of a JSONL or CSV file. Without it the prompts’ own sample values are taken.',
    ),
  model: z
    .string()
    .min(1)
    .default('local:qwen2.5-coder-0.5b')
    .describe('Model that is asked; `evenkeel models` lists them.'),
  system: z.string().optional().describe('System message.'),
  samples: z.int().min(4).max(2_000).default(20).describe('Answers per prompt.'),
  temperature: z.number().min(0).max(5).default(1).describe('Sampling temperature.'),
  answerTokens: z
    .int()
    .min(1)
    .max(4_096)
    .default(32)
    .describe('How many tokens of each answer are compared.'),
  alpha: z.number().min(0.0001).max(0.5).default(0.05).describe('Level of the tests.'),
  margin: z.number().gt(0).max(1).optional().describe('An effect surely below this is called the same.'),
  seed: z.int().min(0).optional().describe('Repeats runs exactly; without it each prompt has its own.'),
  changes: z
    .int()
    .min(1)
    .max(1_000)
    .default(10)
    .describe('Harmless changes of each prompt that `robustness` tries.'),
  rewordings: z
    .int()
    .min(1)
    .max(500)
    .optional()
    .describe(
      'Harmless rewordings that `check` compares an edit with; at least, and by default, what alpha needs (19).',
    ),
  budget: z
    .strictObject({
      calls: z.int().min(1).optional().describe('Answers at most.'),
      tokens: z.int().min(1).optional().describe('Tokens read and written at most.'),
      usd: z.number().gt(0).optional().describe('Dollars at most.'),
      seconds: z.number().gt(0).optional().describe('Seconds at most.'),
    })
    .default({})
    .describe('Hard caps on each check. A model that costs money is never asked by the hook without one.'),
  policy: policySchema.prefault({}),
  hook: z
    .strictObject({
      seconds: z
        .number()
        .gt(0)
        .default(120)
        .describe('Time that a commit may wait for each check: one of each changed prompt and case.'),
      late: z
        .enum(['pass', 'fail'])
        .default('pass')
        .describe('What happens to a commit when that time is up: it passes with a warning, or is refused.'),
    })
    .prefault({})
    .describe('The pre-commit hook (`evenkeel hook install`).'),
});
export type Suite = z.infer<typeof suiteSchema>;
export type SuitePolicy = Suite['policy'];
