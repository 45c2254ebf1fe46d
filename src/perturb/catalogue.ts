import type { Generator } from './generator';
import { listGenerators } from './listOrder';
import { personaGenerators } from './persona';
import { rewordingGenerators } from './rewording';
import { sentenceSurfaceGenerators } from './sentenceSurface';
import { surfaceGenerators } from './surface';

/** Every generator that needs no model. To add one, put it into the list of its family. */
export const catalogue: readonly Generator[] = [
  ...surfaceGenerators,
  ...listGenerators,
  ...personaGenerators,
  ...rewordingGenerators,
  ...sentenceSurfaceGenerators,
];
