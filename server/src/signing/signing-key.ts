// HMAC-SHA256 (RFC 2104) under one secret, for as many texts as its holder signs.
import { hash } from 'node:crypto';

const BLOCK_BYTES = 64;
const DIGEST_BYTES = 32;
const INNER_PAD = 0x36;
const OUTER_PAD = 0x5c;
/** What is signed is seldom longer: it holds the hash of a body, not the body. */
const USUAL_BYTES_MAX = 960;

/** Where the text of the moment is laid behind the secret of its signer. */
const laidOut = Buffer.alloc(BLOCK_BYTES + USUAL_BYTES_MAX);

/**
 * Two hashes of what was made ready once. `createHmac` sets up three contexts for each text, which under load costs twice as much;
 * a test holds the two against each other.
 */
export class SigningKey {
  readonly #inner: Buffer;
  /** With room for the first hash behind it. */
  readonly #outer: Buffer;

  constructor(secret: Uint8Array) {
    const key = secret.length > BLOCK_BYTES ? hash('sha256', secret, 'buffer') : secret;
    this.#inner = Buffer.alloc(BLOCK_BYTES, INNER_PAD);
    this.#outer = Buffer.alloc(BLOCK_BYTES + DIGEST_BYTES, OUTER_PAD);
    for (const [at, byte] of key.entries()) {
      this.#inner[at] = byte ^ INNER_PAD;
      this.#outer[at] = byte ^ OUTER_PAD;
    }
  }

  /** In hexadecimal digits. */
  digest(text: string | Uint8Array): string {
    this.#outer.write(hash('sha256', this.#keyed(text), 'hex'), BLOCK_BYTES, 'hex');
    return hash('sha256', this.#outer, 'hex');
  }

  #keyed(text: string | Uint8Array): Uint8Array {
    // A character of a text is three bytes at most.
    if (typeof text !== 'string' || text.length * 3 > USUAL_BYTES_MAX) {
      return Buffer.concat([this.#inner, Buffer.from(text)]);
    }
    laidOut.set(this.#inner);
    return laidOut.subarray(0, BLOCK_BYTES + laidOut.write(text, BLOCK_BYTES));
  }
}
