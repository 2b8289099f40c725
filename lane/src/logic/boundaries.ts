// Every boundary that this build can cross, oldest first: one for each frozen engine.
import type { Boundary } from './boundary.ts';
import { from6 } from './boundary-6.ts';
import { from7 } from './boundary-7.ts';

export const boundaries: readonly Boundary[] = [from6, from7];
