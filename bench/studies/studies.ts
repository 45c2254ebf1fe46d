import { fisher } from './fisher';
import { personas } from './personas';
import type { Study } from './study';

/** Every study, in the order in which `all` runs them. */
export const studies = [personas, fisher] as unknown as Study[];
