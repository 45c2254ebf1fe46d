/** What is noted down of requests that were handed to a server as one batch, so that a run can go on days later. */
import { z } from 'zod';

/** Ids that a server gives: they become part of an address. */
export const serverIdSchema = z.string().regex(/^[\w.-]{1,200}$/);

export const batchNoteSchema = z.object({
  /** Of the server, with its path. */
  address: z.string(),
  inputFileId: serverIdSchema,
  /** Null: the file was sent; whether a batch was made of it is to be asked. */
  batchId: serverIdSchema.nullable(),
  /** Which requests it holds, by their content. */
  requests: z.array(z.string()),
});
export type BatchNote = z.infer<typeof batchNoteSchema>;
