// SHA-256 (FIPS 180-4) over bytes, without a platform: the hash that names markets and chains the journal.

import { assert } from './assert.ts';

export function sha256Hex(bytes: Uint8Array): string {
  return new Sha256().update(bytes).digestHex();
}

/** Bytes go in by any number of updates; the digest is taken once. */
export class Sha256 {
  readonly #state = Int32Array.from(INITIAL_STATE);
  readonly #block = new Uint8Array(BLOCK_BYTES);
  #filled = 0;
  #length = 0;
  #isFinished = false;

  update(bytes: Uint8Array): this {
    assert(!this.#isFinished, 'no bytes after the digest');
    this.#length += bytes.length;
    let offset = 0;
    if (this.#filled > 0) {
      offset = lesser(BLOCK_BYTES - this.#filled, bytes.length);
      this.#block.set(bytes.subarray(0, offset), this.#filled);
      this.#filled += offset;
      if (this.#filled < BLOCK_BYTES) return this;
      compress(this.#state, this.#block, 0);
      this.#filled = 0;
    }
    for (; offset + BLOCK_BYTES <= bytes.length; offset += BLOCK_BYTES) {
      compress(this.#state, bytes, offset);
    }
    this.#block.set(bytes.subarray(offset));
    this.#filled = bytes.length - offset;
    return this;
  }

  /** Goes on from the same bytes on its own. */
  copy(): Sha256 {
    const copy = new Sha256();
    copy.#state.set(this.#state);
    copy.#block.set(this.#block);
    copy.#filled = this.#filled;
    copy.#length = this.#length;
    return copy;
  }

  digest(): Uint8Array {
    this.#finish();
    const digest = new Uint8Array(32);
    this.#state.forEach((word, index) => {
      writeWord(digest, 4 * index, word);
    });
    return digest;
  }

  digestHex(): string {
    let hex = '';
    for (const byte of this.digest()) hex += HEX[byte];
    return hex;
  }

  /** A one bit, zeros, and the length in bits as a 64-bit integer. */
  #finish(): void {
    assert(!this.#isFinished, 'the digest is taken once');
    this.#isFinished = true;
    const block = this.#block;
    block.fill(0, this.#filled);
    block[this.#filled] = 0x80;
    if (this.#filled >= BLOCK_BYTES - 8) {
      compress(this.#state, block, 0);
      block.fill(0);
    }
    // exact: the remainder was taken off
    writeWord(block, 56, (this.#length - (this.#length % 2 ** 29)) / 2 ** 29);
    writeWord(block, 60, (this.#length % 2 ** 29) * 8);
    compress(this.#state, block, 0);
  }
}

const BLOCK_BYTES = 64;

const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

/** The first 32 bits of the fractional parts of the square roots of the first eight primes. */
const INITIAL_STATE = [
  0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19,
] as const;

/** The same of the cube roots of the first sixty-four. */
const ROUND_CONSTANTS = Int32Array.of(
  0x428a2f98,
  0x71374491,
  0xb5c0fbcf,
  0xe9b5dba5,
  0x3956c25b,
  0x59f111f1,
  0x923f82a4,
  0xab1c5ed5,
  0xd807aa98,
  0x12835b01,
  0x243185be,
  0x550c7dc3,
  0x72be5d74,
  0x80deb1fe,
  0x9bdc06a7,
  0xc19bf174,
  0xe49b69c1,
  0xefbe4786,
  0x0fc19dc6,
  0x240ca1cc,
  0x2de92c6f,
  0x4a7484aa,
  0x5cb0a9dc,
  0x76f988da,
  0x983e5152,
  0xa831c66d,
  0xb00327c8,
  0xbf597fc7,
  0xc6e00bf3,
  0xd5a79147,
  0x06ca6351,
  0x14292967,
  0x27b70a85,
  0x2e1b2138,
  0x4d2c6dfc,
  0x53380d13,
  0x650a7354,
  0x766a0abb,
  0x81c2c92e,
  0x92722c85,
  0xa2bfe8a1,
  0xa81a664b,
  0xc24b8b70,
  0xc76c51a3,
  0xd192e819,
  0xd6990624,
  0xf40e3585,
  0x106aa070,
  0x19a4c116,
  0x1e376c08,
  0x2748774c,
  0x34b0bcb5,
  0x391c0cb3,
  0x4ed8aa4a,
  0x5b9cca4f,
  0x682e6ff3,
  0x748f82ee,
  0x78a5636f,
  0x84c87814,
  0x8cc70208,
  0x90befffa,
  0xa4506ceb,
  0xbef9a3f7,
  0xc67178f2,
);

const SCHEDULE = new Int32Array(64);

function compress(state: Int32Array, bytes: Uint8Array, offset: number): void {
  expand(bytes, offset);
  let a = word(state, 0);
  let b = word(state, 1);
  let c = word(state, 2);
  let d = word(state, 3);
  let e = word(state, 4);
  let f = word(state, 5);
  let g = word(state, 6);
  let h = word(state, 7);
  for (let i = 0; i < 64; i++) {
    const big1 = ((e >>> 6) | (e << 26)) ^ ((e >>> 11) | (e << 21)) ^ ((e >>> 25) | (e << 7));
    const choice = g ^ (e & (f ^ g));
    const t1 = (h + big1 + choice + word(ROUND_CONSTANTS, i) + word(SCHEDULE, i)) | 0;
    const big0 = ((a >>> 2) | (a << 30)) ^ ((a >>> 13) | (a << 19)) ^ ((a >>> 22) | (a << 10));
    const t2 = (big0 + ((a & b) | (c & (a | b)))) | 0;
    h = g;
    g = f;
    f = e;
    e = (d + t1) | 0;
    d = c;
    c = b;
    b = a;
    a = (t1 + t2) | 0;
  }
  state[0] = word(state, 0) + a;
  state[1] = word(state, 1) + b;
  state[2] = word(state, 2) + c;
  state[3] = word(state, 3) + d;
  state[4] = word(state, 4) + e;
  state[5] = word(state, 5) + f;
  state[6] = word(state, 6) + g;
  state[7] = word(state, 7) + h;
}

function expand(bytes: Uint8Array, offset: number): void {
  for (let i = 0; i < 16; i++) {
    const at = offset + 4 * i;
    SCHEDULE[i] =
      ((bytes[at] ?? 0) << 24) |
      ((bytes[at + 1] ?? 0) << 16) |
      ((bytes[at + 2] ?? 0) << 8) |
      (bytes[at + 3] ?? 0);
  }
  for (let i = 16; i < 64; i++) {
    const x = word(SCHEDULE, i - 15);
    const y = word(SCHEDULE, i - 2);
    const small0 = ((x >>> 7) | (x << 25)) ^ ((x >>> 18) | (x << 14)) ^ (x >>> 3);
    const small1 = ((y >>> 17) | (y << 15)) ^ ((y >>> 19) | (y << 13)) ^ (y >>> 10);
    SCHEDULE[i] = small0 + small1 + word(SCHEDULE, i - 7) + word(SCHEDULE, i - 16);
  }
}

function word(words: Int32Array, index: number): number {
  return words[index] ?? 0;
}

function writeWord(bytes: Uint8Array, offset: number, value: number): void {
  bytes[offset] = value >>> 24;
  bytes[offset + 1] = value >>> 16;
  bytes[offset + 2] = value >>> 8;
  bytes[offset + 3] = value;
}

function lesser(a: number, b: number): number {
  if (a < b) return a;
  return b;
}
