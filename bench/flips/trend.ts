import { mkdirSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { FlipsRecord } from '../../src/contracts/flipsRecord';
import type { Question } from '../../src/contracts/perturbationSet';
import { ruleBased } from '../../src/engine/flipsConditions';
import type { Model } from '../../src/engine/ports';
import { askQuestions } from './ask';

interface QuestionSet {
  name: string;
  questions: Question[];
}
const SEED = 1;
export const KINDS = ['surface', 'rewording', 'mistake'] as const;

/** FR at declared strength 0 (surface, rewording) against strength 3 (mistake), each set and both together. */
export async function trendStudy({
  model,
  sets,
  folder,
}: {
  model: Model;
  sets: QuestionSet[];
  folder: string | null;
}): Promise<number> {
  const perturb = ruleBased({ kinds: [...KINDS], levels: [0, 3], seed: SEED });
  const groups =
    sets.length > 1
      ? [{ name: sets.map(({ name }) => name).join(' + '), questions: sets.flatMap((set) => set.questions) }]
      : sets;
  const all = groups[0]!;
  let shown = 0;
  const record = await askQuestions({
    model,
    questions: all.questions,
    perturb,
    asText: false,
    seed: SEED,
    onProgress: (done, total) => {
      if (done - shown < 100) return;
      shown = done;
      console.error(`${done} of ${total}`);
    },
  });
  console.log(JSON.stringify({ sets: sets.length, load: os.loadavg()[0], folder, figures: record.figures }));
  if (folder !== null) {
    mkdirSync(folder, { recursive: true });
    writeFileSync(path.join(folder, 'flips.json'), JSON.stringify(strip(record)));
  }
  return 0;
}
const strip = (record: FlipsRecord) => record.figures;
