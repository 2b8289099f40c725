// Names of requests: unique, and telling nobody how many there were.
import type { Random } from '../ports/random.ts';

const PREFIX = 'req_';
const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
/** Over a hundred bits: two are never the same, and none can be guessed. */
const RANDOM_LENGTH = 18;
const LENGTH = PREFIX.length + RANDOM_LENGTH;
/** So many are drawn at once: one at a time would cost a call of the system for each request. */
const DRAWN_AT_ONCE = 256;

export function requestIdsOf(random: Random): () => string {
  const drawn = Buffer.alloc(LENGTH * DRAWN_AT_ONCE, PREFIX.padEnd(LENGTH));
  let at = drawn.length;
  return () => {
    if (at === drawn.length) {
      draw(random, drawn);
      at = 0;
    }
    const start = at;
    at += LENGTH;
    // A text of its own: a part of a long one would keep all of it.
    return drawn.toString('latin1', start, at);
  };
}

/** The code of the character that a byte stands for. That some stand for a few bytes more than others is no loss to a name. */
const CHARACTERS = Uint8Array.from({ length: 256 }, (_, byte) =>
  ALPHABET.charCodeAt(byte % ALPHABET.length),
);

function draw(random: Random, ids: Buffer): void {
  const noise = random.bytes(RANDOM_LENGTH * DRAWN_AT_ONCE);
  let from = 0;
  for (let start = PREFIX.length; start < ids.length; start += LENGTH) {
    for (let at = start; at < start + RANDOM_LENGTH; at += 1) {
      ids[at] = CHARACTERS[noise[from]!]!;
      from += 1;
    }
  }
}
