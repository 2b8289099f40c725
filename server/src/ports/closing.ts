// The end of a user: what is known of the person goes, the ids stay.

/** What is left of everybody, so that nobody gets rid of those to whom he belongs by leaving. */
export interface Member {
  readonly userId: string;
  readonly referrerId: string | null;
}

/** What outlives the account of somebody who has excluded himself: enough to know the address again, not to tell it. */
export interface KeptExclusion {
  /** Keyed; see `exclusionHash`. */
  readonly emailHash: string;
  readonly untilMs: number;
}

export interface ClosingStore {
  /**
   * Sessions, factors, profile, links and answers are deleted; keys are revoked and lose what their owner wrote; grants that the
   * user gave or holds as partner end. Hashes of
   * addresses stay for their days, else an address could register again and again. The user is found by nothing any more, and the address of mail is free. An exclusion
   * is kept from the same moment on. False if there is no such user.
   */
  erase(userId: string, atMs: number, exclusion?: KeptExclusion | null): Promise<boolean>;
  /** Until when whoever had the address is excluded; null if that is nobody, or over. */
  excludedUntilMs(emailHash: string, nowMs: number): Promise<number | null>;
  /** Drops exclusions that were over before the time. */
  pruneExclusions(beforeMs: number): Promise<void>;
  /** Whether the account is closed or not. */
  memberById(userId: string): Promise<Member | null>;
  memberByAccount(accountId: string): Promise<Member | null>;
}
