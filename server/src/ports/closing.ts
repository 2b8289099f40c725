// The end of a user: what is known of the person goes, the ids stay.

/** What is left of everybody, so that nobody gets rid of those to whom he belongs by leaving. */
export interface Member {
  readonly userId: string;
  readonly referrerId: string | null;
}

export interface ClosingStore {
  /**
   * Sessions, factors, profile, links and answers are deleted; keys are revoked and lose what their owner wrote. Hashes of
   * addresses stay for their days, else an address could register again and again. The user is found by nothing any more, and the address of mail is free. False if there is none.
   */
  erase(userId: string, atMs: number): Promise<boolean>;
  /** Whether the account is closed or not. */
  memberById(userId: string): Promise<Member | null>;
  memberByAccount(accountId: string): Promise<Member | null>;
}
