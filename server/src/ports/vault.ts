// Secrets that must be read again, at rest: encrypted, and bound to what they belong to.

export interface SecretVault {
  /** `owner` is bound in: a sealed secret that is moved to another record does not open there. */
  seal(secret: Uint8Array, owner: string): string;
  /** Throws when the text was altered, moved, or sealed under another key. */
  open(sealed: string, owner: string): Uint8Array;
}
