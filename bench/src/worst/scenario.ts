// What a search for slow commands is made of: states of one kind, built and worked on in a process of their own.
import type { Watch } from './watch.ts';

export interface Scenario {
  readonly name: string;
  /** For the progress display. */
  readonly expectedSeconds: number;
  /** Builds its states, as large as `scale` times the largest, and times what is done to them. */
  run(watch: Watch, scale: number): void;
}

/** At least so many, however small the scale. */
export function scaled(count: number, scale: number, least = 2): number {
  return Math.max(least, Math.round(count * scale));
}
