import type { Generator } from './generator';
import { lengthGenerators } from './length';
import { listGenerators } from './listOrder';
import { mistakeGenerators } from './mistake';
import { personaGenerators } from './persona';
import { rewordingGenerators } from './rewording';
import { sentenceSurfaceGenerators } from './sentenceSurface';
import { surfaceGenerators } from './surface';
import { wordSurfaceGenerators } from './wordSurface';

/** Every generator that needs no model. To add one, put it into the list of its family. */
export const catalogue: readonly Generator[] = [
  ...surfaceGenerators,
  ...listGenerators,
  ...personaGenerators,
  ...rewordingGenerators,
  ...sentenceSurfaceGenerators,
  ...wordSurfaceGenerators,
  ...lengthGenerators,
  ...mistakeGenerators,
];
