// What users are told by mail of their own security.
import type { UserRecord } from '../ports/platform.ts';

export interface SecurityLetters {
  /** Operators have removed every second factor of the user. False where no mail is sent; nobody waits for it. */
  factorsRemoved(user: UserRecord, heldUntilMs: number): boolean;
}
