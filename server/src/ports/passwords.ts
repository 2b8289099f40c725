// Passwords: slow hashes with bounded work, and a judge of strength.
import type { Asker } from './turn-gate.ts';

export type Strength =
  | { readonly isStrong: true }
  | {
      readonly isStrong: false;
      /** It leans on what is known of its owner, is one that many have, or is guessed in another way. */
      readonly reason: 'personal' | 'common' | 'guessable';
    };

/** Every method gives null when the queue is full: a caller retries instead of waiting without end. */
export interface Passwords {
  hash(password: string, by: Asker): Promise<string | null>;
  /** Without a hash it costs the same work and never matches. */
  verify(hash: string | null, password: string, by: Asker): Promise<boolean | null>;
  /** `about` are words the password must not lean on. */
  judge(password: string, about: readonly string[], by: Asker): Promise<Strength | null>;
  close(): Promise<void>;
}
