// Keyed digests: what is stored of a token, and how a value is authenticated or made a pseudonym.

export type DigestPurpose =
  | 'token'
  | 'challenge'
  | 'cursor'
  | 'address'
  | 'operator'
  | 'envelope'
  | 'reference'
  | 'looks'
  | 'database'
  | 'exclusion'
  | 'grant'
  | 'consent';

export interface Secrets {
  /** HMAC-SHA-256 under a key of its own for each purpose, in base64url. */
  digest(purpose: DigestPurpose, text: string): string;
  /** Equal length or not, the time it takes does not tell where two digests differ. */
  isEqual(a: string, b: string): boolean;
}
