// Passwords: slow hashes with bounded work, and a judge of strength.

export type Strength =
  | { readonly isStrong: true }
  | {
      readonly isStrong: false;
      /** It leans on what is known of its owner, is one that many have, or is guessed in another way. */
      readonly reason: 'personal' | 'common' | 'guessable';
    };

/** Every method gives null when too much is being worked on: better refused than queued for ever. */
export interface Passwords {
  hash(password: string): Promise<string | null>;
  /** Without a hash it costs the same work and never matches. */
  verify(hash: string | null, password: string): Promise<boolean | null>;
  /** `about` are words the password must not lean on. */
  judge(password: string, about: readonly string[]): Promise<Strength | null>;
  close(): Promise<void>;
}
