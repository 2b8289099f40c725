// The end of a user: what is known of the person goes, the ids stay.

export interface ClosingStore {
  /**
   * Sessions, factors, profile, links, answers and what is known of addresses are deleted; keys are revoked and lose what
   * their owner wrote. The user is found by nothing any more, and the address of mail is free. False if there is none.
   */
  erase(userId: string, atMs: number): Promise<boolean>;
}
