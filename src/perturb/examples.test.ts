import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { promptFromFile } from '../prompts/promptFile';
import { checkPromptText } from '../prompts/readPrompt';
import { bindVariables } from '../prompts/variables';
import { createRng } from '../stats/rng';
import { generatePerturbations } from './generate';

const folder = join(import.meta.dirname, '../../examples');

it.each(readdirSync(folder).filter((name) => name.endsWith('.prompt')))(
  'examples/%s can be checked as it is',
  (name) => {
    const { text, variables } = promptFromFile(readFileSync(join(folder, name), 'utf8'), name);
    checkPromptText(text);
    const { perturbations } = generatePerturbations(text, { rng: createRng(1) });
    expect(perturbations.length).toBeGreaterThanOrEqual(8);
    for (const perturbation of perturbations) {
      expect(bindVariables(perturbation.text, variables).map).toHaveLength(Object.keys(variables).length);
    }
  },
);
