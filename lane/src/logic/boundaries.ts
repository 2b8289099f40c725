// Every boundary that this build can cross, oldest first: one for each frozen engine.
import type { Boundary } from './boundary.ts';

export const boundaries: readonly Boundary[] = [];
