// What users are told by mail of their own security.
import type { UserRecord } from '../ports/platform.ts';

export interface SecurityLetters {
  /** Many wrong passwords were given for the user that is found; no letter if none is. */
  guessed(find: () => Promise<UserRecord | null>): void;
  /** Operators have removed every second factor of the user. False where no mail is sent; nobody waits for it. */
  factorsRemoved(user: UserRecord, heldUntilMs: number): boolean;
}
