import { z } from 'zod';

/** What a kept run can be written as. `perturbations`: CSV of the changes; `csv`: CSV of the samples. */
export const exportFormatSchema = z.enum([
  'html',
  'json',
  'markdown',
  'csv',
  'perturbations',
  'junit',
  'sarif',
]);
export type ExportFormat = z.infer<typeof exportFormatSchema>;
