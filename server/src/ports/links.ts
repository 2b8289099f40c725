// One-time links: kept as keyed hashes, each for one purpose and one user, gone when it is used.
import type { PasswordChanged } from './platform.ts';

export const linkKinds = ['verify_email', 'reset_password'] as const;
export type LinkKind = (typeof linkKinds)[number];

export interface LinkRecord {
  readonly tokenHash: string;
  readonly kind: LinkKind;
  readonly userId: string;
  readonly expiresAtMs: number;
  /** An operator saw it: whoever has it may not be the user. */
  readonly byHand: boolean;
}

export interface PasswordReset {
  readonly tokenHash: string;
  readonly passwordHash: string;
  readonly atMs: number;
  /** Destinations added since the first time are usable from the second one on. */
  readonly destinations: { readonly addedSinceMs: number; readonly usableFromMs: number };
  /** Until when trading is stopped if the link was handed out by an operator. */
  readonly tradingHeldUntilMs: number;
}

/** Every write is durable when its promise resolves, and happens whole or not at all. */
export interface LinkStore {
  /** A new link to reset the password ends the user's older ones; links to verify an address stay good together. */
  add(link: LinkRecord): Promise<void>;
  /** Null if it is unknown, used or over. */
  find(kind: LinkKind, tokenHash: string, nowMs: number): Promise<LinkRecord | null>;
  /** Uses it up, with all others of its kind and user; gives the user, or null if the link is not good any more. */
  confirmEmail(tokenHash: string, atMs: number): Promise<string | null>;
  /**
   * The same for a new password: it ends every session and every key of the user, counts as a change of the
   * password, and starts the delay of recent destinations again.
   */
  resetPassword(reset: PasswordReset): Promise<PasswordChanged | null>;
  /** Drops those that were over before the time. */
  prune(beforeMs: number): Promise<void>;
}
