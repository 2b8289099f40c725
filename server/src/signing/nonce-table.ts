// Nonces in flat memory, each with the number of its key: a set of strings would be looked through by every collection of garbage.

/** The hash of a nonce and where it stands, side by side: most lookups read no more than that. */
const SLOT_WORDS = 2;
const SLOTS_FIRST = 64;
const BYTES_FIRST = 2_048;
/** The number of the key, and the length of the text. */
const HEAD_BYTES = 5;
/** Fuller than this, and chains of slots become long. */
const FILL_MAX = 0.5;

export class NonceTable {
  /** Pairs of a hash and a place plus one; zero where there is none. */
  #slots = new Uint32Array(SLOTS_FIRST * SLOT_WORDS);
  #bytes = new Uint8Array(BYTES_FIRST);
  #used = 0;
  #count = 0;

  /** The hash is of key and nonce, 32 bits, and the nonce of ASCII. */
  has(hash: number, key: number, nonce: string): boolean {
    return this.#slots[this.#find(hash, key, nonce) + 1] !== 0;
  }

  /** False if it is there already. */
  add(hash: number, key: number, nonce: string): boolean {
    let slot = this.#find(hash, key, nonce);
    if (this.#slots[slot + 1] !== 0) return false;
    this.#count += 1;
    if (this.#count * SLOT_WORDS > this.#slots.length * FILL_MAX) {
      this.#widen();
      slot = this.#find(hash, key, nonce);
    }
    this.#slots[slot] = hash;
    this.#slots[slot + 1] = this.#write(key, nonce) + 1;
    return true;
  }

  /** Where it stands, or else would. */
  #find(hash: number, key: number, nonce: string): number {
    const slots = this.#slots;
    const last = slots.length - SLOT_WORDS;
    // Whoever asks has chosen the table by the lowest bits.
    let slot = ((hash >>> 8) * SLOT_WORDS) & last;
    for (;;) {
      const place = slots[slot + 1]!;
      if (place === 0 || (slots[slot] === hash && this.#isAt(place - 1, key, nonce))) return slot;
      slot = (slot + SLOT_WORDS) & last;
    }
  }

  #isAt(place: number, key: number, nonce: string): boolean {
    const bytes = this.#bytes;
    const { length } = nonce;
    for (let at = 0; at < HEAD_BYTES - 1; at += 1) {
      if (bytes[place + at] !== ((key >>> (8 * at)) & 0xff)) return false;
    }
    if (bytes[place + HEAD_BYTES - 1] !== length) return false;
    const from = place + HEAD_BYTES;
    for (let at = 0; at < length; at += 1) {
      if (bytes[from + at] !== nonce.charCodeAt(at)) return false;
    }
    return true;
  }

  #write(key: number, nonce: string): number {
    const place = this.#used;
    const { length } = nonce;
    this.#used = place + HEAD_BYTES + length;
    if (this.#used > this.#bytes.length) this.#lengthen();
    const bytes = this.#bytes;
    for (let at = 0; at < HEAD_BYTES - 1; at += 1) bytes[place + at] = key >>> (8 * at);
    bytes[place + HEAD_BYTES - 1] = length;
    for (let at = 0; at < length; at += 1) {
      bytes[place + HEAD_BYTES + at] = nonce.charCodeAt(at);
    }
    return place;
  }

  #lengthen(): void {
    const before = this.#bytes;
    this.#bytes = new Uint8Array(before.length * 2);
    this.#bytes.set(before);
  }

  #widen(): void {
    const before = this.#slots;
    const slots = new Uint32Array(before.length * 2);
    const last = slots.length - SLOT_WORDS;
    for (let from = 0; from < before.length; from += SLOT_WORDS) {
      const place = before[from + 1]!;
      if (place === 0) continue;
      const hash = before[from]!;
      let slot = ((hash >>> 8) * SLOT_WORDS) & last;
      while (slots[slot + 1] !== 0) slot = (slot + SLOT_WORDS) & last;
      slots[slot] = hash;
      slots[slot + 1] = place;
    }
    this.#slots = slots;
  }
}
