// A vault whose wrapping key can be rotated: the newest seals, and what older ones sealed opens until it is sealed anew.
import type { SecretVault } from '../ports/vault.ts';

export class RotatingVault implements SecretVault {
  readonly #newest: SecretVault;
  readonly #all: readonly SecretVault[];

  constructor(newest: SecretVault, older: readonly SecretVault[]) {
    this.#newest = newest;
    this.#all = [newest, ...older];
  }

  seal(secret: Uint8Array, owner: string): string {
    return this.#newest.seal(secret, owner);
  }

  open(sealed: string, owner: string): Uint8Array {
    let failure: unknown = null;
    for (const vault of this.#all) {
      try {
        return vault.open(sealed, owner);
      } catch (error) {
        // Of another generation, or altered: then none of them opens it.
        failure = error;
      }
    }
    throw failure;
  }
}
