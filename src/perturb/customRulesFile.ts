import { parseDocument } from 'yaml';
import { z } from 'zod';
import { strengthLevelSchema } from '../contracts/perturbationSet';
import { expectationSchema } from '../contracts/runRecord';
import { UserError } from '../contracts/userError';
import type { CustomRule } from './custom';

const base = {
  name: z.string().min(1).optional(),
  expectation: expectationSchema.optional(),
  level: strengthLevelSchema.optional(),
  mayTouchProtected: z.boolean().optional(),
};
const text = z.string().min(1);
const rulesSchema = z
  .array(
    z.union([
      z.strictObject({ ...base, text }),
      z.strictObject({ ...base, texts: z.array(text).min(1) }),
      z.strictObject({ ...base, pattern: text, flags: z.string().optional(), replacement: z.string() }),
    ]),
  )
  .min(1);

const FORM =
  'It is a list; each entry has `text`, `texts`, or `pattern` and `replacement`, and may have name, level (0 to 3), expectation and mayTouchProtected.';

/**
 * The user's own perturbations, a list in YAML or JSON.
 * @throws UserError `invalidFile` with the entry that is not right, counted from 1
 */
export function parseCustomRules(yaml: string): CustomRule[] {
  const doc = parseDocument(yaml);
  const fault = doc.errors[0];
  if (fault !== undefined) throw new UserError('invalidFile', `This is not YAML: ${fault.message}`, FORM);
  const parsed = rulesSchema.safeParse(doc.toJS({ maxAliasCount: 0 }));
  if (parsed.success) return parsed.data as CustomRule[];
  const [entry] = parsed.error.issues[0]!.path;
  const where = typeof entry === 'number' ? `entry ${entry + 1} of the list` : 'the list';
  throw new UserError('invalidFile', `Your own perturbations: ${where} is not right.`, FORM);
}
