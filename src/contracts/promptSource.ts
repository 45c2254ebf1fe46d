import { z } from 'zod';

/** Where a checked prompt comes from; null for text without a file. @param span the schema of ranges, of the record that this is a part of */
export const promptSourceSchema = <Span extends z.ZodObject<{ start: z.ZodInt; end: z.ZodInt }>>(
  span: Span,
) =>
  z.object({
    /** As the person gave it, or relative to the workspace. */
    path: z.string(),
    uri: z.string().nullable(),
    range: span,
    /** Names around and of a prompt in source code or a list (foundPrompt.ts); its text is then at `map`, not at `range`. */
    symbol: z.string().optional(),
    /** Pieces of sourceMap.ts. */
    map: z
      .array(z.object({ start: z.int().min(0), end: z.int().min(0), source: span, verbatim: z.boolean() }))
      .optional(),
  });
