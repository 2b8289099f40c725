// HMAC-SHA-256 (RFC 2104) over bytes, without a platform: what draws moments that nobody outside may know.
import { Sha256 } from './sha256.ts';

const BLOCK_BYTES = 64;
const INNER = 0x36;
const OUTER = 0x5c;

/** Under one key: what both hashes begin with is worked out once. */
export class HmacSha256 {
  readonly #inner: Sha256;
  readonly #outer: Sha256;

  constructor(key: Uint8Array) {
    const short = key.length > BLOCK_BYTES ? new Sha256().update(key).digest() : key;
    this.#inner = new Sha256().update(padded(short, INNER));
    this.#outer = new Sha256().update(padded(short, OUTER));
  }

  digest(message: Uint8Array): Uint8Array {
    return this.#outer.copy().update(this.#inner.copy().update(message).digest()).digest();
  }
}

function padded(key: Uint8Array, pad: number): Uint8Array {
  const block = new Uint8Array(BLOCK_BYTES).fill(pad);
  for (let index = 0; index < key.length; index += 1) block[index] = key[index]! ^ pad;
  return block;
}
