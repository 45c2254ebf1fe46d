import { embedders } from './embedders';
import { fisher } from './fisher';
import { personas } from './personas';
import { roc } from './roc';
import type { Study } from './study';

/** Every study, in the order in which `all` runs them. */
export const studies = [embedders, fisher, personas, roc] as unknown as Study[];
