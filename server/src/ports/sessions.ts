// The sessions of a user as a list, beside what the platform store does with one.
import type { SessionRecord } from './platform.ts';

export interface SessionList {
  /** Those that are open, the newest first. */
  of(userId: string, nowMs: number): Promise<readonly SessionRecord[]>;
  /** When the last one was begun that is still kept, open or not; null if none is. */
  lastBegunMs(userId: string): Promise<number | null>;
  /** Whether one that is still kept, open or not, was begun in the network. */
  hasBegunFrom(userId: string, network: string): Promise<boolean>;
  /** Gives how many have ended by it. */
  endOthers(userId: string, keptSessionId: string, atMs: number): Promise<number>;
  /** Later times only; an earlier one changes nothing. */
  touch(seen: ReadonlyMap<string, number>): Promise<void>;
}
