// Safe integers as bigints: the conversion on the order path, several times for every fill.

const words = new Uint32Array(2);
const whole = new BigInt64Array(words.buffer);
/** What the high word counts. */
export const HIGH_UNIT = 4_294_967_296;

words[0] = 1;
/** Which 32-bit word of a 64-bit integer in memory is the low one on this machine. */
export const LOW_WORD = whole[0] === 1n ? 0 : 1;

/**
 * The same as BigInt(value) for safe integers, but through two words of memory: the built-in leaves compiled code
 * for the runtime and takes ten times as long.
 */
export function micro(value: number): bigint {
  if (value === 0) return 0n;
  const low = value >>> 0;
  words[LOW_WORD] = low;
  words[1 - LOW_WORD] = (value - low) / HIGH_UNIT; // exact: the low word was taken off
  return whole[0]!;
}
