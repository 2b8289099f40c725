// The end of a user: what is known of the person goes, the ids stay.

export interface ClosingStore {
  /**
   * Sessions, factors, profile, links and answers are deleted; keys are revoked and lose what their owner wrote. Hashes of
   * addresses stay for their days, else an address could register again and again. The user is found by nothing any more, and the address of mail is free. False if there is none.
   */
  erase(userId: string, atMs: number): Promise<boolean>;
}
