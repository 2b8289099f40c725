// Names of requests: unique, and telling nobody how many there were.
import type { Random } from '../ports/random.ts';

const PREFIX = 'req_';
/** 107 bits: two are never the same, and none can be guessed. */
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

function draw(random: Random, ids: Buffer): void {
  const text = random.token(RANDOM_LENGTH * DRAWN_AT_ONCE);
  for (let index = 0; index < DRAWN_AT_ONCE; index += 1) {
    const from = index * RANDOM_LENGTH;
    const own = text.slice(from, from + RANDOM_LENGTH);
    ids.write(own, index * LENGTH + PREFIX.length, 'latin1');
  }
}
