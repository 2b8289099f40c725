// Passwords: slow hashes with bounded work, and a judge of strength.

export type Strength =
  | { readonly isStrong: true }
  | {
      readonly isStrong: false;
      /** It leans on what is known of its owner, is one that many have, or is guessed in another way. */
      readonly reason: 'personal' | 'common' | 'guessable';
    };

/** On whose behalf a password is worked on: addresses take turns, and a signed-in user has one place in the queue. */
export interface Asker {
  /** The address, or the /64 of an IPv6 one. */
  readonly address: string;
  /** Null before the caller has signed in: a name that anyone may send must not block its owner. */
  readonly userId: string | null;
}

/** Every method gives null when the queue is full: a caller retries instead of waiting without end. */
export interface Passwords {
  hash(password: string, by: Asker): Promise<string | null>;
  /** Without a hash it costs the same work and never matches. */
  verify(hash: string | null, password: string, by: Asker): Promise<boolean | null>;
  /** `about` are words the password must not lean on. */
  judge(password: string, about: readonly string[], by: Asker): Promise<Strength | null>;
  close(): Promise<void>;
}
